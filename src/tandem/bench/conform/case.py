"""One request, and what of its answer must agree with a plain engine's."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"
RESPONSES = "/v1/responses"
EMBEDDINGS = "/v1/embeddings"
TOKENIZE = "/tokenize"
DETOKENIZE = "/detokenize"

MARK = "<mark>"
"""Stands at the front of prompts; each pass puts its own word there, so that no pass finds the prompt in a cache."""

MODEL = "<model>"
"""Stands for the name of the served model, which may differ between the two sides."""

# More than one KV block on every target (128 tokens on the CPU, 16 on a GPU), so that whole blocks cross.
PROMPT = (
    f"{MARK} The keeper of the northern lighthouse wrote in his book each evening: the wind and where it came from, "
    "the height of the water at the old stones, the ships that passed and the flags they flew. In the ninth winter "
    "he noted that the herring had come early, that two boats from the southern harbour stayed out for three nights, "
    "and that the lamp had burned without a fault although the oil was poor and the glass was white with salt. On "
    "the last page stands a list of seven things that the next keeper should know before the storms begin. The "
    "first of them is"
)


class Agree(StrEnum):
    """What must agree."""

    ANSWER = "answer"
    """Everything: the request is greedy, seeded, refused, or needs no sampling."""
    SHAPE = "shape"
    """Status and JSON shape: sampling is left to chance."""
    STATUS = "status"
    """The status: paths that are not served are told so in OpenAI's error shape, which a plain engine has not there."""
    REFUSED = "refused"
    """Nothing: the service refuses the field with 400 and names it, whatever a plain engine does with it."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One request. `fields` are the request fields it stands for; none means the endpoint itself."""

    endpoint: str
    fields: tuple[str, ...] = ()
    sent: Mapping[str, Any] = field(default_factory=dict)
    """What of the body is special to this case; None for a field stands for JSON's null."""
    base: Mapping[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    """Fields of the base that are left out."""
    form: str = ""
    """Which of an endpoint's forms the base has, where there are several."""
    method: str = "POST"
    raw: str | None = None
    """The body as it stands, for bodies that are not a JSON object."""
    headers: Mapping[str, str] = field(default_factory=dict)
    agree: Agree = Agree.ANSWER

    @property
    def name(self) -> str:
        """Endpoint and what was sent: unique in the catalogue."""
        what = f"body {self.raw}" if self.raw is not None else json.dumps(self.sent, ensure_ascii=False)
        absent = f"without {', '.join(self.absent)}" if self.absent else ""
        headers = f"{dict(self.headers)}" if self.headers else ""
        return " ".join(part for part in (self.method, self.endpoint, self.form, what, absent, headers) if part)

    def body(self, mark: str, model: str) -> bytes:
        """The body to send, with the mark and the model's name in place."""
        if self.raw is not None:
            return self.raw.encode()
        body = {**self.base, **self.sent}
        text = json.dumps({name: value for name, value in body.items() if name not in self.absent})
        return text.replace(MARK, mark).replace(MODEL, model).encode()


CHAT_BASE: Mapping[str, Any] = {
    "model": MODEL,
    "messages": [{"role": "user", "content": PROMPT}],
    "max_tokens": 10,
    "temperature": 0,
}
COMPLETION_BASE: Mapping[str, Any] = {"model": MODEL, "prompt": PROMPT, "max_tokens": 10, "temperature": 0}


def chat(*fields: str, agree: Agree = Agree.ANSWER, **sent: Any) -> Case:
    """A chat completion that is greedy unless `sent` says otherwise."""
    return Case(endpoint=CHAT, fields=fields, sent=sent, base=CHAT_BASE, agree=agree)


def completion(*fields: str, agree: Agree = Agree.ANSWER, **sent: Any) -> Case:
    """A completion that is greedy unless `sent` says otherwise."""
    return Case(endpoint=COMPLETIONS, fields=fields, sent=sent, base=COMPLETION_BASE, agree=agree)


def both(*fields: str, agree: Agree = Agree.ANSWER, **sent: Any) -> list[Case]:
    """The same for chat and completions."""
    return [chat(*fields, agree=agree, **sent), completion(*fields, agree=agree, **sent)]


def each_of(make: Callable[..., Case], field_name: str, values: Iterable[Any], **also: Any) -> list[Case]:
    """One field with several values; `make` is `chat`, `completion` or a group's own."""
    return [make(field_name, **{**also, field_name: value}) for value in values]


def each(field_name: str, values: Iterable[Any], **also: Any) -> list[Case]:
    """One field with several values, for chat and completions."""
    return [case for value in values for case in both(field_name, **{**also, field_name: value})]

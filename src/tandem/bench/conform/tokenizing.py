"""/tokenize in both its forms, and /detokenize."""

from typing import Any

from tandem.bench.conform.case import DETOKENIZE, MODEL, TOKENIZE, Case, each_of
from tandem.bench.conform.tools import TIDE

_TEXT: dict[str, Any] = {"model": MODEL, "prompt": "The seven stones of the northern shore"}
_TALK: dict[str, Any] = {"model": MODEL, "messages": [{"role": "user", "content": "How high is the water?"}]}
_BEGUN = [*_TALK["messages"], {"role": "assistant", "content": "It is"}]
_IDS: dict[str, Any] = {"model": MODEL, "tokens": [300, 301, 302]}


def _text(*fields: str, **sent: Any) -> Case:
    return Case(endpoint=TOKENIZE, fields=fields, sent=sent, base=_TEXT)


def _talk(*fields: str, **sent: Any) -> Case:
    return Case(endpoint=TOKENIZE, fields=fields, sent=sent, base=_TALK, form="messages")


def _ids(*fields: str, **sent: Any) -> Case:
    return Case(endpoint=DETOKENIZE, fields=fields, sent=sent, base=_IDS)


TOKENIZING: list[Case] = [
    *each_of(_text, "model", [MODEL, "no-such-model", None, 5]),
    *each_of(_text, "prompt", ["", "Grüße 🌊 <|im_start|>", "a" * 5000, 5, None, ["a"]]),
    *(make("add_special_tokens", add_special_tokens=value) for make in (_text, _talk) for value in (True, False, "x")),
    *(make("return_token_strs", return_token_strs=value) for make in (_text, _talk) for value in (True, False, "x")),
    *each_of(_talk, "messages", [[], _BEGUN, [{}], "hello"]),
    *each_of(_talk, "add_generation_prompt", [True, False]),
    _talk("continue_final_message", messages=_BEGUN, continue_final_message=True, add_generation_prompt=False),
    _talk("continue_final_message", messages=_BEGUN, continue_final_message=True, add_generation_prompt=True),
    *each_of(_talk, "chat_template", ["{{ messages[0]['content'] }}", "{% broken", None]),
    *each_of(_talk, "chat_template_kwargs", [{"style": "dry"}, None, "dry"]),
    *each_of(_talk, "media_io_kwargs", [{"video": {}}, None, "video"]),
    *each_of(_talk, "mm_processor_kwargs", [{"num_crops": 2}, None, "crops"]),
    *each_of(_talk, "tools", [[TIDE], [], None, "tide"]),
    *each_of(_ids, "model", [MODEL, "no-such-model", None, 5]),
    *each_of(_ids, "tokens", [[], [1], list(range(300, 700)), [99999999], [-1], [2**63], "x", None]),
]

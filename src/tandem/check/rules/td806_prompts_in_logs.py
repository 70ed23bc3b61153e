"""Prompts in the log."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        for name in ("enable_log_requests", "enable_log_outputs"):
            path = engine.arg_path(name)
            if engine.args.get(name) is True and path not in seen:
                seen.add(path)
                yield Hit(path, f"{name} is on", (Drop(path),))


RULE = Rule(
    id="TD806",
    title="prompts or answers in the log",
    severity="warning",
    why=(
        "What users write then stands in log files and wherever these are sent: under GDPR, LGPD or UU PDP that "
        "is processing."
    ),
    fix="Remove it outside of a test.",
    sources=(
        "https://docs.vllm.ai/en/stable/configuration/engine_args/",
        "https://eur-lex.europa.eu/eli/reg/2016/679/oj",
    ),
    find=_find,
)

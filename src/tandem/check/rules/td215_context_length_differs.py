"""Decode that takes shorter sequences than prefill."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.spec.reading import integer


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        ours, theirs = integer(prefill.args.get("max_model_len")), integer(decode.args.get("max_model_len"))
        if ours and theirs and ours != theirs and min(ours, theirs) > 0:
            yield Hit(decode.arg_path("max_model_len"), f"prefill {ours}, decode {theirs}")


RULE = Rule(
    id="TD215",
    title="the phases take sequences of different length",
    severity="warning",
    why=(
        "Each phase checks a request against its own limit: a prompt that one takes, the other refuses after the "
        "work is done."
    ),
    fix="Write the same max_model_len on both phases.",
    sources=(f"{VLLM}/config/model.py",),
    find=_find,
)

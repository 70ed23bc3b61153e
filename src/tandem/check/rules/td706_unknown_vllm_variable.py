"""A VLLM_ variable that vLLM does not read."""

from collections.abc import Iterator

from tandem.check.finding import Edit, Hit, Put, Rule
from tandem.check.sources import VLLM
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts import engine_args

_ELSEWHERE = ("VLLM_RAY_", "VLLM_USE_RAY_", "VLLM_CPU_", "VLLM_HOST_")
_GONE = {"VLLM_USE_V1"}


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.pinned_release:
        return
    for var in subject.environment():
        if not var.name.startswith("VLLM_") or var.name in engine_args.environment() | _GONE:
            continue
        if var.name.startswith(_ELSEWHERE):
            continue
        close = nearest(var.name, engine_args.environment())
        edits: tuple[Edit, ...] = ()
        if close and isinstance(var.path[-1], int):
            edits = (Put((*var.path, "name"), close),)
        yield Hit(var.path, f"unknown variable {var.name}", edits, f"Did you mean {close}?" if close else "")


RULE = Rule(
    id="TD706",
    title="a variable that vLLM does not read",
    severity="warning",
    why="vLLM logs a warning and goes on with its default; a misspelt VLLM_NIXL_SIDE_CHANNEL_HOST runs as localhost.",
    fix="Remove it.",
    sources=(f"{VLLM}/envs.py",),
    find=_find,
)

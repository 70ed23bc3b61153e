"""A placement_group_config that Ray refuses when the engine starts."""

from collections.abc import Iterator, Mapping
from typing import Any

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.facts import serve_fields
from tandem.spec.source import KeyPath


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        placement = engine.config.get("placement_group_config")
        if isinstance(placement, Mapping):
            yield from _hits(placement, (*engine.path, "placement_group_config"))


def _hits(placement: Mapping[str, Any], path: KeyPath) -> Iterator[Hit]:
    given = [key for key in ("bundles", "bundle_per_worker") if placement.get(key) is not None]
    if len(given) != 1:
        yield Hit(path, "both bundles and bundle_per_worker" if given else "neither bundles nor bundle_per_worker")
    known = serve_fields.model("placement_group_config").fields["strategy"]
    if "strategy" in placement and known.mismatch(placement["strategy"]):
        yield Hit((*path, "strategy"), f"{placement['strategy']!r}", fix=f"Allowed: {known.allowed()}.")


RULE = Rule(
    id="TD014",
    title="a placement group that Ray refuses",
    severity="error",
    why="Ray checks the placement group only when the replica starts, after the config was accepted.",
    fix="Give exactly one of bundles and bundle_per_worker.",
    sources=(f"{RAY}/llm/_internal/common/placement.py",),
    find=_find,
)

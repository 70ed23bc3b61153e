"""Autoscaling bounds that exclude each other."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.spec.reading import integer, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        scaling = mapping(mapping(engine.config.get("deployment_config")).get("autoscaling_config"))
        low, high = integer(scaling.get("min_replicas", 1)), integer(scaling.get("max_replicas", 1))
        start = integer(scaling.get("initial_replicas"))
        path = (*engine.path, "deployment_config", "autoscaling_config")
        if low is None or high is None or not scaling:
            continue
        if high < low:
            yield Hit((*path, "max_replicas"), f"max_replicas ({high}) is below min_replicas ({low})")
        elif start is not None and not low <= start <= high:
            yield Hit((*path, "initial_replicas"), f"initial_replicas ({start}) is not within {low} to {high}")


RULE = Rule(
    id="TD024",
    title="autoscaling bounds that exclude each other",
    severity="error",
    why=(
        "Serve refuses the deployment. max_replicas is 1 when it is not given, so a larger min_replicas alone is "
        "refused too."
    ),
    fix="Order them: min_replicas ≤ initial_replicas ≤ max_replicas.",
    sources=(f"{RAY}/serve/config.py",),
    find=_find,
)

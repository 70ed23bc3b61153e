"""Engine pods pinned to different Availability Zones while EFA carries the cache."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import EFA_TYPES
from tandem.check.subject import Subject
from tandem.spec.reading import mapping, text

_ZONE = "topology.kubernetes.io/zone"


def _find(subject: Subject) -> Iterator[Hit]:
    zones = {}
    for group in subject.workers:
        zone = text(mapping(group.pod.get("nodeSelector")).get(_ZONE))
        if zone and group.efa:
            zones[zone] = group
    if len(zones) > 1:
        last = list(zones.values())[-1]
        yield Hit((*last.pod_path, "nodeSelector", _ZONE), f"EFA pods in {', '.join(sorted(zones))}")


RULE = Rule(
    id="TD408",
    title="EFA across Availability Zones",
    severity="error",
    why=(
        "EFA traffic does not cross zones: the phases cannot reach each other, and TCP between zones is billed by "
        "the GB."
    ),
    fix="Pin all engine pods to one zone.",
    sources=(EFA_TYPES,),
    find=_find,
)

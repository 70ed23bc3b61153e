"""A Ray dashboard that the operator cannot reach."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import RAYSERVICE_DOCS
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        host = group.start_params.get("dashboard-host")
        if group.head and host in ("127.0.0.1", "localhost", "::1"):
            path = (*group.path, "rayStartParams", "dashboard-host")
            yield Hit(path, f"dashboard-host {host}", (Put(path, "0.0.0.0"),))


RULE = Rule(
    id="TD513",
    title="KubeRay cannot reach the dashboard",
    severity="error",
    why=(
        "KubeRay sends the Serve config to the dashboard of the head pod; on loopback it never arrives and "
        "nothing is deployed."
    ),
    fix="Write dashboard-host: 0.0.0.0, and keep it inside by a network policy.",
    sources=(RAYSERVICE_DOCS,),
    find=_find,
)

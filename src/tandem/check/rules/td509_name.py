"""A RayService name that KubeRay refuses."""

import re
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import KUBERAY_VALIDATION
from tandem.check.subject import Subject
from tandem.facts.rayservice import MAX_NAME_LENGTH
from tandem.spec.reading import mapping

_LABEL = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")


def _find(subject: Subject) -> Iterator[Hit]:
    if subject.document.kind != "rayservice":
        return
    name, path = mapping(subject.data.get("metadata")).get("name"), ("metadata", "name")
    if not isinstance(name, str):
        yield Hit(path, "no name")
    elif len(name) > MAX_NAME_LENGTH:
        yield Hit(path, f"{len(name)} characters")
    elif not _LABEL.fullmatch(name):
        yield Hit(path, f"{name!r}")


RULE = Rule(
    id="TD509",
    title="a RayService name that KubeRay refuses",
    severity="error",
    why="KubeRay accepts the object and then marks it ValidationFailed: no cluster is made.",
    fix=f"Use at most {MAX_NAME_LENGTH} lower-case letters, digits and dashes, starting with a letter.",
    sources=(KUBERAY_VALIDATION,),
    find=_find,
)

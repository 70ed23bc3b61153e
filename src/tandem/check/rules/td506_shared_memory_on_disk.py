"""A /dev/shm that is an ordinary directory."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.subject import Subject
from tandem.spec.reading import items, mapping, text


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        mounts = items(group.container.get("volumeMounts"))
        names = {text(mapping(m).get("name")) for m in mounts if mapping(m).get("mountPath") == "/dev/shm"}
        for index, volume in enumerate(items(group.pod.get("volumes"))):
            empty = mapping(volume).get("emptyDir")
            if (
                text(mapping(volume).get("name")) in names
                and empty is not None
                and mapping(empty).get("medium") != "Memory"
            ):
                path = (*group.pod_path, "volumes", index, "emptyDir")
                edits = (Put((*path, "medium"), "Memory"),) if isinstance(empty, dict) else ()
                yield Hit(path, "/dev/shm is an emptyDir on disk", edits)


RULE = Rule(
    id="TD506",
    title="/dev/shm on disk",
    severity="warning",
    why=(
        "Ray's object store and the workers' shared memory lie there: on disk they are slow. Without any mount "
        "KubeRay adds one in memory."
    ),
    fix="Write emptyDir: {medium: Memory}.",
    sources=(
        "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",
        "https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html",
    ),
    find=_find,
)

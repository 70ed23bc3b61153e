"""A pod whose memory limit is below the model's weights."""

import re
from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.core.sizes import format_bytes

_PARAMETERS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)B(?![\w.])", re.IGNORECASE)
_BYTES_PER_PARAMETER = 2


def _find(subject: Subject) -> Iterator[Hit]:
    weights = max((size for size in map(_weights, subject.engines) if size), default=0.0)
    for group in subject.workers:
        limit = group.memory_limit
        if limit is not None and group.gpus and limit < weights:
            found = f"limit {format_bytes(limit)}, weights about {format_bytes(weights)}"
            yield Hit(group.resource_path("memory"), found)


def _weights(engine: Engine) -> float:
    """Bytes of the weights of one pod, from the size in the model's name; 0 where it tells none or is quantised."""
    match = _PARAMETERS.search(engine.model_source.split("/")[-1])
    if match is None or engine.args.get("quantization") or engine.gpus > 1:
        return 0.0
    return float(match[1]) * 1e9 * _BYTES_PER_PARAMETER


RULE = Rule(
    id="TD310",
    title="a memory limit below the weights",
    severity="warning",
    why=(
        "The page cache counts against the pod's limit, so the weights cannot stay cached: a restart reads them again "
        "(145 s instead of 2 s were measured for a 9B model), and loading can end in an OOM kill."
    ),
    fix="Raise the memory limit above the size of the weights.",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
        "https://docs.kernel.org/admin-guide/cgroup-v2.html#memory",
    ),
    find=_find,
)

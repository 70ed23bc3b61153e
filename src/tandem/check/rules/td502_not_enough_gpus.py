"""Engines that need more GPUs than the worker groups have."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAYSERVICE_DOCS
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.workers or not subject.engines:
        return
    scales = bool(subject.cluster.get("enableInTreeAutoscaling"))
    offered = sum(group.gpus * group.pods[1 if scales else 0] for group in subject.workers)
    needed = sum(engine.gpus * engine.replicas[0] for engine in subject.engines)
    if needed > offered:
        yield Hit(
            ("spec", "rayClusterConfig", "workerGroupSpecs"), f"engines need {needed} GPUs, workers have {offered}"
        )


RULE = Rule(
    id="TD502",
    title="not enough GPUs for the engines",
    severity="error",
    why="A replica without GPUs waits in PENDING without an error; the pods that did start are paid for meanwhile.",
    fix="Raise the workers' replicas or GPU limits, or lower the engines' replicas.",
    sources=(RAYSERVICE_DOCS,),
    find=_find,
)

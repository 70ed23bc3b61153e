"""Serve may scale to more GPUs than the cluster can get."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAYSERVICE_DOCS
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    if not subject.workers or not subject.engines:
        return
    scales = bool(subject.cluster.get("enableInTreeAutoscaling"))
    offered = sum(group.gpus * group.pods[1 if scales else 0] for group in subject.workers)
    least = sum(engine.gpus * engine.replicas[0] for engine in subject.engines)
    most = sum(engine.gpus * engine.replicas[1] for engine in subject.engines)
    if least <= offered < most:
        engine = max(subject.engines, key=lambda engine: engine.replicas[1])
        path = (*engine.path, "deployment_config", "autoscaling_config", "max_replicas")
        yield Hit(path, f"at most {most} GPUs by autoscaling, workers have {offered}")


RULE = Rule(
    id="TD503",
    title="autoscaling beyond the cluster",
    severity="warning",
    why="Under load Serve asks for replicas that can never be placed; they wait in PENDING while requests queue.",
    fix="Lower max_replicas, or let the cluster grow (maxReplicas, enableInTreeAutoscaling).",
    sources=(RAYSERVICE_DOCS, "https://docs.ray.io/en/latest/serve/autoscaling-guide.html"),
    find=_find,
)

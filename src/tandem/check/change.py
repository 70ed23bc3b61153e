"""What an edit will do to a running service: nothing, scale, restart engines, or build a second cluster beside it.

KubeRay compares the cluster spec without replicas, tolerations and scheduling gates; anything else in it makes a new
cluster, except worker groups that are added at the end
(https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/rayservice_controller.go).
Serve restarts the replicas of an application whose args, runtime_env or import_path changed
(https://docs.ray.io/en/latest/serve/advanced-guides/inplace-updates.html).
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from tandem.check.pods import PodGroup
from tandem.check.subject import NOTHING_SAID, Subject, read_subject
from tandem.spec.manifest import SERVE_CONFIG, Document
from tandem.spec.reading import at, dotted, items, mapping
from tandem.spec.source import KeyPath

Effect = Literal["none", "scale", "restart", "replace", "ignored"]

_ORDER: tuple[Effect, ...] = ("none", "scale", "restart", "replace", "ignored")
_MUTED_POD = ("tolerations", "schedulingGates")
_MUTED_GROUP = ("replicas", "minReplicas", "maxReplicas")
_SCALES = ("num_replicas", "autoscaling_config", "replicas", "min_replicas", "max_replicas")
_REPLACES_CLUSTER = ("region", "zone", "kubernetes_version")
_REPLACES_NODES = ("prefill_node", "decode_node", "capacity", "capacity_reservation_id", "gpus_per_replica")


@dataclass(frozen=True)
class Step:
    """One changed path and what it causes."""

    path: str
    line: int | None
    effect: Effect
    told: str


@dataclass(frozen=True)
class Change:
    """The whole edit. `gpu_nodes` and `gpus` are needed on top of what runs, while old and new stand side by side."""

    effect: Effect
    steps: tuple[Step, ...]
    gpu_nodes: int = 0
    gpus: int = 0

    def as_json(self) -> dict[str, object]:
        """The change as plain data."""
        steps = [{"path": s.path, "line": s.line, "effect": s.effect, "told": s.told} for s in self.steps]
        return {"effect": self.effect, "gpu_nodes": self.gpu_nodes, "gpus": self.gpus, "steps": steps}


def compare(old: Document, new: Document) -> Change:
    """What going from `old` to `new` does. Both must be of one kind; another kind is a replacement."""
    before, after = read_subject(old, NOTHING_SAID), read_subject(new, NOTHING_SAID)
    if old.kind != new.kind:
        step = Step("", None, "replace", f"{old.kind} becomes {new.kind}: nothing is updated, everything is made anew")
        return Change("replace", (step,), *_all_gpus(after))
    if old.kind == "rayservice":
        return _rayservice(before, after)
    steps = tuple(_spec_steps(before, after) if old.kind == "spec" else _serve_steps(before, after, ()))
    return Change(_worst(steps), steps, *_spec_nodes(after, steps))


def _rayservice(before: Subject, after: Subject) -> Change:
    steps = [*_cluster_steps(before, after), *_serve_steps(before, after, SERVE_CONFIG)]
    effect = _worst(tuple(steps))
    if effect == "replace" and at(after.data, ("spec", "upgradeStrategy", "type")) == "None":
        told = "upgradeStrategy is None: KubeRay leaves the running cluster as it is, and the edit has no effect"
        return Change("ignored", (*steps, Step("spec.upgradeStrategy.type", None, "ignored", told)))
    return Change(effect, tuple(steps), *(_all_gpus(after) if effect == "replace" else _added_gpus(before, after)))


def _cluster_steps(before: Subject, after: Subject) -> Iterator[Step]:
    base: KeyPath = ("spec", "rayClusterConfig")
    old, new = mapping(at(before.data, base)), mapping(at(after.data, base))
    added = len(items(new.get("workerGroupSpecs"))) - len(items(old.get("workerGroupSpecs")))
    for path in _differences(_muted(old), _muted(new), base):
        grown = added > 0 and path[:3] == (*base, "workerGroupSpecs") and _is_new_group(path, old)
        told = (
            "a new worker group is added to the running cluster" if grown else "a second cluster is built beside this"
        )
        yield _step(after, path, "scale" if grown else "replace", told)
    for path in _differences(old, new, base):
        if path[-1] in _MUTED_GROUP:
            yield _step(after, path, "scale", "pods are added or removed")


def _is_new_group(path: KeyPath, old: Mapping[str, Any]) -> bool:
    index = path[3] if len(path) > 3 else -1
    return isinstance(index, int) and index >= len(items(old.get("workerGroupSpecs")))


def _muted(cluster: Mapping[str, Any]) -> dict[str, Any]:
    """The cluster spec without what KubeRay leaves out of its hash."""
    copy: dict[str, Any] = deepcopy(dict(cluster))
    copy.pop("upgradeStrategy", None)
    groups = [copy.get("headGroupSpec"), *items(copy.get("workerGroupSpecs"))]
    for group in groups:
        if isinstance(group, dict):
            for key in _MUTED_GROUP:
                group.pop(key, None)
            pod = at(group, ("template", "spec"))
            for key in _MUTED_POD:
                if isinstance(pod, dict):
                    pod.pop(key, None)
    return copy


def _serve_steps(before: Subject, after: Subject, base: KeyPath) -> Iterator[Step]:
    for path in _differences(before.serve, after.serve, base):
        if path[len(base) : len(base) + 1] == ("http_options",):
            yield _step(after, path, "ignored", "Serve reads its HTTP options only when it starts")
        elif any(key in path for key in _SCALES):
            yield _step(after, path, "scale", "Serve starts or stops replicas")
        else:
            yield _step(after, path, "restart", "Serve stops the application's replicas and starts them again")


def _spec_steps(before: Subject, after: Subject) -> Iterator[Step]:
    for path in _differences(before.data, after.data, ()):
        yield _spec_step(after, path)


def _spec_step(after: Subject, path: KeyPath) -> Step:
    if "replicas" in path:
        return _step(after, path, "scale", "engines are started or stopped")
    if path[0] in ("slo", "routing", "traffic", "prices", "managed_api"):
        return _step(after, path, "none", "taken over without a restart")
    if path[0] == "target" and (len(path) < 3 or path[-1] in _REPLACES_CLUSTER):
        return _step(after, path, "replace", "another cluster is made")
    if path[-1] in _REPLACES_NODES:
        return _step(after, path, "replace", "the phase's nodes are made anew")
    return _step(after, path, "restart", "engines are restarted, one after the other")


def _spec_nodes(after: Subject, steps: tuple[Step, ...]) -> tuple[int, int]:
    """Nodes of the phases that are made anew; of both when the whole cluster is."""
    replaced = [step.path for step in steps if step.effect == "replace"]
    phases = {e.phase for e in after.engines if any(not p.endswith("_node") or e.phase in p for p in replaced)}
    engines = [engine for engine in after.engines if engine.phase in phases and not engine.on_cpu]
    return sum(engine.replicas[0] for engine in engines), sum(e.replicas[0] * e.gpus for e in engines)


def _differences(old: Any, new: Any, path: KeyPath) -> Iterator[KeyPath]:
    """The deepest paths at which two values differ."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences(old.get(key), new.get(key), (*path, key))
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            left = old[index] if index < len(old) else None
            right = new[index] if index < len(new) else None
            yield from _differences(left, right, (*path, index))
    elif old != new:
        yield path


def _step(after: Subject, path: KeyPath, effect: Effect, told: str) -> Step:
    return Step(dotted(path), after.document.source.line(path), effect, told)


def _worst(steps: tuple[Step, ...]) -> Effect:
    found = [step.effect for step in steps if step.effect != "ignored"]
    if not found:
        return "ignored" if steps else "none"
    return max(found, key=_ORDER.index)


def _all_gpus(after: Subject) -> tuple[int, int]:
    nodes = [(group.pods[0], group.gpus) for group in after.workers if group.gpus]
    return sum(pods for pods, _ in nodes), sum(pods * gpus for pods, gpus in nodes)


def _added_gpus(before: Subject, after: Subject) -> tuple[int, int]:
    old = {group.name: group for group in before.workers}
    grown = [(group, group.pods[0] - _pods(old.get(group.name))) for group in after.workers if group.gpus]
    return sum(max(more, 0) for _, more in grown), sum(max(more, 0) * group.gpus for group, more in grown)


def _pods(group: PodGroup | None) -> int:
    return group.pods[0] if group else 0

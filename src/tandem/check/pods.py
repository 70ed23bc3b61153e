"""The pods of a RayService as the rules see them: what they ask for, and of which node."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tandem.check.engines import EnvVar
from tandem.core.sizes import parse_bytes
from tandem.spec.reading import integer, items, mapping, text
from tandem.spec.source import KeyPath

GPU = "nvidia.com/gpu"
EFA = "vpc.amazonaws.com/efa"
_NO_MAXIMUM = 2**31 - 1
INSTANCE_TYPE = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")


@dataclass(frozen=True)
class PodGroup:
    """The head or a worker group. `path` is the group's; the Ray container is the first, as KubeRay has it."""

    name: str
    head: bool
    path: KeyPath
    data: Mapping[str, Any]

    @property
    def pod_path(self) -> KeyPath:
        """Path of the pod spec."""
        return (*self.path, "template", "spec")

    @property
    def pod(self) -> Mapping[str, Any]:
        """The pod spec."""
        return mapping(mapping(self.data.get("template")).get("spec"))

    @property
    def container_path(self) -> KeyPath:
        """Path of the Ray container."""
        return (*self.pod_path, "containers", 0)

    @property
    def container(self) -> Mapping[str, Any]:
        """The Ray container."""
        containers = items(self.pod.get("containers"))
        return mapping(containers[0]) if containers else {}

    @property
    def start_params(self) -> Mapping[str, Any]:
        """`rayStartParams`."""
        return mapping(self.data.get("rayStartParams"))

    @property
    def image(self) -> str:
        """Image of the Ray container."""
        return text(self.container.get("image"))

    def resource(self, name: str, kind: str = "limits") -> str | None:
        """A resource of the Ray container as text, None when it is not asked for."""
        value = mapping(mapping(self.container.get("resources")).get(kind)).get(name)
        return None if value is None else str(value)

    def resource_path(self, name: str, kind: str = "limits") -> KeyPath:
        """Where a resource stands, or would stand."""
        return (*self.container_path, "resources", kind, name)

    def count(self, name: str) -> int:
        """A counted resource such as GPUs: Kubernetes takes the limit, or the request when there is no limit."""
        return integer(self.resource(name)) or integer(self.resource(name, "requests")) or 0

    @property
    def gpus(self) -> int:
        """GPUs of one pod."""
        return self.count(GPU)

    @property
    def efa(self) -> int:
        """EFA interfaces of one pod."""
        return self.count(EFA)

    @property
    def memory_limit(self) -> int | None:
        """Memory limit in bytes, None without a limit or when it is not a size."""
        try:
            return parse_bytes(self.resource("memory") or "")
        except ValueError:
            return None

    @property
    def pods(self) -> tuple[int, int]:
        """Pods that run now, and the most that autoscaling may make. Without maxReplicas the CRD sets no real bound."""
        hosts = integer(self.data.get("numOfHosts")) or 1
        replicas = integer(self.data.get("replicas"))
        low = integer(self.data.get("minReplicas"))
        high = integer(self.data.get("maxReplicas"))
        now = replicas if replicas is not None else (low or 0)
        return now * hosts, (_NO_MAXIMUM if high is None else high) * hosts

    @property
    def node_type(self) -> str | None:
        """EC2 type that the node selector asks for."""
        selector = mapping(self.pod.get("nodeSelector"))
        return next((text(selector[label]) for label in INSTANCE_TYPE if label in selector), None)

    @property
    def security(self) -> Mapping[str, Any]:
        """The Ray container's security context."""
        return mapping(self.container.get("securityContext"))

    @property
    def env(self) -> tuple[EnvVar, ...]:
        """Environment of the Ray container."""
        found = []
        for index, entry in enumerate(items(self.container.get("env"))):
            name = text(mapping(entry).get("name"))
            if name:
                value = mapping(entry).get("value")
                path: KeyPath = (*self.container_path, "env", index)
                found.append(EnvVar(name, None if value is None else str(value), path))
        return tuple(found)


def read_groups(manifest: Mapping[str, Any]) -> list[PodGroup]:
    """Head first, then the worker groups in order."""
    base: KeyPath = ("spec", "rayClusterConfig")
    cluster = mapping(mapping(manifest.get("spec")).get("rayClusterConfig"))
    head = mapping(cluster.get("headGroupSpec"))
    found = [PodGroup("head", True, (*base, "headGroupSpec"), head)] if head else []
    for index, group in enumerate(items(cluster.get("workerGroupSpecs"))):
        name = text(mapping(group).get("groupName")) or f"worker {index}"
        found.append(PodGroup(name, False, (*base, "workerGroupSpecs", index), mapping(group)))
    return found

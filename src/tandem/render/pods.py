"""Pod templates of the Ray head and of the workers of a phase: least privilege first.

A capability that is added to a container takes effect for root only
(https://github.com/kubernetes/kubernetes/issues/56374), so a pod that locks memory for EFA runs as root without any
other capability, and every other pod runs as a user.
"""

from typing import Any

from tandem.core.sizes import GIB
from tandem.render.deployment import WEIGHTS, Deployment, PhasePods
from tandem.render.eksctl import PHASE_LABEL, ROLE_LABEL

HUGGING_FACE_SECRET = "hugging-face"
SERVICE_ACCOUNT = "tandem"
_NODE_WEIGHTS = "/var/lib/tandem/weights"
_HOME = "/home/ray"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}
_PORTS = {"metrics": 8080, "serve": 8000}


def head_pod(deployment: Deployment) -> dict[str, Any]:
    """The Ray head: no GPU, no engine, on the system node."""
    cpu = deployment.system.vcpu // 2 if deployment.system else 2
    memory = deployment.system.memory // 2 if deployment.system else 8 * GIB
    ports = {"gcs": 6379, "dashboard": 8265, "client": 10001, **_PORTS}
    container = {
        "name": "ray-head",
        "image": deployment.image,
        "ports": _ports(ports),
        "env": _env({**_QUIET, "HOME": _HOME, "HF_HUB_OFFLINE": "1", "NVIDIA_VISIBLE_DEVICES": "void"}),
        "resources": _resources({"cpu": str(cpu), "memory": _gib(memory)}, limited=("memory",)),
        "securityContext": _as_user(),
        "volumeMounts": _mounts(),
    }
    selector = {"nodeSelector": {ROLE_LABEL: "system"}} if deployment.system else {}
    return _template(deployment, "head", {**selector, "containers": [container], "volumes": _volumes()})


def worker_pod(deployment: Deployment, pods: PhasePods) -> dict[str, Any]:
    """A worker of one phase, alone on its node when the node type is known."""
    weights = [{"name": "weights", "mountPath": WEIGHTS, "readOnly": True}] if deployment.download else []
    container = {
        "name": "ray-worker",
        "image": deployment.image,
        "ports": _ports(_PORTS),
        "env": _env(_worker_variables(deployment, pods)),
        "resources": _resources(_asked(pods), limited=("memory", "nvidia.com/gpu", "vpc.amazonaws.com/efa")),
        "securityContext": _worker_security(deployment, pods),
        "volumeMounts": [*_mounts(), *weights],
    }
    spec: dict[str, Any] = {**_placement(pods)}
    if deployment.download:
        spec["initContainers"] = [_download(deployment, deployment.download, pods)]
    spec |= {"containers": [container], "volumes": [*_volumes(), *(_weights_volume() if deployment.download else [])]}
    return _template(deployment, pods.phase, spec)


def _template(deployment: Deployment, part: str, spec: dict[str, Any]) -> dict[str, Any]:
    labels = {
        "app.kubernetes.io/part-of": "tandem",
        "app.kubernetes.io/instance": deployment.name,
        "app.kubernetes.io/component": part,
    }
    common = {
        "serviceAccountName": SERVICE_ACCOUNT,
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 60,
        "securityContext": {"fsGroup": 1000, "seccompProfile": {"type": "RuntimeDefault"}},
    }
    return {"metadata": {"labels": labels}, "spec": {**common, **spec}}


def _placement(pods: PhasePods) -> dict[str, Any]:
    if pods.instance is None:
        return {}
    selector = {PHASE_LABEL: pods.phase, "node.kubernetes.io/instance-type": pods.instance.name}
    return {"nodeSelector": selector}


def _asked(pods: PhasePods) -> dict[str, str]:
    asked = {"cpu": str(pods.cpu), "nvidia.com/gpu": str(pods.gpus)}
    if pods.memory is not None:
        asked["memory"] = _gib(pods.memory)
    if pods.efa:
        asked["vpc.amazonaws.com/efa"] = str(pods.efa)
    return asked


def _worker_variables(deployment: Deployment, pods: PhasePods) -> dict[str, str]:
    transfer = deployment.spec.transfer
    variables = {**_QUIET, "HOME": _HOME, "HF_HUB_OFFLINE": "1"}
    if pods.efa:
        variables["FI_PROVIDER"] = "efa"  # without it libfabric may take TCP, and the log looks the same
    elif deployment.spec.disaggregated and transfer.backend == "libfabric":
        variables["FI_PROVIDER"] = "tcp"
    elif deployment.spec.disaggregated and transfer.over == "tcp":
        variables["UCX_TLS"] = "tcp,cuda_copy"
    if deployment.hybrid and deployment.spec.disaggregated:
        variables["VLLM_SSM_CONV_STATE_LAYOUT"] = "DS"
    return variables


def _worker_security(deployment: Deployment, pods: PhasePods) -> dict[str, Any]:
    if deployment.privileged:
        return {"privileged": True, "readOnlyRootFilesystem": True}
    return _as_root(["IPC_LOCK"]) if pods.efa else _as_user()


def _download(deployment: Deployment, source: str, pods: PhasePods) -> dict[str, Any]:
    """Fetches the weights to the node once, and reads them into the page cache that the engine then loads from."""
    command = ["python", "-m", "tandem.serving.weights", source, deployment.model_source]
    revision = deployment.spec.engine.get("revision")
    memory = {} if pods.memory is None else {"memory": _gib(pods.memory)}
    token = {"secretKeyRef": {"name": HUGGING_FACE_SECRET, "key": "token", "optional": True}}
    return {
        "name": "weights",
        "image": deployment.image,
        "command": command + (["--revision", str(revision)] if revision else []),
        "env": [*_env({**_QUIET, "HOME": _HOME}), {"name": "HF_TOKEN", "valueFrom": token}],
        "resources": _resources({"cpu": "1", **memory}, limited=("memory",)),
        "securityContext": _as_root([]),  # the node's folder belongs to root
        "volumeMounts": [*_mounts(), {"name": "weights", "mountPath": WEIGHTS}],
    }


def _as_user() -> dict[str, Any]:
    return {"runAsNonRoot": True, "runAsUser": 1000, "runAsGroup": 1000, **_confined([])}


def _as_root(capabilities: list[str]) -> dict[str, Any]:
    return {"runAsUser": 0, **_confined(capabilities)}


def _confined(capabilities: list[str]) -> dict[str, Any]:
    added = {"add": capabilities} if capabilities else {}
    return {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"], **added},
    }


def _mounts() -> list[dict[str, Any]]:
    return [
        {"name": "shared-memory", "mountPath": "/dev/shm"},
        {"name": "tmp", "mountPath": "/tmp"},
        {"name": "home", "mountPath": _HOME},
    ]


def _volumes() -> list[dict[str, Any]]:
    return [
        {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}},
        {"name": "tmp", "emptyDir": {}},
        {"name": "home", "emptyDir": {}},
    ]


def _weights_volume() -> list[dict[str, Any]]:
    return [{"name": "weights", "hostPath": {"path": _NODE_WEIGHTS, "type": "DirectoryOrCreate"}}]


def _resources(asked: dict[str, str], limited: tuple[str, ...]) -> dict[str, Any]:
    """CPU has no limit: throttling would delay tokens and protect nobody on a node of its own."""
    limits = {name: amount for name, amount in asked.items() if name in limited}
    return {"requests": asked, **({"limits": limits} if limits else {})}


def _ports(ports: dict[str, int]) -> list[dict[str, Any]]:
    return [{"name": name, "containerPort": port} for name, port in ports.items()]


def _env(variables: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in variables.items()]


def _gib(size: int) -> str:
    return f"{size // GIB}Gi"

"""The RayService: https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/rayservice.html."""

from typing import Any

from tandem.facts.versions import PINNED_RAY
from tandem.render.deployment import Deployment, tensor_parallel
from tandem.render.pods import head_pod, worker_pod
from tandem.render.serve_config import serve_config
from tandem.render.yaml_text import yaml_text

OBJECT_STORE = str(2 * 1024**3)
"""Bytes of Ray's object store. Prompts and answers are small; the KV cache does not go through it."""
_INITIALIZING_TIMEOUT = "60m"
"""KubeRay then says InitializingTimeout: image, weights and engine start are far below it (Ray ≥ KubeRay 1.5)."""


def ray_service(deployment: Deployment) -> dict[str, Any]:
    """One RayService with a worker group for each phase, pinned by a Ray resource of the phase's name."""
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayService",
        "metadata": {
            "name": deployment.name,
            "namespace": deployment.namespace,
            "labels": {"app.kubernetes.io/part-of": "tandem"},
            "annotations": {"ray.io/initializing-timeout": _INITIALIZING_TIMEOUT},
        },
        "spec": {
            "serveConfigV2": serve_config_text(deployment),
            "rayClusterConfig": {
                "rayVersion": PINNED_RAY,
                "authOptions": {"mode": "token"},
                "headGroupSpec": _head(deployment),
                "workerGroupSpecs": [_workers(deployment, index) for index in range(len(deployment.phases))],
            },
        },
    }


def serve_config_text(deployment: Deployment) -> str:
    """`serveConfigV2`: the same document as on every target, listening inside the pod network."""
    spec = deployment.spec
    engines = {phase: _engine(deployment, phase) for phase in spec.phases()}
    config = serve_config(spec, deployment.model_source, engines)
    http = {"proxy_location": "EveryNode", "http_options": {"host": "0.0.0.0", "port": 8000}}
    return yaml_text({**http, **config})


def _engine(deployment: Deployment, phase: str) -> dict[str, Any]:
    """A GPU and a grain of the phase's own Ray resource for each worker: so it starts on its own nodes only."""
    each = tensor_parallel(deployment.spec, phase)
    bundle = {"GPU": 1, phase: 0.001}
    placement = {"bundle_per_worker": bundle, "strategy": "STRICT_PACK"}
    engine: dict[str, Any] = {"tensor_parallel_size": each}
    if deployment.spec.disaggregated:
        engine["kv_transfer_config"] = _transfer(phase)
    return {"engine_kwargs": engine, "placement_group_config": placement}


def _transfer(phase: str) -> dict[str, str]:
    """What build_app sets anyway: written out, so that the file says what runs and reads as a plain Serve config."""
    role = "kv_producer" if phase == "prefill" else "kv_consumer"
    return {"kv_connector": "NixlConnector", "kv_role": role, "kv_load_failure_policy": "fail"}


def _head(deployment: Deployment) -> dict[str, Any]:
    start = {
        "dashboard-host": "0.0.0.0",  # KubeRay sends the Serve config there; the network policy keeps others out
        "num-cpus": "0",
        "num-gpus": "0",
        "object-store-memory": OBJECT_STORE,
    }
    return {"serviceType": "ClusterIP", "rayStartParams": start, "template": head_pod(deployment)}


def _workers(deployment: Deployment, index: int) -> dict[str, Any]:
    pods = deployment.phases[index]
    start = {
        "num-gpus": str(pods.gpus),
        "object-store-memory": OBJECT_STORE,
        "resources": f'"{{\\"{pods.phase}\\": 1}}"',  # quoted for the shell that runs `ray start`
    }
    return {
        "groupName": pods.phase,
        "replicas": pods.pods,
        "minReplicas": pods.pods,
        "maxReplicas": pods.pods,
        "rayStartParams": start,
        "template": worker_pod(deployment, pods),
    }

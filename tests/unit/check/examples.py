"""One healthy file of each kind, and overlays that make them ill: dotted paths in YAML, null removes a key."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from tandem.spec.source import parse_documents, plain

SERVE = """\
applications:
  - name: chat
    import_path: ray.serve.llm:build_pd_openai_app
    route_prefix: /
    args:
      prefill_config:
        model_loading_config: { model_id: qwen3-8b, model_source: Qwen/Qwen3-8B }
        engine_kwargs:
          max_model_len: 4096
          dtype: bfloat16
          gpu_memory_utilization: 0.90
          kv_transfer_config:
            kv_connector: NixlConnector
            kv_role: kv_producer
            kv_load_failure_policy: fail
            kv_connector_extra_config: { backends: [LIBFABRIC], kv_lease_duration: 60 }
        deployment_config: { num_replicas: 1 }
      decode_config:
        model_loading_config: { model_id: qwen3-8b, model_source: Qwen/Qwen3-8B }
        engine_kwargs:
          max_model_len: 4096
          dtype: bfloat16
          gpu_memory_utilization: 0.90
          kv_transfer_config:
            kv_connector: NixlConnector
            kv_role: kv_consumer
            kv_load_failure_policy: fail
            kv_connector_extra_config: { backends: [LIBFABRIC], kv_lease_duration: 60 }
        deployment_config: { num_replicas: 1 }
"""

SPEC = """\
model: { id: qwen3-8b, source: Qwen/Qwen3-8B }
engine: { max_model_len: 4096, dtype: bfloat16 }
prefill: { replicas: 1 }
decode: { replicas: 2 }
transfer: { backend: libfabric, over: efa }
target: { eks: { region: sa-east-1, prefill_node: p5.48xlarge, decode_node: p5.48xlarge } }
"""

MANIFEST = """\
apiVersion: ray.io/v1
kind: RayService
metadata:
  name: chat
  namespace: inference
spec:
  serveConfigV2: |
    applications: []
  rayClusterConfig:
    rayVersion: 2.60.0
    headGroupSpec:
      rayStartParams: { num-gpus: "0", dashboard-host: 0.0.0.0 }
      template:
        spec:
          containers:
            - name: ray-head
              image: rayproject/ray-llm:2.60.0-py312-cu130
              resources:
                requests: { cpu: "2", memory: 8Gi }
                limits: { memory: 8Gi }
    workerGroupSpecs:
      - groupName: gpu
        replicas: 2
        minReplicas: 2
        maxReplicas: 2
        rayStartParams: { num-gpus: "1" }
        template:
          spec:
            nodeSelector: { node.kubernetes.io/instance-type: p5.48xlarge }
            containers:
              - name: ray-worker
                image: rayproject/ray-llm:2.60.0-py312-cu130
                securityContext: { capabilities: { add: [IPC_LOCK] } }
                env:
                  - { name: VLLM_LOGGING_LEVEL, value: INFO }
                resources:
                  requests: { cpu: "12", memory: 64Gi, nvidia.com/gpu: "1", vpc.amazonaws.com/efa: "1" }
                  limits: { memory: 64Gi, nvidia.com/gpu: "1", vpc.amazonaws.com/efa: "1" }
                volumeMounts:
                  - { mountPath: /dev/shm, name: shared-memory }
            volumes:
              - { name: shared-memory, emptyDir: { medium: Memory } }
"""

WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: { name: prefill }
spec:
  template:
    spec:
      containers:
        - name: vllm
          command: [vllm, serve, Qwen/Qwen3-8B]
          args:
            - --kv-transfer-config
            - '{"kv_connector": "NixlConnector", "kv_role": "kv_producer", "kv_load_failure_policy": "fail"}'
          env:
            - { name: VLLM_NIXL_SIDE_CHANNEL_HOST, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
"""

_APP = "applications.0"
_SHORT = {
    "A": _APP,
    "P": f"{_APP}.args.prefill_config",
    "D": f"{_APP}.args.decode_config",
    "PE": f"{_APP}.args.prefill_config.engine_kwargs",
    "DE": f"{_APP}.args.decode_config.engine_kwargs",
    "PT": f"{_APP}.args.prefill_config.engine_kwargs.kv_transfer_config",
    "DT": f"{_APP}.args.decode_config.engine_kwargs.kv_transfer_config",
    "PX": f"{_APP}.args.prefill_config.engine_kwargs.kv_transfer_config.kv_connector_extra_config",
    "DX": f"{_APP}.args.decode_config.engine_kwargs.kv_transfer_config.kv_connector_extra_config",
}
_MANIFEST_SHORT = {
    "C": "spec.rayClusterConfig",
    "H": "spec.rayClusterConfig.headGroupSpec",
    "HC": "spec.rayClusterConfig.headGroupSpec.template.spec.containers.0",
    "W": "spec.rayClusterConfig.workerGroupSpecs.0",
    "WP": "spec.rayClusterConfig.workerGroupSpecs.0.template.spec",
    "WC": "spec.rayClusterConfig.workerGroupSpecs.0.template.spec.containers.0",
}


def serve(overlay: str = "") -> str:
    """The Serve config with an overlay; `P`, `D`, `PT` and so on are short for the places above."""
    return dumped(_overlaid(_data(SERVE), overlay, _SHORT))


def spec(overlay: str = "") -> str:
    """The spec with an overlay."""
    return dumped(_overlaid(_data(SPEC), overlay, {}))


def manifest(overlay: str = "", serve_overlay: str = "") -> str:
    """The RayService with an overlay on its pods and one on the Serve config inside."""
    data = _overlaid(_data(MANIFEST), overlay, _MANIFEST_SHORT)
    if "serveConfigV2" not in overlay:
        data["spec"]["serveConfigV2"] = LiteralScalarString(serve(serve_overlay))
    return dumped(data)


def workload(overlay: str = "") -> str:
    """The plain vLLM Deployment with an overlay."""
    return dumped(_overlaid(_data(WORKLOAD), overlay, {}))


@cache
def _data(text: str) -> Any:
    return plain(parse_documents(text, "<example>")[0])


def _overlaid(data: Any, overlay: str, short: Mapping[str, str]) -> Any:
    data = deepcopy(data)
    for dotted, value in (_data(overlay) if overlay else {}).items():
        head, _, rest = dotted.partition("|")
        path = f"{short.get(head, head)}.{rest}" if rest else short.get(head, head)
        _set(data, path.split("."), value)
    return data


def _set(data: Any, path: list[str], value: Any) -> None:
    """`~` stands for a dot inside a key, as in vpc~amazonaws~com/efa."""
    keys: list[Any] = [int(key) if key.isdigit() else key.replace("~", ".") for key in path]
    for key in keys[:-1]:
        data = data.setdefault(key, {}) if isinstance(data, dict) else data[key]
    if value is None:
        data.pop(keys[-1], None)
    elif isinstance(data, list) and keys[-1] >= len(data):
        data.append(value)
    else:
        data[keys[-1]] = value


def dumped(data: Any) -> str:
    """YAML text of plain data."""
    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width = 1000
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()

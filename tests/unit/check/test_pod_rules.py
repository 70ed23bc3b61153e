"""TD4, TD5 and TD6: transport, pods, versions."""

import pytest

from tests.unit.check.cases import Case, hold
from tests.unit.check.examples import manifest, serve, spec

UCX = "PX|backends: [UCX]\nDX|backends: [UCX]"
G6 = "WP|nodeSelector: {node~kubernetes~io/instance-type: g6.8xlarge}"
NO_EFA = """
WC|resources.limits: {memory: 64Gi, nvidia.com/gpu: "1"}
WC|resources.requests: {cpu: "12", memory: 64Gi, nvidia.com/gpu: "1"}
"""
SCALES = """
P|deployment_config: {autoscaling_config: {min_replicas: 1, max_replicas: 4}}
"""
EKS = "target: {eks: {region: sa-east-1, prefill_node: %s, decode_node: %s}}"
SECOND = (
    "{groupName: b, replicas: 1, template: {spec: {nodeSelector: {topology.kubernetes.io/zone: %s}, containers: [%s]}}}"
)
EFA_POD = "{name: w, image: 'rayproject/ray-llm:2.60.0-py312-cu130', resources: {limits: {vpc.amazonaws.com/efa: 1}}}"


def node_type(name: str) -> str:
    """An overlay that pins the workers to an EC2 type."""
    return f"WP|nodeSelector: {{node.kubernetes.io/instance-type: {name}}}"


CASES = [
    Case("TD401", serve(), serve("PT|kv_buffer_device: cpu\nDT|kv_buffer_device: cpu"), mends=True, node="g6.8xlarge"),
    Case("TD401", manifest(node_type("g6.8xlarge")), manifest(node_type("p5.4xlarge")), mends=True),
    Case("TD401", spec(EKS % ("g6.8xlarge", "g6.8xlarge")), spec(EKS % ("p5.48xlarge", "p5.48xlarge")), mends=True),
    Case("TD402", serve(), serve(UCX), node="g6.xlarge"),
    Case("TD402", spec(EKS % ("g6.xlarge", "g6.8xlarge")), spec(EKS % ("g6.8xlarge", "g6.8xlarge"))),
    Case("TD403", manifest("", UCX), manifest(), mends=True),
    Case("TD403", spec("transfer.backend: ucx"), spec(), mends=True),
    Case("TD404", manifest(NO_EFA), manifest(NO_EFA, UCX), mends=True),
    Case(
        "TD405",
        manifest("WC|resources.limits.vpc~amazonaws~com/efa: '40'\nWC|resources.requests.vpc~amazonaws~com/efa: '40'"),
        manifest(),
    ),
    Case("TD406", manifest("WC|resources.requests.nvidia~com/gpu: '2'"), manifest()),
    Case("TD406", manifest("WC|resources.limits.vpc~amazonaws~com/efa: null"), manifest(), mends=True),
    Case("TD407", serve(), serve(UCX), node="g7e.8xlarge"),
    Case(
        "TD408",
        manifest("WP|nodeSelector: {topology.kubernetes.io/zone: a}\nC|workerGroupSpecs.1: " + SECOND % ("b", EFA_POD)),
        manifest("WP|nodeSelector: {topology.kubernetes.io/zone: a}\nC|workerGroupSpecs.1: " + SECOND % ("a", EFA_POD)),
    ),
    Case(
        "TD409",
        manifest("WC|env: [{name: FI_PROVIDER, value: tcp}]"),
        manifest("WC|env: [{name: FI_PROVIDER, value: efa}]"),
    ),
    Case("TD410", manifest("WC|securityContext: {}"), manifest("WC|securityContext: {privileged: true}")),
    Case(
        "TD411",
        spec(EKS % ("g6.8xlarge", "g6.xlarge") + "\ntransfer: {backend: ucx}"),
        spec(EKS % ("g6.xlarge", "g6.xlarge") + "\ntransfer: {backend: ucx}"),
    ),
    Case("TD501", manifest("W|rayStartParams: {num-gpus: '4'}"), manifest("W|rayStartParams: {}"), mends=True),
    Case("TD502", manifest("W|replicas: 1\nW|minReplicas: 1"), manifest()),
    Case("TD502", manifest("", "PE|tensor_parallel_size: 2\nDE|tensor_parallel_size: 2"), manifest()),
    Case("TD503", manifest("", SCALES), manifest("W|maxReplicas: 8\nC|enableInTreeAutoscaling: true", SCALES)),
    Case(
        "TD504",
        manifest("W|replicas: 4\nW|maxReplicas: 4", "PE|tensor_parallel_size: 2\nDE|tensor_parallel_size: 2"),
        manifest(),
    ),
    Case("TD505", manifest(node_type("p5.4xlarge") + "\nWC|resources.requests.cpu: '16'"), manifest()),
    Case(
        "TD505",
        manifest(
            node_type("p5.4xlarge")
            + "\nWC|resources.limits.nvidia~com/gpu: '2'\nWC|resources.requests.nvidia~com/gpu: '2'"
        ),
        manifest(),
    ),
    Case("TD506", manifest("WP|volumes: [{name: shared-memory, emptyDir: {}}]"), manifest(), mends=True),
    Case("TD507", manifest("spec.serviceUnhealthySecondThreshold: 900"), manifest(), mends=True),
    Case("TD508", manifest("WP|hostNetwork: true"), manifest("WP|hostNetwork: false")),
    Case("TD509", manifest("metadata.name: Chat_1"), manifest("metadata.name: chat-1")),
    Case("TD509", manifest("metadata.name: " + "a" * 48), manifest("metadata.name: " + "a" * 47)),
    Case("TD510", manifest("W|minReplicas: 3"), manifest()),
    Case("TD510", manifest("W|replicas: 5"), manifest("W|replicas: 2")),
    Case("TD511", manifest("W|resources: {GPU: '1'}"), manifest("W|resources: {GPU: '1'}\nW|rayStartParams: {}")),
    Case(
        "TD512",
        manifest("spec.upgradeStrategy: {type: NewClustr}"),
        manifest("spec.upgradeStrategy: {type: NewCluster}"),
        mends=True,
    ),
    Case("TD513", manifest("H|rayStartParams.dashboard-host: 127.0.0.1"), manifest(), mends=True),
    Case("TD514", manifest("WP|containers: []"), manifest()),
    Case("TD514", manifest("C|headGroupSpec: null"), manifest()),
    Case("TD601", manifest("C|rayVersion: 2.58.0"), manifest(), mends=True),
    Case("TD602", manifest("WC|image: rayproject/ray-llm:2.58.0-py312-cu130"), manifest()),
    Case(
        "TD602",
        manifest("HC|image: rayproject/ray:2.60.0-py311"),
        manifest("HC|image: rayproject/ray:2.60.0-py312"),
    ),
    Case("TD608", spec("target.eks.kubernetes_version: '1.31'"), spec("target.eks.kubernetes_version: '1.33'")),
    Case(
        "TD609",
        spec("target.eks.image: rayproject/ray-llm:2.52.0-py311-cu128"),
        spec("target.eks.image: rayproject/ray-llm:2.60.0-py312-cu130"),
    ),
    Case("TD503", manifest("", SCALES), manifest("W|maxReplicas: null\nC|enableInTreeAutoscaling: true", SCALES)),
    Case(
        "TD603",
        serve("P|runtime_env: {pip: [vllm==0.11.0]}"),
        serve("P|runtime_env: {pip: [vllm==0.29.0, nixl==1.3.2, httpx]}"),
    ),
    Case(
        "TD603",
        serve("A|runtime_env: {pip: {packages: [ray]}}"),
        serve("A|runtime_env: {pip: {packages: [raylet-tools]}}"),
    ),
    Case("TD604", manifest("WC|image: rayproject/ray-llm:latest"), manifest("WC|image: 'a.b/c@sha256:0123'")),
    Case("TD605", manifest("C|authOptions: {mode: token}"), manifest(), kuberay="1.4.0"),
    Case("TD605", manifest("metadata.annotations: {ray.io/initializing-timeout: 30m}"), manifest(), kuberay="1.4.2"),
    Case(
        "TD606",
        manifest("C|authOptions: {mode: token}\nC|rayVersion: 2.51.0"),
        manifest("C|authOptions: {mode: token}"),
        mends=True,
    ),
    Case(
        "TD607",
        manifest(
            "C|rayVersion: 2.46.0\nHC|image: rayproject/ray-llm:2.46.0-py311\nWC|image: rayproject/ray-llm:2.46.0-py311"
        ),
        manifest(),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{index}" for index, case in enumerate(CASES)])
def test_pod_rule(case: Case) -> None:
    hold(case)

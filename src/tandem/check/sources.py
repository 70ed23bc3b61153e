"""Where the facts behind the rules can be read. Source links name the release that the tables were made from."""

VLLM = "https://github.com/vllm-project/vllm/blob/v0.29.0/vllm"
RAY = "https://github.com/ray-project/ray/blob/ray-2.60.0/python/ray"
RAY_LLM = f"{RAY}/llm/_internal/serve"
KUBERAY = "https://github.com/ray-project/kuberay/blob/v1.7.0"
NIXL_WORKER = f"{VLLM}/distributed/kv_transfer/kv_connector/v1/nixl/base_worker.py"
NIXL_METADATA = f"{VLLM}/distributed/kv_transfer/kv_connector/v1/nixl/metadata.py"
NIXL_USAGE = "https://docs.vllm.ai/en/stable/features/nixl_connector_usage/"
NIXL_LIBFABRIC = "https://github.com/ai-dynamo/nixl/blob/main/src/plugins/libfabric/README.md"
EFA_TYPES = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html#efa-instance-types"
EKS_EFA = "https://docs.aws.amazon.com/eks/latest/userguide/device-management-efa.html"
KUBERAY_VALIDATION = f"{KUBERAY}/ray-operator/controllers/ray/utils/validation.go"
RAYSERVICE_DOCS = "https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/rayservice.html"


def vllm(number: int) -> str:
    """A thread of vLLM's tracker."""
    return f"https://github.com/vllm-project/vllm/issues/{number}"


def ray(number: int) -> str:
    """A thread of Ray's tracker."""
    return f"https://github.com/ray-project/ray/issues/{number}"


def kuberay(number: int) -> str:
    """A thread of KubeRay's tracker."""
    return f"https://github.com/ray-project/kuberay/issues/{number}"

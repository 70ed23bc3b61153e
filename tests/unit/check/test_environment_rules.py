"""TD7 and TD8: environment variables, security and privacy."""

import pytest

from tests.unit.check.cases import Case, hold
from tests.unit.check.examples import manifest, serve, spec, workload


def env(*pairs: str, where: str = "WC") -> str:
    """An overlay with environment variables NAME=value."""
    entries = [f"{{name: {pair.split('=', 1)[0]}, value: '{pair.split('=', 1)[1]}'}}" for pair in pairs]
    return f"{where}|env: [{', '.join(entries)}]"


UCX = "PX|backends: [UCX]\nDX|backends: [UCX]"
TWO_MODELS = "A|args: {llm_configs: [{model_loading_config: {model_id: a}}, {model_loading_config: {model_id: b}}]}"
LOCALHOST = "spec.template.spec.containers.0.env: [{name: VLLM_NIXL_SIDE_CHANNEL_HOST, value: 127.0.0.1}]"
SECRET = "WC|env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}]"

CASES = [
    Case(
        "TD701",
        manifest(env("VLLM_NIXL_SIDE_CHANNEL_HOST=localhost")),
        manifest(env("VLLM_NIXL_SIDE_CHANNEL_HOST=10.0.0.7")),
        mends=True,
    ),
    Case("TD701", workload(LOCALHOST), workload()),
    Case("TD702", manifest(env("VLLM_NIXL_SIDE_CHANNEL_PORT=5600")), workload(), mends=True),
    Case("TD703", manifest(env("NCCL_SOCKET_IFNAME=eth0")), manifest(env("NCCL_SOCKET_IFNAME=^lo,docker")), mends=True),
    Case(
        "TD704",
        manifest(env("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")),
        manifest(
            env("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
            "PE|enable_cumem_allocator: true\nDE|enable_cumem_allocator: true",
        ),
    ),
    Case("TD705", manifest(env("UCX_TLS=tcp"), UCX), manifest(env("UCX_TLS=tcp,cuda_copy"), UCX)),
    Case("TD705", manifest(env("UCX_TLS=tcp,cuda_copy")), manifest(env("UCX_TLS=^shm"), UCX)),
    Case("TD706", manifest(env("VLLM_NIXL_SIDE_CHANEL_PORT=1")), manifest(env("VLLM_CPU_KVCACHE_SPACE=1")), mends=True),
    Case("TD707", manifest(env("VLLM_USE_V1=0")), manifest(env("VLLM_USE_V1=1")), mends=True),
    Case("TD708", manifest(env("A=1", "A=2")), manifest(env("A=1", "B=2"))),
    Case(
        "TD709",
        manifest(env("RAY_SERVE_ENABLE_HA_PROXY=1")),
        manifest(env("RAY_SERVE_ENABLE_HA_PROXY=1") + "\n" + env("RAY_SERVE_ENABLE_HA_PROXY=1", where="HC")),
    ),
    Case(
        "TD710",
        manifest(env("RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING=1"), "A|args.ingress_deployment_config: {num_replicas: 1}"),
        manifest(env("RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING=1")),
    ),
    Case("TD710", manifest(env("RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING=1"), TWO_MODELS), manifest("", TWO_MODELS)),
    Case(
        "TD711",
        manifest(env("NVIDIA_VISIBLE_DEVICES=void")),
        manifest(env("NVIDIA_VISIBLE_DEVICES=void", where="HC")),
        mends=True,
    ),
    Case("TD801", manifest("WC|securityContext: {privileged: true}"), manifest()),
    Case("TD801", spec("target.eks.privileged: true"), spec("target.eks.privileged: false")),
    Case("TD802", manifest(env("HF_TOKEN=abcdefghijk")), manifest(SECRET)),
    Case(
        "TD802",
        serve("P|runtime_env: {env_vars: {AWS_SECRET_ACCESS_KEY: verysecretvalue}}"),
        serve("P|runtime_env: {env_vars: {HF_TOKEN_PATH: /run/token}}"),
    ),
    Case("TD802", serve("PE|hf_token: abcdefghijk"), serve("PE|hf_token: true")),
    Case("TD803", serve("PE|trust_remote_code: true"), serve("PE|trust_remote_code: true\nPE|code_revision: 0123abc")),
    Case(
        "TD804",
        manifest("spec.serveService: {spec: {type: LoadBalancer}}"),
        manifest("spec.serveService: {spec: {type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8]}}"),
    ),
    Case("TD804", manifest("H|serviceType: NodePort"), manifest("H|serviceType: ClusterIP")),
    Case("TD805", spec("target: {local: {host: 0.0.0.0}}"), spec("target: {local: {host: 127.0.0.1}}")),
    Case("TD806", serve("PE|enable_log_requests: true"), serve("PE|enable_log_requests: false"), mends=True),
    Case("TD807", serve("PE|allowed_local_media_path: /"), serve("PE|allowed_local_media_path: /srv/media")),
    Case("TD808", manifest("WP|hostIPC: true"), manifest("WP|hostIPC: false")),
    Case("TD809", manifest(env("VLLM_SERVER_DEV_MODE=1")), manifest(env("VLLM_SERVER_DEV_MODE=0")), mends=True),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{index}" for index, case in enumerate(CASES)])
def test_environment_rule(case: Case) -> None:
    hold(case)

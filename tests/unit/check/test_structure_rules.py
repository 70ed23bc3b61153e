"""TD0: what Ray, vLLM and Kubernetes refuse or drop."""

import pytest

from tests.unit.check.cases import Case, hold
from tests.unit.check.examples import manifest, serve, spec

CASES = [
    Case(
        "TD001",
        serve("P|modle_loading_config: {model_id: qwen3-8b}\nP|model_loading_config: null"),
        serve(),
        mends=True,
    ),
    Case("TD001", serve("P|max_num_seqs: 8"), serve("PE|max_num_seqs: 8"), mends=True),
    Case(
        "TD001", serve("P|deployment_config.no_such_option_at_all: 1"), serve("P|deployment_config.user_config: {a: 1}")
    ),
    Case("TD002", serve("A|import_path: null"), serve()),
    Case("TD002", serve("P|model_loading_config: null"), serve("P|model_loading_config.model_source: null")),
    Case("TD002", serve("A|args: null"), serve()),
    Case("TD003", serve("P|deployment_config.num_replicas: -1"), serve("P|deployment_config.num_replicas: '2'")),
    Case(
        "TD003",
        serve("P|deployment_config.health_check_period_s: 0"),
        serve("P|deployment_config.health_check_period_s: 5"),
    ),
    Case("TD003", serve("P|engine_kwargs: [a]"), serve()),
    Case("TD004", serve("PE|max_modle_len: 4096\nPE|max_model_len: null"), serve("PE|max_model_len: 4096"), mends=True),
    Case("TD004", spec("engine.tensor_paralel_size: 2"), spec("engine.tensor_parallel_size: 2"), mends=True),
    Case("TD004", serve("PE|accelerator_type: H100"), serve("P|accelerator_type: H100"), mends=True),
    Case(
        "TD004",
        serve("PE|max_modle_len: 1"),
        manifest("C|rayVersion: 2.52.0\nHC|image: rayproject/ray-llm:2.52.0-py311-cu128", "PE|device: auto"),
    ),
    Case("TD005", serve("PE|gpu_memory_utilization: 1.5"), serve("PE|gpu_memory_utilization: 1.0")),
    Case("TD005", serve("PE|dtype: bf16"), serve("PE|dtype: float16")),
    Case("TD005", spec("engine.max_num_seqs: 0"), spec("engine.max_num_seqs: '4'")),
    Case("TD005", serve("PE|max_model_len: 0"), serve("PE|max_model_len: -1")),
    Case("TD006", serve("A|route_prefx: /x\nA|route_prefix: null"), serve("A|runtime_env: {}"), mends=True),
    Case("TD006", serve("nonsense: 1"), serve("http_options: {port: 8001}")),
    Case(
        "TD007",
        serve("A|deployments: []\napplications.1: {name: chat, route_prefix: /b, import_path: 'a:b'}"),
        serve("applications.1: {name: other, route_prefix: /b, import_path: 'a:b'}"),
    ),
    Case("TD008", serve("A|host: 127.0.0.1"), serve("http_options: {host: 127.0.0.1}"), mends=True),
    Case("TD009", serve("PE|model: Qwen/Qwen3-8B"), serve(), mends=True),
    Case(
        "TD010",
        serve("P|deployment_config: {num_replicas: 2, autoscaling_config: {min_replicas: 1, max_replicas: 2}}"),
        serve("P|deployment_config: {num_replicas: auto, autoscaling_config: {min_replicas: 1, max_replicas: 2}}"),
        mends=True,
    ),
    Case(
        "TD011",
        serve("P|deployment_config.placement_group_strategy: PACK"),
        serve("P|placement_group_config: {bundles: [{GPU: 1}], strategy: PACK}"),
    ),
    Case(
        "TD012",
        serve("PE|disable_log_stats: true"),
        serve("PE|disable_log_stats: true\nP|log_engine_metrics: false"),
        mends=True,
    ),
    Case("TD013", serve("P|accelerator_type: H1000"), serve("P|accelerator_type: H100")),
    Case(
        "TD013",
        serve("P|accelerator_type: L4\nP|placement_group_config: {bundles: [{CPU: 1}]}"),
        serve("P|accelerator_type: L4\nP|placement_group_config: {bundles: [{CPU: 1, GPU: 1}]}"),
    ),
    Case(
        "TD014",
        serve("P|placement_group_config: {strategy: PACK}"),
        serve("P|placement_group_config: {bundle_per_worker: {GPU: 1}}"),
    ),
    Case(
        "TD014",
        serve("P|placement_group_config: {bundles: [{GPU: 1}], strategy: TIGHT}"),
        serve("P|placement_group_config: {bundles: [{GPU: 1}], strategy: SPREAD}"),
    ),
    Case(
        "TD015",
        serve("P|experimental_configs: {num_router_replicas: 2}"),
        serve("P|experimental_configs: {num_ingress_replicas: 2}"),
        mends=True,
    ),
    Case("TD016", serve("A|import_path: ray.serve.llm:build_pd_opnai_app"), serve(), mends=True),
    Case("TD016", serve("A|import_path: nonsense"), serve("A|import_path: tandem.serving:build_app")),
    Case("TD017", serve("A|route_prefix: chat/"), serve("A|route_prefix: /chat"), mends=True),
    Case("TD018", serve("PT|kv_conector: x"), serve("PT|kv_ip: 127.0.0.1")),
    Case("TD018", serve("PT|kv_rolle: kv_producer\nPT|kv_role: null"), serve(), mends=True),
    Case("TD019", serve("PT|kv_role: producer"), serve()),
    Case("TD019", serve("PT|kv_load_failure_policy: ignore"), serve()),
    Case("TD020", spec("slo: {ttft_ms: -1}"), spec("slo: {ttft_ms: 100}")),
    Case("TD020", spec("prefil: {replicas: 1}"), spec()),
    Case("TD021", manifest("spec.serveConfigV2: {applications: []}"), manifest()),
    Case("TD021", manifest("spec.serveConfigV2: 'a: [1'"), manifest()),
    Case("TD022", manifest("spec.rayClusterConfg: {}"), manifest()),
    Case("TD022", manifest("W|groupname: x\nW|groupName: null"), manifest(), mends=True),
    Case("TD023", manifest("W|rayStartParams: {num-gpus: 1}"), manifest(), mends=True),
    Case("TD023", manifest("WC|env: [{name: A, value: 1}]"), manifest("WC|env: [{name: A, value: '1'}]"), mends=True),
    Case(
        "TD024",
        serve("P|deployment_config: {autoscaling_config: {min_replicas: 2}}"),
        serve("P|deployment_config: {autoscaling_config: {min_replicas: 2, max_replicas: 2}}"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{index}" for index, case in enumerate(CASES)])
def test_structure_rule(case: Case) -> None:
    hold(case)

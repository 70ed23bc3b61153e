"""No false alarm on a healthy file of each kind."""

import pytest

from tandem.check.run import check_text
from tests.unit.check.examples import manifest, serve, spec, workload

POOL = """\
applications:
  - name: llms
    import_path: ray.serve.llm:build_openai_app
    route_prefix: "/"
    args:
      llm_configs:
        - model_loading_config: { model_id: qwen2.5-7b, model_source: Qwen/Qwen2.5-7B-Instruct }
          accelerator_type: L4
          engine_kwargs: { max_model_len: 8192, tensor_parallel_size: 1, enable_auto_tool_choice: true }
          deployment_config:
            autoscaling_config: { min_replicas: 1, max_replicas: 4, target_ongoing_requests: 64 }
            max_ongoing_requests: 128
"""
CPU = serve(
    """
P|placement_group_config: {bundles: [{CPU: 1}]}
D|placement_group_config: {bundles: [{CPU: 1}]}
PT|kv_buffer_device: cpu
DT|kv_buffer_device: cpu
PX|backends: [UCX]
DX|backends: [UCX]
PE|enforce_eager: true
DE|enforce_eager: true
"""
)
LOCAL = "model: { source: embedded:smollm2-135m }\n"
HEALTHY = {
    "serve": serve(),
    "spec": spec(),
    "manifest": manifest(),
    "workload": workload(),
    "pool": POOL,
    "cpu": CPU,
    "local": LOCAL,
    "empty-spec": "{}\n",
}


@pytest.mark.parametrize("kind", sorted(HEALTHY))
def test_a_healthy_file_gives_no_finding(kind: str) -> None:
    assert check_text(HEALTHY[kind], kind).findings == ()


def test_what_could_not_be_checked_is_said() -> None:
    image = "rayproject/ray-llm:2.52.0-py311-cu128"
    older = f"C|rayVersion: 2.52.0\nHC|image: {image}\nWC|image: {image}"
    report = check_text(manifest(older, "PE|device: auto"), "old.yaml")
    assert report.findings == ()
    assert "2.52.0" in report.notes[0] and "were not checked" in report.notes[0]
    assert "--node" in check_text(serve(), "serve.yaml").notes[0]

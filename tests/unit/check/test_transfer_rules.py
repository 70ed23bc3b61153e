"""TD1: the transfer of the KV cache."""

import pytest

from tests.unit.check.cases import Case, hold
from tests.unit.check.examples import serve, spec, workload

MISPLACED = """
PE|kv_transfer_config: null
P|kv_transfer_config: {kv_connector: NixlConnector, kv_role: kv_producer, kv_load_failure_policy: fail}
"""
NO_KV = "P|engine_kwargs.kv_transfer_config: null"
KSERVE = """
apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata: {name: chat}
spec:
  prefill: {template: {containers: [{name: main, args: [--max-model-len, "4096"]}]}}
"""

CASES = [
    Case("TD101", serve(MISPLACED), serve(), mends=True),
    Case("TD102", serve("PT|kv_role: kv_both"), serve(), mends=True),
    Case("TD103", serve("DT|kv_role: kv_producer"), serve(), mends=True),
    Case("TD104", serve("PT|kv_role: null"), serve(), mends=True),
    Case("TD105", serve("PT|engine_id: prefill"), serve(), mends=True),
    Case("TD106", serve("DT|kv_load_failure_policy: null"), serve(), mends=True),
    Case("TD107", serve("DT|kv_load_failure_policy: null\nDX|kv_load_failure_policy: fail"), serve(), mends=True),
    Case("TD108", serve("DT|kv_load_failure_policy: recompute"), serve(), mends=True),
    Case("TD109", serve("DX|backends: null\nDT|backends: [LIBFABRIC]"), serve(), mends=True),
    Case("TD109", serve("PT|kv_lease_duration: 60\nPX|kv_lease_duration: null"), serve(), mends=True),
    Case(
        "TD110",
        serve("PX|backends: [libfabric]\nDX|backends: [libfabric]"),
        serve("PX|backends: [UCX]\nDX|backends: [UCX]"),
        mends=True,
    ),
    Case("TD110", serve("PX|backends: [POSIX]"), serve("PX|backends: [POSIX, LIBFABRIC]")),
    Case("TD110", serve("PX|backends: LIBFABRIC"), serve(), mends=True),
    Case("TD111", serve("PT|kv_connector: NixlConector"), serve("PT|kv_connector_module_path: my.module"), mends=True),
    Case("TD112", serve(NO_KV), serve(), mends=True),
    Case("TD113", serve("PT|kv_connector: null"), serve(), mends=True),
    Case("TD114", serve("PT|kv_buffer_device: gpu"), serve("PT|kv_buffer_device: cpu\nDT|kv_buffer_device: cpu")),
    Case(
        "TD114",
        serve("P|placement_group_config: {bundles: [{CPU: 1}]}\nPT|kv_buffer_device: cuda"),
        serve("P|placement_group_config: {bundles: [{CPU: 1}]}\nPT|kv_buffer_device: cpu"),
        mends=True,
    ),
    Case(
        "TD115",
        serve("PX|kv_lease_duration: 5\nDX|kv_lease_duration: 5"),
        serve("PX|kv_lease_duration: 30\nDX|kv_lease_duration: 30"),
        mends=True,
    ),
    Case("TD115", spec("transfer.lease_seconds: 10"), spec("transfer.lease_seconds: 60"), mends=True),
    Case("TD116", serve("DX|kv_lease_duration: 300"), serve(), mends=True),
    Case("TD117", serve("PX|num_threads: 8"), serve("PX|num_threads: 8\nPX|backends: [UCX]"), mends=True),
    Case(
        "TD118",
        serve("PX|bidirectional_kv_xfer: true"),
        serve("PX|bidirectional_kv_xfer: true\nDX|bidirectional_kv_xfer: true"),
    ),
    Case(
        "TD118",
        serve("PT|kv_connector: NixlPushConnector\nPX|bidirectional_kv_xfer: true\nDX|bidirectional_kv_xfer: true"),
        serve("PT|kv_connector: NixlPushConnector"),
    ),
    Case("TD119", serve("DX|enforce_handshake_compat: false"), serve("DX|enforce_handshake_compat: true"), mends=True),
    Case("TD120", serve("PT|kv_port: 14579"), serve(), mends=True),
    Case(
        "TD121",
        serve("PT|kv_connector: MultiConnector"),
        serve("PT|kv_connector: MultiConnector\nPX|connectors: [{kv_connector: NixlConnector, kv_role: kv_producer}]"),
    ),
    Case("TD122", serve("PE|kv_offloading_size: 4"), serve(), mends=True),
    Case("TD122", spec("engine.kv_offloading_size: 4"), spec(), mends=True),
    Case("TD123", workload("spec.template.spec.containers.0.env: []"), workload()),
    Case("TD124", KSERVE, KSERVE.replace('"4096"', '"4096", --kv-transfer-config, x')),
    Case("TD125", serve("PX|backnds: [LIBFABRIC]\nPX|backends: null"), serve("PX|engine_ttl: 60"), mends=True),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{index}" for index, case in enumerate(CASES)])
def test_transfer_rule(case: Case) -> None:
    hold(case)

"""The Ray Serve config of a spec. The goldens lie in `golden/`; UPDATE_GOLDENS=1 rewrites them and fails."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tandem.render.serve_config import IMPORT_PATH, local_engines, serve_config
from tandem.spec.models import Spec

_GOLDEN = Path(__file__).parent / "golden"
_CORES = {"prefill": ["0"], "decode": ["1"], "pool": ["0-1"]}


def _spec(**sections: Any) -> Spec:
    return Spec.model_validate(sections)


def _args(spec: Spec) -> dict[str, Any]:
    config = serve_config(spec, "/models/folder", {})
    [application] = config["applications"]
    args: dict[str, Any] = application["args"]
    return args


def _local_text(spec: Spec) -> str:
    cores = {phase: _CORES[phase] * p.replicas.max for phase, p in spec.phases().items()}
    config = serve_config(spec, "/models/folder", local_engines(spec, cores, "float32"))
    return json.dumps(config, indent=2) + "\n"


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("default", _spec()),
        ("pool", _spec(pool={"replicas": 2}, engine={"max_model_len": 4096})),
        (
            "two-phases",
            _spec(
                model={"source": "/models/folder", "id": "chat", "tokenizer": "/models/tokenizer"},
                engine={"max_model_len": 8192},
                prefill={"replicas": {"min": 1, "max": 3}, "engine": {"max_num_batched_tokens": 4096}},
                decode={"replicas": 2},
                transfer={"backend": "libfabric", "lease_seconds": 20},
                target={"local": {"kv_cache": "2GiB"}},
            ),
        ),
    ],
)
def test_the_whole_document(name: str, spec: Spec) -> None:
    text, golden = _local_text(spec), _GOLDEN / f"{name}.json"
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{golden.name} was written: look at the difference and run again without UPDATE_GOLDENS")
    assert text == golden.read_text(encoding="utf-8")


def test_the_same_spec_gives_the_same_bytes() -> None:
    sections = {"engine": {"seed": 1, "dtype": "bfloat16"}, "prefill": {"engine": {"seed": 2}}}
    assert _local_text(_spec(**sections)) == _local_text(_spec(**copy.deepcopy(sections)))


def test_rendering_changes_nothing_it_was_given() -> None:
    spec = _spec(engine={"kv_transfer_config": {"kv_connector_extra_config": {"num_threads": 2}}})
    engines = local_engines(spec, _CORES, "float32")
    before = copy.deepcopy((spec.model_dump(), engines))
    serve_config(spec, "folder", engines)
    assert (spec.model_dump(), engines) == before


def test_the_application_is_ours_and_serves_the_root() -> None:
    [application] = serve_config(_spec(), "folder", {})["applications"]
    assert (application["import_path"], application["route_prefix"]) == (IMPORT_PATH, "/")
    assert IMPORT_PATH == "tandem.serving:build_app"


@pytest.mark.parametrize(
    ("sections", "phases"),
    [({}, {"prefill_config", "decode_config"}), ({"pool": {}}, {"pool_config"})],
)
def test_each_phase_has_its_config(sections: dict[str, Any], phases: set[str]) -> None:
    args = _args(_spec(**sections))
    assert {key for key in args if key.endswith("_config")} - {"ingress_deployment_config"} == phases


def test_kv_transfer_config_stands_inside_engine_kwargs() -> None:
    """Beside engine_kwargs, Ray refuses it: «Extra inputs are not permitted»."""
    for phase in ("prefill_config", "decode_config"):
        config = _args(_spec())[phase]
        assert "kv_transfer_config" not in config
        assert config["engine_kwargs"]["kv_transfer_config"]["kv_connector_extra_config"] == {
            "backends": ["UCX"],
            "kv_lease_duration": 60,
        }


def test_what_build_app_decides_is_not_rendered() -> None:
    transfer = _args(_spec())["prefill_config"]["engine_kwargs"]["kv_transfer_config"]
    assert not {"kv_connector", "kv_role", "engine_id", "kv_load_failure_policy"} & transfer.keys()


def test_a_pool_transfers_nothing() -> None:
    assert "kv_transfer_config" not in _args(_spec(pool={}))["pool_config"]["engine_kwargs"]


@pytest.mark.parametrize(("backend", "plugin"), [("ucx", "UCX"), ("libfabric", "LIBFABRIC")])
def test_the_backend_is_nixls_plugin(backend: str, plugin: str) -> None:
    transfer = _args(_spec(transfer={"backend": backend}))["decode_config"]["engine_kwargs"]["kv_transfer_config"]
    assert transfer["kv_connector_extra_config"]["backends"] == [plugin]


@pytest.mark.parametrize(
    ("sections", "device"),
    [
        ({}, "cpu"),
        ({"transfer": {"buffer_device": "cuda"}}, "cuda"),
        ({"target": {"kubernetes": {}}}, None),
        ({"target": {"kubernetes": {}}, "transfer": {"buffer_device": "cpu"}}, "cpu"),
    ],
)
def test_the_buffer_lies_on_the_cpu_only_on_this_machine(sections: dict[str, Any], device: str | None) -> None:
    transfer = _args(_spec(**sections))["prefill_config"]["engine_kwargs"]["kv_transfer_config"]
    assert transfer.get("kv_buffer_device") == device


def test_the_users_own_transfer_settings_win() -> None:
    given = {"kv_buffer_size": 5, "kv_connector_extra_config": {"backends": ["GDS"], "num_threads": 2}}
    transfer = _args(_spec(engine={"kv_transfer_config": given}))["decode_config"]["engine_kwargs"][
        "kv_transfer_config"
    ]
    assert transfer["kv_buffer_size"] == 5
    assert transfer["kv_connector_extra_config"] == {"backends": ["GDS"], "kv_lease_duration": 60, "num_threads": 2}


def test_a_phase_overrides_common_arguments_and_the_targets() -> None:
    spec = _spec(engine={"dtype": "bfloat16", "seed": 1}, decode={"engine": {"seed": 2, "enforce_eager": False}})
    args = serve_config(spec, "folder", local_engines(spec, _CORES, "float32"))["applications"][0]["args"]
    prefill, decode = (args[f"{phase}_config"]["engine_kwargs"] for phase in ("prefill", "decode"))
    assert (prefill["dtype"], prefill["seed"], prefill["enforce_eager"]) == ("bfloat16", 1, True)
    assert (decode["dtype"], decode["seed"], decode["enforce_eager"]) == ("bfloat16", 2, False)


def test_replicas_are_a_number_or_an_autoscaling_range() -> None:
    args = _args(_spec(prefill={"replicas": {"min": 1, "max": 4}}, decode={"replicas": 2}))
    prefill, decode = args["prefill_config"]["deployment_config"], args["decode_config"]["deployment_config"]
    assert prefill["autoscaling_config"] == {"min_replicas": 1, "max_replicas": 4}
    assert "num_replicas" not in prefill
    assert decode["num_replicas"] == 2
    assert "autoscaling_config" not in decode


def test_each_engine_gets_its_cores_and_its_cache() -> None:
    spec = _spec(prefill={"replicas": 2}, target={"local": {"kv_cache": "1.5GiB"}})
    engines = local_engines(spec, {"prefill": ["0", "1"], "decode": ["2,3"]}, "float32")
    assert engines["prefill"]["runtime_env"]["env_vars"] == {"TANDEM_CORES": "0|1", "VLLM_CPU_KVCACHE_SPACE": "2"}
    assert engines["decode"]["runtime_env"]["env_vars"] == {"TANDEM_CORES": "2,3", "VLLM_CPU_KVCACHE_SPACE": "2"}

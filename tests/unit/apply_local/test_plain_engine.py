"""The reference engine: its command line, and that nothing of it stays."""

import json
import os
import time
from pathlib import Path

import psutil
import pytest

from tandem.apply.local.environ import plain_environment
from tandem.apply.local.plain_engine import EngineSpec, command_line, engine_spec, plain_engine
from tandem.apply.local.run import ProcessId, Run, RunState
from tandem.core.errors import TandemError
from tandem.facts.engine_args import names

# In the place of the serving environment's Python: an engine with a child that ignores the polite request to end.
_STUBBORN = "#!/bin/sh\ntrap '' TERM\nsh -c 'trap \"\" TERM; while :; do sleep 0.1; done' &\necho $! > child\nwait\n"
_FAILING = "#!/bin/sh\necho loading\necho 'RuntimeError: no room' >&2\nexit 3\n"


def test_the_service_s_engine_arguments_become_vllm_s_flags() -> None:
    arguments = {
        "dtype": "float32",
        "max_model_len": 1024,
        "enforce_eager": True,
        "enable_prefix_caching": False,
        "load_format": None,
        "allowed_origins": ["a", "b"],
        "hf_overrides": {"rope_theta": 1},
    }
    assert set(arguments) <= names()
    assert command_line(_spec(arguments)) == [
        *("--model", "/models/tiny", "--served-model-name", "tiny"),
        *("--dtype", "float32", "--max-model-len", "1024", "--enforce-eager", "--no-enable-prefix-caching"),
        *("--allowed-origins", "a", "b", "--hf-overrides", '{"rope_theta": 1}'),
    ]


@pytest.mark.parametrize("phase", ["decode_config", "pool_config"])
def test_the_engine_is_read_from_what_serve_got(tmp_path: Path, phase: str) -> None:
    engine = {
        "model_loading_config": {"model_id": "tiny", "model_source": "/models/tiny", "tokenizer_source": "/t"},
        "engine_kwargs": {"dtype": "float32", "kv_transfer_config": {"kv_role": "kv_consumer"}},
        "runtime_env": {"env_vars": {"VLLM_CPU_KVCACHE_SPACE": "1"}},
    }
    (tmp_path / "serve.json").write_text(json.dumps({"applications": [{"args": {phase: engine}}]}))
    assert engine_spec(_run_in(tmp_path)) == EngineSpec(
        "/models/tiny", "tiny", "/t", {"dtype": "float32"}, {"VLLM_CPU_KVCACHE_SPACE": "1"}
    )


def test_the_environment_is_the_service_s_without_ray() -> None:
    given = {"PATH": "/bin", "RAY_ADDRESS": "x", "PYTHONPATH": "/y"}
    found = plain_environment(given, {"VLLM_CPU_KVCACHE_SPACE": "1", "TANDEM_CORES": "0"})
    assert found["PATH"] == "/bin"
    assert found["VLLM_CPU_KVCACHE_SPACE"] == "1"
    assert found["HF_HUB_OFFLINE"] == "1"
    assert not {"RAY_ADDRESS", "PYTHONPATH", "TANDEM_CORES"} & found.keys()


def test_the_engine_and_its_children_end_with_the_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tandem.apply.local.plain_engine._PATIENCE_SECONDS", 0.3)
    with pytest.raises(KeyboardInterrupt), plain_engine(_spec({}), _python(tmp_path, _STUBBORN), tmp_path / "log") as e:
        child = _wait_for_child(tmp_path)
        assert os.getsid(child) == e.process.pid != os.getsid(0)
        assert not e.ready()
        raise KeyboardInterrupt
    assert not psutil.pid_exists(e.process.pid)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_an_engine_that_ends_is_told_with_its_last_words(tmp_path: Path) -> None:
    with plain_engine(_spec({}), _python(tmp_path, _FAILING), tmp_path / "log") as engine:
        engine.process.wait()
        with pytest.raises(TandemError, match="no room") as caught:
            engine.ready()
    assert caught.value.log == tmp_path / "log"


def _spec(arguments: dict[str, object]) -> EngineSpec:
    return EngineSpec("/models/tiny", "tiny", None, arguments, {})


def _run_in(folder: Path) -> Run:
    state = RunState(
        run_id="1",
        started=0.0,
        starter=ProcessId(1, 0),
        supervisor=None,
        endpoint="http://127.0.0.1:1/v1",
        model="tiny",
        backend="ucx",
        over="shm",
        ray_folder="/nowhere",
    )
    return Run(folder, state)


def _python(folder: Path, script: str) -> Path:
    python = folder / "python"
    python.write_text(script)
    python.chmod(0o755)
    return python


def _wait_for_child(folder: Path) -> int:
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline:
        text = (folder / "child").read_text() if (folder / "child").exists() else ""
        if text.strip():
            return int(text)
        time.sleep(0.01)
    raise AssertionError("the child did not start")

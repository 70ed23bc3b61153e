"""The first real error in the logs of a start that failed.

The log lines have the shape that vLLM's formatter and process prefix, Ray's workers and Serve's replicas give them.
"""

import os
from pathlib import Path

import pytest

from tandem.apply.local.cause import advice, root_cause

_CYAN, _RESET = "\x1b[0;36m", "\x1b[0;0m"
_PORT = "OSError: [Errno 98] Address already in use"


def _engine_core(error: str, prefix: str = "(EngineCore_DP0 pid=4242) ") -> str:
    """What vLLM's engine process writes: every line of the traceback with level, time, file and process."""
    told = "ERROR 11-30 21:51:40 [core.py:1374] "
    lines = [
        "EngineCore failed to start.",
        "Traceback (most recent call last):",
        '  File "/site-packages/vllm/v1/engine/core.py", line 1365, in run_engine_core',
        "    engine_core = EngineCoreProc(*args, **kwargs)",
        error,
    ]
    head = f"{prefix}INFO 11-30 21:51:38 [core.py:105] Initializing a V1 LLM engine with config: dtype=float32\n"
    return head + "".join(f"{prefix}{told}{line}\n" for line in lines)


_TOO_LONG = "larger than the maximum number of tokens that can be stored in KV cache"
_FRONT_END = """\
Traceback (most recent call last):
  File "/site-packages/vllm/v1/engine/utils.py", line 1092, in wait_for_engine_startup
    raise RuntimeError(
RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': 1}
"""
_REPLICA = """\
ERROR 2026-11-30 21:51:41,007 tandem_Decode:smollm2-135m x1y2z3 -- Exception during initialization
Traceback (most recent call last):
  File "/site-packages/ray/serve/_private/replica.py", line 1201, in initialize
ray.exceptions.RayTaskError(ValueError): \x1b[36mray::ServeReplica.initialize()\x1b[39m (pid=99, ip=127.0.0.1)
vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace for the root cause.
ValueError: the tokenizer of this model is missing
"""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "serve").mkdir()
    return tmp_path


def _write(logs: Path, name: str, text: str, changed: int = 0) -> None:
    (logs / name).write_text(text, encoding="utf-8")
    os.utime(logs / name, (changed, changed))


def test_no_logs_tell_nothing(logs: Path) -> None:
    assert root_cause([logs, logs / "none"]) is None


def test_a_log_without_an_error_tells_nothing(logs: Path) -> None:
    text = "INFO 11-30 21:51:38 [core.py:1] no Error: here\nUserWarning: ValueError is fine\n"
    _write(logs, "worker-aa-01000000-1.err", text)
    assert root_cause([logs]) is None


@pytest.mark.parametrize("prefix", ["(EngineCore_DP0 pid=4242) ", f"{_CYAN}(EngineCore_DP0 pid=4242){_RESET} ", ""])
def test_the_engines_error_is_found_under_its_prefix_and_colours(logs: Path, prefix: str) -> None:
    _write(logs, "worker-aa-01000000-1.err", _engine_core(_PORT, prefix) + _FRONT_END)
    assert root_cause([logs]) == _PORT


def test_the_root_is_chosen_over_its_echoes(logs: Path) -> None:
    dead = "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.\n"
    _write(logs, "worker-aa-01000000-1.err", dead + _FRONT_END, changed=1)
    _write(logs, "worker-bb-01000000-2.err", _engine_core(_PORT), changed=2)
    assert root_cause([logs]) == _PORT


def test_echoes_alone_are_no_cause(logs: Path) -> None:
    echoes = [
        "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.",
        "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.",
        "asyncio.exceptions.CancelledError: stopped",
        "concurrent.futures._base.TimeoutError: late",
    ]
    _write(logs, "worker-aa-01000000-1.err", "\n".join(echoes) + "\n" + _FRONT_END)
    assert root_cause([logs]) is None


def test_a_replicas_log_is_read_when_no_worker_tells(logs: Path) -> None:
    _write(logs, "serve/replica_tandem_Decode_x1y2z3.log", _REPLICA)
    _write(logs, "worker-aa-01000000-1.err", "nothing to see\n")
    assert root_cause([logs]) == "ValueError: the tokenizer of this model is missing"


def test_a_workers_error_goes_before_a_replicas(logs: Path) -> None:
    _write(logs, "serve/replica_tandem_Decode_x1y2z3.log", _REPLICA, changed=1)
    _write(logs, "worker-aa-01000000-1.err", _engine_core(_PORT), changed=2)
    assert root_cause([logs]) == _PORT


def test_of_two_workers_the_one_that_fell_silent_first_is_asked(logs: Path) -> None:
    _write(logs, "worker-aa-01000000-1.err", _engine_core("ValueError: second"), changed=20)
    _write(logs, "worker-bb-01000000-2.err", _engine_core("ValueError: first"), changed=10)
    assert root_cause([logs]) == "ValueError: first"


def test_the_runs_own_logs_are_read_too(logs: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    _write(run, "launch.log", "Traceback (most recent call last):\nModuleNotFoundError: No module named 'ray'\n")
    assert root_cause([logs, run]) == "ModuleNotFoundError: No module named 'ray'"


@pytest.mark.parametrize(
    "error",
    [
        "torch.OutOfMemoryError: CUDA out of memory.",
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for LLMConfig",
        "nixl._bindings.nixlBackendError: NIXL_ERR_BACKEND",
        "KeyError: 'model.layers.0.weight'",
        "Exception: something",
    ],
)
def test_errors_of_any_module_are_recognised(logs: Path, error: str) -> None:
    _write(logs, "worker-aa-01000000-1.err", f"Traceback (most recent call last):\n{error}\n")
    assert root_cause([logs]) == error


def test_a_very_long_error_is_cut(logs: Path) -> None:
    _write(logs, "worker-aa-01000000-1.err", "ValueError: " + "x" * 10_000 + "\n")
    assert len(root_cause([logs]) or "") == 400


def test_bytes_that_are_no_text_do_not_hide_it(logs: Path) -> None:
    (logs / "worker-aa-01000000-1.err").write_bytes(b"\xff\xfe\n" + _PORT.encode() + b"\n")
    assert root_cause([logs]) == _PORT


@pytest.mark.parametrize(
    ("cause", "word"),
    [
        (_PORT, "tandem down"),
        ("ValueError: No available memory for the cache blocks.", "target.local.kv_cache"),
        ("RuntimeError: [enforce fail] Cannot allocate memory", "fewer engines"),
        (f"ValueError: max seq len (8192) is {_TOO_LONG} (4096).", "engine.max_model_len"),
    ],
)
def test_a_known_cause_has_advice(cause: str, word: str) -> None:
    assert word in advice(cause)


def test_an_unknown_cause_has_none() -> None:
    assert advice("ValueError: something new") == ""

"""`status`, `down` and `chat` where no service runs, and `up` with a file that cannot be served."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.unit.cli.conftest import Cli


def test_status_says_down_and_ends_with_one(cli: Cli) -> None:
    outcome = cli("status")
    assert (outcome.code, outcome.out.split()) == (1, ["down"])


def test_status_as_json(cli: Cli) -> None:
    outcome = cli("status", "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out) == {"ready": False, "state": "down", "phases": {}, "transfer": {}}


def test_down_has_nothing_to_do(cli: Cli) -> None:
    outcome = cli("down")
    assert (outcome.code, outcome.out) == (0, "nothing is up\n")


def test_down_as_json(cli: Cli) -> None:
    outcome = cli("down", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out) == {"was_up": False, "killed": [], "left": {}}


def test_chat_says_how_to_start_one(cli: Cli) -> None:
    outcome = cli("chat", "Hello?")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "tandem: nothing is up\n  `tandem up` starts a service, or give --url.\n"


def test_up_names_every_problem_of_the_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("model: {sorce: x}\nengine:\n  max_model_length: 1\n", encoding="utf-8")
    outcome = cli("up", str(file))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines() == [
        f"tandem: {file} has 2 problems",
        f"  {file}:1: model.sorce: unknown key 'sorce'. Allowed: id, source, tokenizer. Did you mean 'source'?",
        f"  {file}:3: engine.max_model_length: unknown key 'max_model_length'. Allowed: vLLM's engine arguments."
        " Did you mean 'max_model_len'?",
    ]


def test_up_refuses_another_target(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("target: {kubernetes: {}}\n", encoding="utf-8")
    outcome = cli("up", str(file))
    assert outcome.code == 2
    assert "'kubernetes'" in outcome.err


@pytest.mark.parametrize(
    "text",
    [None, "modle: {}\n", "model: {source: /no/such/folder}\ntarget: {local: {port: PORT}}\n"],
    ids=["no file", "a typo", "no model"],
)
def test_an_up_that_is_refused_leaves_no_process_and_no_run(tmp_path: Path, text: str | None) -> None:
    file, place = tmp_path / "spec.yaml", tmp_path / "home"
    if text is not None:
        file.write_text(text.replace("PORT", str(_free_port())), encoding="utf-8")
    command = [sys.executable, "-c", "from tandem.cli.main import main; main()", "up", str(file), "--json"]
    environ = {**os.environ, "TANDEM_HOME": str(place), "TANDEM_CACHE": str(tmp_path / "cache")}
    up = subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    out, err = up.communicate(timeout=60)
    assert (up.returncode, out) == (2, ""), err
    assert [pid for pid in psutil.pids() if _session(pid) == up.pid] == []
    assert not (place / "current").exists()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None

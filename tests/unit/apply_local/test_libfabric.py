"""The folder of libraries for NIXL's LIBFABRIC plugin, and the stub of the CUDA driver."""

import subprocess
import sys
from pathlib import Path

import pytest

from tandem.apply.local.libfabric import (
    LIBCUDA,
    compile_stub,
    find_driver,
    libfabric_environment,
    usable_interfaces,
)
from tandem.core.errors import InputError, TandemError

SITE = "lib/python3.11/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12"


@pytest.fixture
def serving_env(tmp_path: Path) -> Path:
    """The places of a serving environment that libraries are taken from."""
    root = tmp_path / "serving" / "abc"
    for place in ("lib/mpich/libfabric.so.1", "lib/libhwloc.so.15", SITE):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(place)
    return root


def test_all_libraries_are_in_one_folder_before_what_was_on_the_path(tmp_path: Path, serving_env: Path) -> None:
    said: list[str] = []
    variables = _environment(tmp_path, serving_env, {"LD_LIBRARY_PATH": "/own"}, said)
    folder, own = variables.pop("LD_LIBRARY_PATH").split(":")
    assert own == "/own"
    assert variables == {"FI_PROVIDER": "tcp"}
    assert sorted(entry.name for entry in Path(folder).iterdir()) == [
        LIBCUDA,
        "libcudart.so.12",
        "libfabric.so.1",
        "libhwloc.so.15",
    ]
    assert (Path(folder) / "libcudart.so.12").read_text() == SITE
    assert len(said) == 1 and "stub" in said[0]


def test_the_second_call_makes_nothing(tmp_path: Path, serving_env: Path) -> None:
    said: list[str] = []
    first = _environment(tmp_path, serving_env, {}, said)
    assert _environment(tmp_path, serving_env, {}, said) == first
    assert len(said) == 1


def test_a_folder_that_lost_a_library_is_made_anew(tmp_path: Path, serving_env: Path) -> None:
    folder = Path(_environment(tmp_path, serving_env, {}, [])["LD_LIBRARY_PATH"])
    (folder / LIBCUDA).unlink()
    _environment(tmp_path, serving_env, {}, [])
    assert (folder / LIBCUDA).is_file()


def test_a_real_driver_is_taken_instead_of_the_stub(tmp_path: Path, serving_env: Path) -> None:
    driver = tmp_path / "driver" / LIBCUDA
    driver.parent.mkdir()
    driver.write_text("the real one")
    said: list[str] = []
    variables = libfabric_environment(
        tmp_path, serving_env, said.append, environ={}, driver=lambda _: driver, interfaces=lambda: ["eth0"]
    )
    assert (Path(variables["LD_LIBRARY_PATH"]) / LIBCUDA).read_text() == "the real one"
    assert said == []


def test_a_driver_on_the_library_path_is_found(tmp_path: Path) -> None:
    (tmp_path / LIBCUDA).write_text("")
    found = find_driver({"LD_LIBRARY_PATH": f"/nowhere:{tmp_path}"})
    assert found is not None and found.name == LIBCUDA


def test_the_stub_says_that_there_is_no_device(tmp_path: Path) -> None:
    library = tmp_path / LIBCUDA
    compile_stub(library)
    script = (
        "import ctypes, sys; stub = ctypes.CDLL(sys.argv[1]); "
        "print(stub.cuInit(0), stub.cuCtxSetCurrent(None), stub.cuDeviceGetPCIBusId(None, 0, 0), "
        "stub.cuPointerGetAttributes(0, None, None, ctypes.c_ulonglong(0)))"
    )
    shown = subprocess.run([sys.executable, "-c", script, str(library)], check=True, capture_output=True, text=True)
    assert shown.stdout == "100 100 100 100\n"


def test_without_a_compiler_the_fix_is_told_and_nothing_is_left(
    tmp_path: Path, serving_env: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="cc is not found") as failure:
        _environment(tmp_path, serving_env, {}, [])
    assert "apt-get install gcc" in failure.value.fix
    assert not [entry for entry in (tmp_path / "libfabric").iterdir() if entry.is_dir()]


def test_a_failing_compiler_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho 'cannot find crti.o' >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TandemError, match=r"cannot find crti\.o"):
        compile_stub(tmp_path / LIBCUDA)


def test_a_library_missing_in_the_environment_is_named(tmp_path: Path, serving_env: Path) -> None:
    (serving_env / "lib/libhwloc.so.15").unlink()
    with pytest.raises(TandemError, match=r"libhwloc\.so\.15 is missing") as failure:
        _environment(tmp_path, serving_env, {}, [])
    assert failure.value.fix.endswith(f"rm -r {serving_env}")


def test_loopback_alone_is_refused(tmp_path: Path, serving_env: Path) -> None:
    with pytest.raises(InputError, match="only loopback is up") as failure:
        libfabric_environment(tmp_path, serving_env, print, environ={}, driver=lambda _: None, interfaces=list)
    assert "ucx" in failure.value.fix


def test_loopback_is_no_usable_interface() -> None:
    assert "lo" not in usable_interfaces()


def _environment(cache: Path, serving_env: Path, environ: dict[str, str], said: list[str]) -> dict[str, str]:
    """On a machine without a driver, with a network."""
    return libfabric_environment(
        cache, serving_env, said.append, environ=environ, driver=lambda _: None, interfaces=lambda: ["eth0"]
    )

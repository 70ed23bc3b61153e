"""What NIXL's LIBFABRIC plugin needs on a machine without EFA: its libraries in one folder, and libfabric over TCP.

libfabric itself, the CUDA runtime and hwloc come out of wheels of the serving environment. Debian 12's libfabric
(1.17) is too old for the plugin. The CUDA driver is the machine's own, or a stub where it has none.

The plugin opens libfabric's tcp provider on a network interface. The provider leaves loopback out: with
FI_TCP_IFACE=lo, or with no other interface up, NIXL 1.3.2 ends with "fi_enable failed: Bad file descriptor". So with
this backend each engine listens on the machine's first network address, not on 127.0.0.1.
"""

import hashlib
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from tandem.apply.local.cache import Say, built_in_place_of, exclusive, remove_drafts
from tandem.core.errors import InputError, TandemError

LIBCUDA = "libcuda.so.1"

STUB_SOURCE = Path(__file__).with_name("libcuda_stub.c")

# Library to its place in the serving environment; the wheel that puts it there is named in locks/serving.in.
_FROM_WHEELS = {
    "libfabric.so.1": "lib/mpich/libfabric.so.1",
    "libhwloc.so.15": "lib/libhwloc.so.15",
    "libcudart.so.12": "lib/python3*/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12",
}

# Where drivers are put without being told to the loader: containers of the NVIDIA runtime, and WSL.
_DRIVER_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu")

FindDriver = Callable[[Mapping[str, str]], Path | None]

_LOOPBACK_FLAG = "loopback"
_IP_FAMILIES = (socket.AF_INET, socket.AF_INET6)


def find_driver(environ: Mapping[str, str]) -> Path | None:
    """The machine's own libcuda.so.1: on LD_LIBRARY_PATH, known to the loader, or in a usual folder."""
    folders = [*environ.get("LD_LIBRARY_PATH", "").split(":"), *_DRIVER_FOLDERS]
    candidates = [*_known_to_the_loader(LIBCUDA), *(Path(folder) / LIBCUDA for folder in folders if folder)]
    return next((path for path in candidates if path.is_file()), None)


def usable_interfaces() -> list[str]:
    """Network interfaces that are up, have an IP address, and are not loopback."""
    states = psutil.net_if_stats()
    addresses = psutil.net_if_addrs()
    up = [name for name, state in states.items() if state.isup and _LOOPBACK_FLAG not in state.flags.split(",")]
    return [name for name in up if any(address.family in _IP_FAMILIES for address in addresses.get(name, ()))]


def libfabric_environment(
    cache: Path,
    serving_env: Path,
    say: Say,
    *,
    environ: Mapping[str, str] = os.environ,
    driver: FindDriver = find_driver,
    interfaces: Callable[[], Sequence[str]] = usable_interfaces,
) -> dict[str, str]:
    """Variables under which a process of the environment `serving_env` (its root folder) can load the plugin.

    The first call makes a folder of links in the cache and, where there is no driver, compiles the stub.

    Raises:
        InputError: there is no network interface but loopback, or the stub is needed and no C compiler is there.
        TandemError: a library is missing in the environment, or the compiler failed.
    """
    _refuse_loopback_only(interfaces())
    wanted = {name: _from_wheel(serving_env.absolute(), name) for name in _FROM_WHEELS}
    if found := driver(environ):
        wanted[LIBCUDA] = found
    folder = cache / "libfabric" / _key(wanted)
    if not _usable(folder):
        with exclusive(folder.with_suffix(".lock"), say, "Another tandem is preparing libfabric: waiting for it"):
            if not _usable(folder):
                _fill(folder, wanted, say)
    path = ":".join(part for part in (str(folder.absolute()), environ.get("LD_LIBRARY_PATH", "")) if part)
    return {"LD_LIBRARY_PATH": path, "FI_PROVIDER": "tcp"}


def compile_stub(out: Path) -> None:
    """Compiles libcuda_stub.c to the shared library `out`.

    Raises:
        InputError: there is no C compiler.
        TandemError: it failed.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise InputError(
            "transfer.backend libfabric needs a C compiler on a machine without an NVIDIA driver, and cc is not found",
            fix="Install one (apt-get install gcc libc6-dev, or dnf install gcc), or use transfer.backend: ucx.",
        )
    command = [compiler, "-shared", "-fPIC", "-O1", f"-Wl,-soname,{LIBCUDA}", "-o", str(out), str(STUB_SOURCE)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        fix = "Mend the C compiler (a C library with headers is needed), or use transfer.backend: ucx."
        raise TandemError(f"`{' '.join(command)}` ended with {done.returncode}.\n{done.stderr.strip()}", fix=fix)


def _refuse_loopback_only(interfaces: Sequence[str]) -> None:
    if not interfaces:
        raise InputError(
            "transfer.backend libfabric needs a network interface, and only loopback is up on this machine",
            fix="Use transfer.backend: ucx, which needs none, or bring an interface up.",
        )


def _known_to_the_loader(name: str) -> list[Path]:
    """Paths of `name` in the loader's cache; ldconfig is in sbin, which is not on every user's PATH."""
    ldconfig = shutil.which("ldconfig", path=f"{os.defpath}:/sbin:/usr/sbin")
    if ldconfig is None:
        return []
    shown = subprocess.run([ldconfig, "-p"], check=False, capture_output=True, text=True).stdout
    return [Path(path) for path in re.findall(rf"^\s*{re.escape(name)} \(.*x86-64.*\) => (\S+)", shown, re.MULTILINE)]


def _from_wheel(serving_env: Path, name: str) -> Path:
    found = next(iter(sorted(serving_env.glob(_FROM_WHEELS[name]))), None)
    if found is None:
        fix = f"Remove the environment, it is built anew at the next start: rm -r {serving_env}"
        raise TandemError(f"{name} is missing in the serving environment ({_FROM_WHEELS[name]})", fix=fix)
    return found


def _key(wanted: Mapping[str, Path]) -> str:
    """Names the folder after everything that it is made from."""
    digest = hashlib.sha256(STUB_SOURCE.read_bytes())
    digest.update(repr(sorted((name, str(path)) for name, path in wanted.items())).encode())
    return digest.hexdigest()[:12]


def _usable(folder: Path) -> bool:
    """True when every library is there; a link to a removed one does not count."""
    return all((folder / name).is_file() for name in (*_FROM_WHEELS, LIBCUDA))


def _fill(folder: Path, wanted: Mapping[str, Path], say: Say) -> None:
    remove_drafts(folder)
    if folder.exists():
        shutil.rmtree(folder)
    with built_in_place_of(folder) as draft:
        for name, path in wanted.items():
            (draft / name).symlink_to(path)
        if LIBCUDA not in wanted:
            say("Compiling a stub of the CUDA driver, because this machine has none")
            compile_stub(draft / LIBCUDA)

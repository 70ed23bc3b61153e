"""The serving environment: Ray, vLLM, NIXL and torch in a virtual environment of their own, built once per lock."""

import hashlib
import platform
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tandem.apply.local.cache import Say, exclusive
from tandem.apply.local.installation import Installation, run_installations
from tandem.apply.local.installers import package_commands, torch_commands
from tandem.core.errors import InputError, TandemError

PYTHON = (3, 11)
"""The Python that the lock is made for and tested with; scripts/lock.sh names it too."""

SPACE_NEEDED_BYTES = 4 * 2**30
"""The environment takes 3.0 GiB (measured), and the torch wheel of 0.2 GiB lies beside it while pip unpacks it."""

_MARKER = "complete"


@dataclass(frozen=True)
class Lock:
    """The two lock files of a serving environment."""

    packages: Path
    """Every package but torch, each with its hashes."""
    torch: Path
    """torch alone: see the comment in the file."""

    def digest(self) -> str:
        """sha256 (hex) of both files, the Python version and the machine: what an environment depends on."""
        digest = hashlib.sha256()
        for part in (self.packages.read_bytes(), self.torch.read_bytes(), platform.machine().encode()):
            digest.update(hashlib.sha256(part).digest())
        digest.update(repr(sys.version_info[:3]).encode())
        return digest.hexdigest()


SERVING_LOCK = Lock(
    packages=Path(__file__).with_name("locks") / "serving.txt", torch=Path(__file__).with_name("locks") / "torch.txt"
)


def serving_python(cache: Path, say: Say, *, lock: Lock = SERVING_LOCK) -> Path:
    """The interpreter of the serving environment, which is built first where it is missing (seconds to minutes).

    Raises:
        InputError: this machine cannot have it (platform, Python version, disk space).
        TandemError: an installer failed; the message has the end of its log.
    """
    digest = lock.digest()
    environment = cache / "serving" / digest[:12]
    if not _complete(environment, digest):
        _refuse_unfit_machine(cache)
        waiting = "Another tandem is building the serving environment: waiting for it"
        with exclusive(environment.with_suffix(".lock"), say, waiting) as held:
            if not _complete(environment, digest):
                _build(environment, lock, say, held)
                _write_marker(environment, digest)
    return _python(environment)


def _python(environment: Path) -> Path:
    return environment / "bin" / "python"


def _complete(environment: Path, digest: str) -> bool:
    """True when the build ran to its end and the interpreter it links to is still there."""
    marker = environment / _MARKER
    return marker.is_file() and marker.read_text() == digest and _python(environment).exists()


def _write_marker(environment: Path, digest: str) -> None:
    draft = environment / f".{_MARKER}"
    draft.write_text(digest)
    draft.rename(environment / _MARKER)


def _refuse_unfit_machine(cache: Path) -> None:
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise InputError(
            f"the local target needs Linux on x86_64; this is {sys.platform} on {platform.machine()}",
            fix="The CPU builds of vLLM and NIXL exist for that platform only. `check`, `plan` and `render` work here.",
        )
    if sys.version_info[:2] != PYTHON:
        found, wanted = (".".join(map(str, version)) for version in (sys.version_info[:2], PYTHON))
        raise InputError(
            f"the local target needs Python {wanted}; this is Python {found}",
            fix=f"Install tandem-llm[local] with Python {wanted}: the serving packages are locked for it.",
        )
    free = shutil.disk_usage(_existing(cache)).free
    if free < SPACE_NEEDED_BYTES:
        raise InputError(
            f"{cache} has {free / 2**30:.1f} GiB free; the serving environment needs {SPACE_NEEDED_BYTES / 2**30:.0f}",
            fix="Free some space, or set TANDEM_CACHE to a folder on another disk.",
        )


def _existing(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_dir())


def _build(environment: Path, lock: Lock, say: Say, held: int) -> None:
    if environment.exists():
        say(f"Removing a serving environment that was not finished: {environment}")
        shutil.rmtree(environment)
    say(f"Building the serving environment in {environment} (3.2 GB, once; a minute or a few)")
    _create(environment, held)
    python = _python(environment)
    logs = environment.parent
    jobs = [
        Installation("packages", package_commands(python, lock.packages), logs / f"{environment.name}-packages.log"),
        Installation("torch", torch_commands(python, lock.torch), logs / f"{environment.name}-torch.log"),
    ]
    started = time.monotonic()
    run_installations(jobs, say, held)
    say(f"The serving environment is ready ({time.monotonic() - started:.0f} s)")


def _create(environment: Path, held: int) -> None:
    command = [sys.executable, "-m", "venv", str(environment)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, pass_fds=[held])
    if done.returncode != 0:
        message = f"{' '.join(command)} ended with {done.returncode}.\n{done.stdout}{done.stderr}".rstrip()
        raise TandemError(message, fix="Debian and Ubuntu keep venv in a package of its own: python3.11-venv.")

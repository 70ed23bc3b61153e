"""The installers of the serving environment: which command, and what its failure means."""

import importlib.util
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tandem.core.errors import TandemError

TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""PyTorch's own index of CPU wheels (https://pytorch.org/get-started/locally/)."""

Command = list[str]

_LOG_TAIL_LINES = 15

# How uv 0.13 and pip 23.2 name a package whose file does not have a locked hash, or has none locked.
_HASH_FAILURES = (
    re.compile(r"Hash mismatch for `(?P<package>[^`]+)`"),
    re.compile(r"DO NOT MATCH THE HASHES.*?\n\s+(?P<package>[\w.-]+\S*)(?: from|:|\n)", re.DOTALL),
    re.compile(r"all requirements must have a hash[^:]*provided for: (?P<package>\S+)"),
    re.compile(r"Hashes are required in --require-hashes mode.*?\n\s+(?P<package>[\w.-]+==\S+) ", re.DOTALL),
)


def package_commands(python: Path, lock: Path) -> list[Command]:
    """Installs every package of the hashed `lock` into the environment of `python`: uv, or pip where uv is missing."""
    flags = ["--no-deps", "--require-hashes", "--requirement", str(lock)]
    if uv := _uv():
        return [[*uv, "pip", "install", "--python", str(python), *flags]]
    return [[*_pip(python), *flags]]


def torch_commands(python: Path, requirement: Path) -> list[Command]:
    """Ways to install torch, to be tried in this order: where pip looks anyway, then PyTorch's CPU index."""
    flags = ["--no-deps", "--requirement", str(requirement)]
    return [[*_pip(python), *flags], [*_pip(python), *flags, "--index-url", TORCH_CPU_INDEX]]


def installer_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` with what pip is told by variable told to uv too, unless uv has its own setting.

    uv reads none of pip's variables: https://docs.astral.sh/uv/pip/compatibility/
    """
    told = dict(environ)
    if links := environ.get("PIP_FIND_LINKS", "").split():
        told.setdefault("UV_FIND_LINKS", ",".join(links))
    if index := environ.get("PIP_INDEX_URL"):
        told.setdefault("UV_DEFAULT_INDEX", index)
    return told


def installer_failure(what: str, command: Sequence[str], status: int, log: Path) -> TandemError:
    """The error for an installer that ended with `status`, told from the end of its log."""
    text = log.read_text(errors="replace")
    tail = "\n".join(text.rstrip().splitlines()[-_LOG_TAIL_LINES:])
    if package := _package_with_wrong_hash(text):
        message = f"{package}: the file that was found does not have the hash of the lock file.\n{tail}"
        return TandemError(message, fix=_hash_fix(command), log=log)
    message = f"installing {what} failed: `{' '.join(command)}` ended with {status}.\n{tail}"
    return TandemError(message, fix="Check the network and the package index, then run the command again.", log=log)


def _uv() -> Command | None:
    if importlib.util.find_spec("uv"):
        return [sys.executable, "-m", "uv"]
    found = shutil.which("uv")
    return [found] if found else None


def _pip(python: Path) -> Command:
    # Without bytecode, as uv does it: Python compiles at the first import what is used, far less than all of torch.
    return [str(python), "-m", "pip", "install", "--no-compile", "--disable-pip-version-check", "--no-input"]


def _package_with_wrong_hash(log: str) -> str | None:
    for pattern in _HASH_FAILURES:
        if match := pattern.search(log):
            return match["package"].rstrip(":")
    return None


def _hash_fix(command: Sequence[str]) -> str:
    clean = "uv cache clean" if "uv" in command else "pip cache purge"
    return (
        f"Nothing of it was kept. Run `{clean}` and try again; if it repeats, the package index serves another file "
        "than the lock was made from: do not install it, use another index (PIP_INDEX_URL)."
    )

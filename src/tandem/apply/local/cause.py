"""Why an engine did not start: the first real error in the logs, not «taken more than 30 s»."""

import re
from collections.abc import Iterator
from pathlib import Path

# The last line of a Python traceback, with or without vLLM's log prefix in front of it.
_ERROR = re.compile(
    r"^(?:\([^)]*\) )?(?:ERROR [^\]]*\] )?(?:\S+: )?"
    r"(?P<error>(?:[A-Za-z_][\w.]*(?:Error|Exception|Refused)|Exception): .+)$"
)
_GOES_ON = re.compile(r"\d+ validation errors? for \w+$")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Errors that only say that another process has failed.
_SECOND_HAND = (
    "EngineDeadError",
    "Engine core initialization failed",
    "RayTaskError",
    "RayActorError",
    "RuntimeError: Traceback",
    "ActorDiedError",
    "concurrent.futures",
    "CancelledError",
)
_KNOWN = {
    "Address already in use": "Another process holds the port. `tandem down` ends what an earlier run left.",
    "No available memory for the cache blocks": "Raise target.local.kv_cache or lower engine.max_model_len.",
    "larger than the maximum number of tokens that can be stored in KV cache": (
        "Raise target.local.kv_cache or lower engine.max_model_len."
    ),
    "Cannot allocate memory": "Lower target.local.kv_cache, or use fewer engines.",
    "Unsupported CPU attention configuration": "vLLM's CPU kernels do not serve this head size.",
}


def root_cause(log_folders: list[Path]) -> str | None:
    """The first error in any worker log that is not the echo of another, in the order of the files' last change."""
    for log in _logs(log_folders):
        for error in _errors(log):
            return error
    return None


def advice(cause: str) -> str:
    """What to do about a known cause, or an empty string."""
    return next((fix for text, fix in _KNOWN.items() if text in cause), "")


def _logs(folders: list[Path]) -> list[Path]:
    names = ("worker-*.err", "worker-*.out", "serve/replica_*.log", "launch.log", "supervisor.log")
    found = [path for folder in folders for name in names for path in folder.glob(name)]
    return sorted(found, key=lambda path: (names.index(_pattern(path, names)), path.stat().st_mtime))


def _pattern(path: Path, names: tuple[str, ...]) -> str:
    return next(name for name in names if path.match(name))


def _errors(log: Path) -> Iterator[str]:
    with log.open(encoding="utf-8", errors="replace") as text:
        lines = iter(text)
        for line in lines:
            match = _ERROR.match(_COLOUR.sub("", line).strip())
            if match and not any(echo in match["error"] for echo in _SECOND_HAND):
                yield _whole(match["error"], lines)[:400]


def _whole(error: str, rest: Iterator[str]) -> str:
    """The error with its next line where it goes on: pydantic names the field only there."""
    more = next(rest, "").strip() if _GOES_ON.search(error) else ""
    return f"{error}: {more}" if more else error

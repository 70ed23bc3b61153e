"""A run: the folder of one service, and what is known of its processes."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from tandem.apply.local.paths import Home


@dataclass(frozen=True)
class ProcessId:
    """A process that can be told from a later one with the same pid.

    `created` counts clock ticks from boot: a time of day would change whenever the machine's clock is set.
    """

    pid: int
    created: int

    @classmethod
    def of(cls, pid: int) -> Self:
        """The process that has this pid now. Raises ProcessLookupError when none has."""
        stat = _stat(pid)
        if stat is None:
            raise ProcessLookupError(f"there is no process {pid}")
        return cls(pid, stat.created)

    def alive(self) -> bool:
        """True while this very process runs; a zombie does not."""
        stat = _stat(self.pid)
        return stat is not None and stat.created == self.created and stat.state != "Z"

    def replaced(self) -> bool:
        """True when another process has the pid now."""
        stat = _stat(self.pid)
        return stat is not None and stat.created != self.created


@dataclass(frozen=True, kw_only=True)
class RunState:
    """What `state.json` in the run folder says."""

    run_id: str
    started: float
    starter: ProcessId
    supervisor: ProcessId | None
    endpoint: str
    model: str
    backend: str
    over: str
    ray_folder: str
    ready_after: float | None = None

    @property
    def ray_temp(self) -> Path:
        """Ray's own folder, which it opens to everybody; `ray_folder` around it is closed."""
        return Path(self.ray_folder) / "ray"

    @property
    def ray_logs(self) -> Path:
        """Logs of Ray, Serve and the engines while the run is up."""
        return self.ray_temp / "session_latest" / "logs"


@dataclass(frozen=True)
class Run:
    """A run folder and its state."""

    folder: Path
    state: RunState

    def with_state(self, **changes: Any) -> "Run":
        """Writes the changed state, whole or not at all."""
        run = Run(self.folder, replace(self.state, **changes))
        run.write()
        return run

    def write(self) -> None:
        """Writes `state.json` atomically."""
        draft = self.folder / "state.json.part"
        draft.write_text(json.dumps(asdict(self.state), indent=2), encoding="utf-8")
        draft.rename(self.folder / "state.json")


def new_run(home: Home, **facts: Any) -> Run:
    """Makes the folder of a new run and links it as the current one."""
    started = time.time()
    run_id = time.strftime("%Y%m%d-%H%M%S", time.localtime(started)) + f"-{os.getpid()}"
    folder = home.runs / run_id
    folder.mkdir(parents=True, mode=0o700)
    starter = ProcessId.of(os.getpid())
    run = Run(folder, RunState(run_id=run_id, started=started, starter=starter, supervisor=None, **facts))
    run.write()
    link = home.root / f"current.{os.getpid()}"
    link.symlink_to(folder)
    link.rename(home.current)
    return run


def current_run(home: Home) -> Run | None:
    """The run that is up or was last; None when there is none, or its service was taken down."""
    try:
        data = json.loads((home.current / "state.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    for key in ("starter", "supervisor"):
        data[key] = ProcessId(**data[key]) if data[key] else None
    known = {name: data[name] for name in RunState.__dataclass_fields__ if name in data}
    return Run(home.current.resolve(), RunState(**known))


class _Stat(NamedTuple):
    state: str
    created: int


def _stat(pid: int) -> _Stat | None:
    """Fields 3 and 22 of /proc/PID/stat: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    after_name = text.rpartition(")")[2].split()
    return _Stat(after_name[0], int(after_name[19]))


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Holds the home's lock, so that two commands do not register or take down at once."""
    home.root.mkdir(parents=True, exist_ok=True)
    with home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

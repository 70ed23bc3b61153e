"""Takes a run down to the last process, port and shared-memory file, and proves it."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tandem.apply.local.paths import Home
from tandem.apply.local.processes import end_processes, listening_ports, run_processes
from tandem.apply.local.run import Run
from tandem.apply.local.shared_memory import files_of, mapped_by_any
from tandem.core.errors import TandemError

_PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Leftovers:
    """What is still there after a takedown. Empty is the only good value."""

    processes: list[int]
    ports: list[int]
    shared_memory: list[str]

    def __bool__(self) -> bool:
        return bool(self.processes or self.ports or self.shared_memory)


def take_down(home: Home, run: Run, say: Callable[[str], None], patience: float = _PATIENCE_SECONDS) -> list[int]:
    """Ends the run and removes its files outside the run folder; the logs are kept in the run folder.

    Returns:
        Pids that did not end when asked and were killed.

    Raises:
        TandemError: something is left that could not be removed.
    """
    say("ending the service")
    killed = end_processes(run.state, patience)
    _remove_shared_memory(run)
    _keep_logs(run)
    left = leftovers(run)
    if left:
        raise TandemError(f"not all of the service could be removed: {left}", fix="End the processes by hand.")
    home.current.unlink(missing_ok=True)
    return killed


def leftovers(run: Run) -> Leftovers:
    """What of the run still exists on this machine."""
    return Leftovers(
        processes=[process.pid for process in run_processes(run.state)],
        ports=listening_ports(run.state),
        shared_memory=[str(path) for path in _shared_memory_files(run)],
    )


def _remove_shared_memory(run: Run) -> None:
    for path in _shared_memory_files(run):
        path.unlink(missing_ok=True)


def _shared_memory_files(run: Run) -> list[Path]:
    """The files that processes of the run mapped, unless a process of somebody else maps them too."""
    try:
        noted = {int(line) for line in (run.folder / "shm.txt").read_text(encoding="utf-8").split()}
    except FileNotFoundError:
        return []
    return files_of(noted - mapped_by_any())


def _keep_logs(run: Run) -> None:
    """Moves Ray's logs into the run folder and removes the rest of its session folder."""
    logs = run.state.ray_logs
    kept = run.folder / "ray-logs"
    if logs.exists() and not kept.exists():
        shutil.copytree(logs, kept, symlinks=True, ignore_dangling_symlinks=True, ignore=_not_files)
    shutil.rmtree(run.state.ray_folder, ignore_errors=True)


def _not_files(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not (Path(folder) / name).is_file() and not (Path(folder) / name).is_dir()]

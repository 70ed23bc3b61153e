"""Taking a run down, and the proof that nothing is left."""

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tandem.apply.local import down
from tandem.apply.local.down import Leftovers, leftovers, take_down
from tandem.apply.local.paths import Home
from tandem.apply.local.run import ProcessId, Run
from tandem.apply.local.shared_memory import FOLDER
from tandem.core.errors import TandemError
from tests.unit.apply_local.conftest import State
from tests.unit.conftest import Session, until

_MAP = (
    "import mmap,sys; f=open(sys.argv[1],'r+b'); m=mmap.mmap(f.fileno(),0); print('ready',flush=True); sys.stdin.read()"
)
_NOTHING = Leftovers(processes=[], ports=[], shared_memory=[])


@pytest.fixture
def place(tmp_path: Path) -> Home:
    return Home(tmp_path / "state")


@pytest.fixture
def run(place: Home, state: State) -> Run:
    """A registered run without processes, with Ray's folder as Ray leaves it."""
    folder = place.runs / "one"
    folder.mkdir(parents=True)
    place.current.symlink_to(folder)
    made = Run(folder, state())
    made.write()
    logs = made.state.ray_temp / "session_2030" / "logs"
    (logs / "serve").mkdir(parents=True)
    (logs / "worker-1.err").write_text("an error\n")
    (logs / "serve" / "replica.log").write_text("a replica\n")
    (logs.parents[1] / "session_latest").symlink_to(logs.parent)
    return made


@pytest.fixture
def shm() -> Iterator[Path]:
    path = FOLDER / f"tandem-test-down-{os.getpid()}"
    path.write_bytes(b"\0" * 4096)
    yield path
    path.unlink(missing_ok=True)


def _note(run: Run, *files: Path) -> None:
    (run.folder / "shm.txt").write_text("\n".join(str(file.stat().st_ino) for file in files))


def _quiet(step: str) -> None:
    assert step


def _supervised(run: Run, pid: int) -> Run:
    return Run(run.folder, replace(run.state, supervisor=ProcessId.of(pid)))


def test_a_run_whose_processes_are_gone_is_cleared_away(place: Home, run: Run, shm: Path) -> None:
    _note(run, shm)
    assert leftovers(run) == Leftovers(processes=[], ports=[], shared_memory=[str(shm)])
    assert take_down(place, run, _quiet) == []
    assert not shm.exists()
    assert not Path(run.state.ray_folder).exists()
    assert not place.current.is_symlink()
    assert leftovers(run) == _NOTHING


def test_the_logs_are_kept(place: Home, run: Run) -> None:
    logs = run.state.ray_logs
    (logs / "dangling").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(logs / "s"))
    take_down(place, run, _quiet)
    kept = run.folder / "ray-logs"
    found = sorted(str(path.relative_to(kept)) for path in kept.rglob("*"))
    assert found == ["serve", "serve/replica.log", "worker-1.err"]
    assert (kept / "worker-1.err").read_text() == "an error\n"


def test_a_takedown_that_was_cut_short_is_finished_by_the_next(place: Home, run: Run) -> None:
    logs = run.state.ray_logs
    shutil.copytree(logs, run.folder / "ray-logs")  # it was killed before it removed Ray's folder
    take_down(place, run, _quiet)
    take_down(place, run, _quiet)
    assert (run.folder / "ray-logs" / "worker-1.err").exists()
    assert not Path(run.state.ray_folder).exists()


def test_live_processes_are_ended(place: Home, run: Run, session: Session) -> None:
    leader = session("echo ready; read line")
    assert leader.stdout is not None
    leader.stdout.readline()
    up = _supervised(run, leader.pid)
    assert leftovers(up).processes == [leader.pid]
    assert take_down(place, up, _quiet, patience=10.0) == []
    assert leftovers(up) == _NOTHING


def test_memory_that_somebody_else_maps_is_left_alone(place: Home, run: Run, shm: Path, session: Session) -> None:
    other = session(sys.executable, "-S", "-E", "-c", _MAP, str(shm))
    assert other.stdout is not None
    other.stdout.readline()
    _note(run, shm)
    take_down(place, run, _quiet)
    assert shm.exists()


def test_what_is_left_is_an_error_that_names_it(
    place: Home, run: Run, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    leader = session("read line")
    up = _supervised(run, leader.pid)
    until(lambda: bool(leftovers(up)))
    monkeypatch.setattr(down, "end_processes", lambda state, patience: [])
    with pytest.raises(TandemError, match=rf"could be removed: .*processes=\[{leader.pid}\]"):
        take_down(place, up, _quiet)
    assert place.current.is_symlink()  # it stays the current run, so that `tandem down` can be asked again


@pytest.mark.parametrize(
    "left",
    [
        Leftovers(processes=[1], ports=[], shared_memory=[]),
        Leftovers(processes=[], ports=[8000], shared_memory=[]),
        Leftovers(processes=[], ports=[], shared_memory=["/dev/shm/x"]),
    ],
)
def test_any_leftover_counts(left: Leftovers) -> None:
    assert left
    assert not _NOTHING

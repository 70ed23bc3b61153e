"""Run folders, and processes that are told apart from later ones with their pid."""

import json
import os
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from tandem.apply.local import run as run_module
from tandem.apply.local.paths import Home, home
from tandem.apply.local.run import ProcessId, Run, RunState, current_run, locked, new_run
from tests.unit.apply_local.conftest import State
from tests.unit.conftest import Session, until

_FACTS = {
    "endpoint": "http://127.0.0.1:8000/v1",
    "model": "smollm2-135m",
    "backend": "ucx",
    "over": "shm",
    "ray_folder": "/tmp/tandem-0-1",
}


@pytest.fixture
def place(tmp_path: Path) -> Home:
    return Home(tmp_path / "state")


def test_without_a_run_there_is_none(place: Home) -> None:
    assert current_run(place) is None
    place.root.mkdir()
    assert current_run(place) is None


def test_a_new_run_is_the_current_one(place: Home) -> None:
    run = new_run(place, **_FACTS)
    assert current_run(place) == run
    assert run.folder.parent == place.runs
    assert (run.state.starter, run.state.supervisor) == (ProcessId.of(os.getpid()), None)
    assert abs(run.state.started - time.time()) < 60


def test_nobody_else_may_look_into_its_folder(place: Home) -> None:
    assert new_run(place, **_FACTS).folder.stat().st_mode & 0o777 == 0o700


def test_the_state_is_read_as_it_was_written(place: Home) -> None:
    run = new_run(place, **_FACTS).with_state(supervisor=ProcessId(4242, 123456), ready_after=37.5)
    assert current_run(place) == run
    assert json.loads((run.folder / "state.json").read_text())["supervisor"] == {"pid": 4242, "created": 123456}


def test_the_last_run_is_the_current_one(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = new_run(place, **_FACTS)
    later = SimpleNamespace(time=lambda: time.time() + 1, strftime=time.strftime, localtime=time.localtime)
    monkeypatch.setattr(run_module, "time", later)
    second = new_run(place, **{**_FACTS, "model": "other"})
    assert current_run(place) == second
    assert first.folder.is_dir()
    assert sorted(path.name for path in place.root.iterdir()) == ["current", "runs"]


def test_a_run_whose_folder_was_removed_is_none(place: Home) -> None:
    run = new_run(place, **_FACTS)
    (run.folder / "state.json").unlink()
    run.folder.rmdir()
    assert current_run(place) is None


def test_a_state_of_a_later_version_is_read(place: Home) -> None:
    run = new_run(place, **_FACTS)
    file = run.folder / "state.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "invented_later": 1}))
    assert current_run(place) == run


def test_a_write_that_fails_leaves_the_old_state(place: Home, state: State) -> None:
    run = new_run(place, **_FACTS)
    (run.folder / "state.json.part").mkdir()
    with pytest.raises(IsADirectoryError):
        Run(run.folder, state()).write()
    assert current_run(place) == run


def test_every_fact_of_a_state_is_kept(state: State, tmp_path: Path) -> None:
    written = state(ProcessId(1, 2))
    Run(tmp_path, written).write()
    assert json.loads((tmp_path / "state.json").read_text()).keys() == RunState.__dataclass_fields__.keys()


def test_this_process_is_alive() -> None:
    here = ProcessId.of(os.getpid())
    assert here.alive()
    assert not here.replaced()


def test_created_is_in_ticks_from_boot() -> None:
    seconds = psutil.Process().create_time() - psutil.boot_time()
    assert ProcessId.of(os.getpid()).created == round(seconds * os.sysconf("SC_CLK_TCK"))


def test_a_process_that_is_gone_is_neither_alive_nor_replaced(session: Session) -> None:
    process = session("read line")
    known = ProcessId.of(process.pid)
    assert known.alive()
    process.communicate()
    assert (known.alive(), known.replaced()) == (False, False)


def test_a_zombie_is_not_alive(session: Session) -> None:
    process = session("exit 0")
    until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE)
    known = ProcessId.of(process.pid)
    assert (known.alive(), known.replaced()) == (False, False)


def test_another_process_with_the_pid_is_not_the_one() -> None:
    here = ProcessId.of(os.getpid())
    earlier = ProcessId(here.pid, here.created - 1)
    assert (earlier.alive(), earlier.replaced()) == (False, True)


def test_a_name_with_a_bracket_does_not_confuse(session: Session, tmp_path: Path) -> None:
    program = tmp_path / "a) Z 1 (b"
    program.symlink_to("/bin/sh")
    process = session(str(program), "-c", "read line")
    until(lambda: psutil.Process(process.pid).name().startswith("a) Z"))
    assert ProcessId.of(process.pid).alive()


def test_a_pid_that_nobody_has_is_refused() -> None:
    with pytest.raises(ProcessLookupError):
        ProcessId.of(2**22 + 1)  # above the highest pid of Linux: https://man7.org/linux/man-pages/man5/proc.5.html


def test_the_lock_lets_one_in_at_a_time(place: Home) -> None:
    order: list[str] = []

    def second() -> None:
        with locked(place):
            order.append("second")

    with locked(place):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(timeout=0.1)
        order.append("first")
    thread.join(timeout=5)
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TANDEM_HOME": "/disk/tandem", "XDG_STATE_HOME": "/xdg"}, "/disk/tandem"),
        ({"XDG_STATE_HOME": "/xdg"}, "/xdg/tandem"),
        ({}, "~/.local/state/tandem"),
    ],
)
def test_the_home_is_the_first_that_is_set(
    environ: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert home().root == Path(expected).expanduser()

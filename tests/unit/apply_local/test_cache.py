"""The cache folder: its place, its lock, and folders that appear whole or not at all."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tandem.apply.local.cache import built_in_place_of, cache_root, exclusive, remove_drafts


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TANDEM_CACHE": "/disk/tandem", "XDG_CACHE_HOME": "/xdg"}, "/disk/tandem"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/tandem"),
        ({"XDG_CACHE_HOME": "relative"}, "~/.cache/tandem"),
        ({"TANDEM_CACHE": ""}, "~/.cache/tandem"),
        ({}, "~/.cache/tandem"),
    ],
)
def test_cache_root_is_the_first_that_is_set(environ: dict[str, str], expected: str) -> None:
    assert cache_root(environ) == Path(expected).expanduser()


def test_a_relative_tandem_cache_is_taken_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cache_root({"TANDEM_CACHE": "cache"}) == tmp_path / "cache"


def test_the_second_waits_and_says_so(tmp_path: Path) -> None:
    path, said, order = tmp_path / "x.lock", list[str](), list[str]()
    with exclusive(path, said.append, "waiting"):
        second = threading.Thread(target=_hold, args=(path, said, order))
        second.start()
        _until(lambda: said == ["waiting"])
        order.append("first ends")
    second.join(timeout=5)
    assert order == ["first ends", "second has it"]


def _hold(path: Path, said: list[str], order: list[str]) -> None:
    with exclusive(path, said.append, "waiting"):
        order.append("second has it")


def test_nobody_waits_for_a_free_lock(tmp_path: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        with exclusive(tmp_path / "x.lock", said.append, "waiting"):
            pass
    assert said == []


_HOLDER_WITH_CHILD = """
import subprocess, sys, time
from pathlib import Path
from tandem.apply.local.cache import exclusive
with exclusive(Path(sys.argv[1]), print, "waiting") as held:
    child = subprocess.Popen(["sleep", "60"], pass_fds=[held])
    print(child.pid, flush=True)
    time.sleep(60)
"""


def test_a_child_keeps_the_lock_of_its_killed_parent(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    said: list[str] = []
    parent = subprocess.Popen([sys.executable, "-c", _HOLDER_WITH_CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    order: list[str] = []
    second = threading.Thread(target=_hold, args=(path, said, order))
    second.start()
    _until(lambda: said == ["waiting"])
    assert order == []
    os.kill(child, signal.SIGKILL)
    second.join(timeout=5)
    assert order == ["second has it"]


def test_a_built_folder_appears_whole(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "m"
    with built_in_place_of(folder) as draft:
        (draft / "a").write_text("1")
        assert not folder.exists()
    assert [entry.name for entry in folder.parent.iterdir()] == ["m"]
    assert (folder / "a").read_text() == "1"


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    with pytest.raises(ValueError, match="broken"), built_in_place_of(folder) as draft:
        (draft / "a").write_text("1")
        raise ValueError("broken")
    assert list(tmp_path.iterdir()) == []


def test_drafts_of_killed_builders_are_removed_and_other_folders_kept(tmp_path: Path) -> None:
    for name in (".m.abc", ".other.abc", "m"):
        (tmp_path / name).mkdir()
    remove_drafts(tmp_path / "m")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".other.abc", "m"]


def _until(condition: object, seconds: float = 5.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.01)

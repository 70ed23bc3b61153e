"""Shared-memory files of a process: a real file, mapped by a real child."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tandem.apply.local.shared_memory import FOLDER, files_of, mapped_by_any, mapped_inodes
from tests.unit.conftest import Session

_MAPPER = """
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    held = mmap.mmap(file.fileno(), 0)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def file() -> Iterator[Path]:
    path = FOLDER / f"tandem-test-{os.getpid()}"
    path.write_bytes(b"\0" * 4096)
    yield path
    for left in FOLDER.glob(f"{path.name}*"):
        left.unlink()


@pytest.fixture
def mapper(session: Session, file: Path) -> int:
    """Pid of a child that maps the file and holds no descriptor of it."""
    child = session(sys.executable, "-S", "-E", "-c", _MAPPER, str(file))
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child.pid


def test_a_mapped_file_is_found_by_its_inode(mapper: int, file: Path) -> None:
    inode = file.stat().st_ino
    assert mapped_inodes(mapper) == {inode}
    assert inode in mapped_by_any()
    assert files_of({inode}) == [file]


def test_a_renamed_file_is_found_under_its_new_name(mapper: int, file: Path) -> None:
    inodes = mapped_inodes(mapper)
    renamed = file.rename(file.with_name(f"{file.name}-renamed"))
    assert files_of(inodes) == [renamed]


def test_a_removed_file_has_no_name_any_more(mapper: int, file: Path) -> None:
    inodes = mapped_inodes(mapper)
    file.unlink()
    assert (mapped_inodes(mapper), files_of(inodes)) == (inodes, [])


def test_a_file_that_nobody_maps_is_not_in_use(file: Path) -> None:
    assert file.stat().st_ino not in mapped_by_any()


def test_a_link_to_a_file_elsewhere_is_not_that_file(file: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "precious"
    elsewhere.touch()
    (FOLDER / f"{file.name}-link").symlink_to(elsewhere)
    assert files_of({elsewhere.stat().st_ino}) == []


def test_a_process_that_is_gone_maps_nothing() -> None:
    assert mapped_inodes(2**22 + 1) == set()


def test_no_inodes_have_no_files() -> None:
    assert files_of([]) == []

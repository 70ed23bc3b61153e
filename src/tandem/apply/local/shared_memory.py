"""Shared-memory files by inode: sem_open maps a semaphore under a temporary name and renames it afterwards."""

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path("/dev/shm")


def mapped_inodes(pid: int) -> set[int]:
    """Inodes of the shared-memory files that a process maps; empty when it is gone or not ours to read.

    Source of the format: https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html.
    """
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    return {int(line.split()[4]) for line in lines if f" {FOLDER}/" in line}


def files_of(inodes: Iterable[int]) -> list[Path]:
    """The files that these inodes have in the folder now."""
    wanted = set(inodes)
    return sorted(path for path in FOLDER.iterdir() if _inode(path) in wanted) if wanted else []


def mapped_by_any() -> set[int]:
    """Inodes that some readable process maps now."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {inode for pid in pids for inode in mapped_inodes(pid)}


def _inode(path: Path) -> int | None:
    try:
        return path.lstat().st_ino
    except FileNotFoundError:
        return None

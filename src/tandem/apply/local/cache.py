"""The cache folder: where it is, and how two processes fill it without meeting."""

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

Say = Callable[[str], None]
"""Tells the user one line of progress."""


def cache_root(environ: Mapping[str, str]) -> Path:
    """TANDEM_CACHE, else XDG_CACHE_HOME/tandem, else ~/.cache/tandem; the folder need not exist.

    A relative XDG_CACHE_HOME is ignored, as the XDG base directory specification asks
    (https://specifications.freedesktop.org/basedir-spec/latest/).
    """
    if named := environ.get("TANDEM_CACHE"):
        return Path(named).expanduser().absolute()
    xdg = environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if Path(xdg).is_absolute() else Path.home() / ".cache") / "tandem"


@contextmanager
def exclusive(path: Path, say: Say, waiting: str) -> Iterator[int]:
    """Holds the lock file at `path`; says `waiting` once when another process holds it. Yields its file descriptor.

    The kernel drops the lock with the last copy of the descriptor. A child that gets the descriptor (`pass_fds`)
    therefore keeps the lock while it still writes, even when its parent was killed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(waiting)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


@contextmanager
def built_in_place_of(folder: Path) -> Iterator[Path]:
    """Yields an empty folder beside `folder` and renames it to `folder` on success; on failure removes it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield draft
        draft.chmod(0o755)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def remove_drafts(folder: Path) -> None:
    """Removes what killed builders of `folder` left beside it. Call it with the lock of `folder` held."""
    for draft in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(draft)

"""A bundle as a folder on disk. What a person edited there is not overwritten without their word."""

from dataclasses import dataclass
from pathlib import Path

from tandem.core.errors import InputError, StaleError
from tandem.render.bundle import MANIFEST, Bundle, edited, recorded_paths


@dataclass(frozen=True)
class Changes:
    """Paths relative to the folder, sorted."""

    written: tuple[str, ...]
    """New, or with other text than before."""
    removed: tuple[str, ...]
    """Files of the bundle that was there, which this one has not."""


def write_bundle(made: Bundle, folder: Path, *, force: bool = False) -> Changes:
    """Makes the folder hold the bundle; files that no bundle told of stay as they are.

    Args:
        force: overwrite edited files too.

    Raises:
        StaleError: files were edited since they were rendered, or were never rendered.
        InputError: the folder cannot be read or written.
    """
    try:
        there = _read(folder, [*made.files, *_recorded(folder)])
        if not force:
            _refuse_edited(made, folder, there)
        removed = tuple(sorted(set(there) - set(made.files)))
        for path in removed:
            (folder / path).unlink()
        return Changes(tuple(_write(made, folder, there)), removed)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot write {folder}: {error}", fix="Name a folder that you may write.") from error


def _refuse_edited(made: Bundle, folder: Path, there: dict[str, str]) -> None:
    if MANIFEST in there:
        try:
            changed = edited(there[MANIFEST], there)
        except ValueError:
            changed = [MANIFEST]
        known = set(recorded_paths(there[MANIFEST]))
    else:
        changed, known = [], set()
    foreign = [path for path in there if path != MANIFEST and path not in known]
    lost = sorted(path for path in {*changed, *foreign} if there[path] != made.files.get(path))
    if lost:
        message = f"{folder} has files that were edited by hand: {', '.join(lost)}"
        raise StaleError(message, fix="Render into another folder and compare, or overwrite them with --force.")


def _write(made: Bundle, folder: Path, there: dict[str, str]) -> list[str]:
    """The manifest last: a write that is broken off leaves the old one, and the next run tells the difference."""
    changed = sorted((path for path, text in made.files.items() if there.get(path) != text), key=_manifest_last)
    for path in changed:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(made.files[path], encoding="utf-8")
    return sorted(changed)


def _manifest_last(path: str) -> tuple[bool, str]:
    return path == MANIFEST, path


def _recorded(folder: Path) -> list[str]:
    """What the manifest there tells of, inside the folder only: a path that leads out of it is not ours."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return []
    root = folder.resolve()
    paths = recorded_paths(manifest.read_text(encoding="utf-8"))
    return [path for path in paths if (folder / path).resolve().is_relative_to(root)]


def _read(folder: Path, paths: list[str]) -> dict[str, str]:
    return {path: (folder / path).read_text(encoding="utf-8") for path in paths if (folder / path).is_file()}

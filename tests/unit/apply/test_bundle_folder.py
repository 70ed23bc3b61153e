"""A bundle's folder keeps what a person wrote there."""

import json
from pathlib import Path

import pytest

from tandem.apply.bundle_folder import write_bundle
from tandem.core.errors import InputError, StaleError
from tandem.render.bundle import MANIFEST, bundle

OLD = bundle({"a.yaml": "old\n", "deep/b.yaml": "same\n", "gone.yaml": "gone\n"})
NEW = bundle({"a.yaml": "new\n", "deep/b.yaml": "same\n"})


def _texts(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


def test_a_new_folder_holds_the_bundle(tmp_path: Path) -> None:
    changes = write_bundle(OLD, tmp_path / "out")
    assert _texts(tmp_path / "out") == OLD.files
    assert changes.written == tuple(sorted(OLD.files))


def test_the_same_bundle_again_writes_nothing(tmp_path: Path) -> None:
    write_bundle(OLD, tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    changes = write_bundle(OLD, tmp_path)
    assert (changes.written, changes.removed) == ((), ())
    assert times == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}


def test_another_bundle_changes_what_differs_and_removes_what_is_gone(tmp_path: Path) -> None:
    write_bundle(OLD, tmp_path)
    changes = write_bundle(NEW, tmp_path)
    assert _texts(tmp_path) == NEW.files
    assert (changes.written, changes.removed) == (("a.yaml", MANIFEST), ("gone.yaml",))


@pytest.mark.parametrize("path", ["a.yaml", "gone.yaml"])
def test_an_edited_file_is_kept_and_told(tmp_path: Path, path: str) -> None:
    write_bundle(OLD, tmp_path)
    (tmp_path / path).write_text("mine\n")
    before = _texts(tmp_path)
    with pytest.raises(StaleError, match=path) as raised:
        write_bundle(NEW, tmp_path)
    assert raised.value.exit_code == 3
    assert _texts(tmp_path) == before


def test_force_overwrites_an_edit(tmp_path: Path) -> None:
    write_bundle(OLD, tmp_path)
    (tmp_path / "a.yaml").write_text("mine\n")
    write_bundle(NEW, tmp_path, force=True)
    assert _texts(tmp_path) == NEW.files


def test_a_file_that_was_deleted_comes_back(tmp_path: Path) -> None:
    write_bundle(OLD, tmp_path)
    (tmp_path / "a.yaml").unlink()
    write_bundle(OLD, tmp_path)
    assert _texts(tmp_path) == OLD.files


def test_a_folder_with_files_of_another_origin(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine\n")
    write_bundle(OLD, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine\n"
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(StaleError, match=r"a\.yaml"):
        write_bundle(NEW, tmp_path)


def test_a_broken_manifest_is_an_edit(tmp_path: Path) -> None:
    write_bundle(OLD, tmp_path)
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(StaleError, match=MANIFEST):
        write_bundle(NEW, tmp_path)


def test_a_write_that_broke_off_goes_on(tmp_path: Path) -> None:
    """The new text stands there with the old manifest: it is what would be written, so it is no edit."""
    write_bundle(OLD, tmp_path)
    (tmp_path / "a.yaml").write_text(NEW.files["a.yaml"])
    write_bundle(NEW, tmp_path)
    assert _texts(tmp_path) == NEW.files


def test_a_manifest_cannot_name_files_outside(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside.txt", tmp_path / "out"
    outside.write_text("mine\n")
    write_bundle(OLD, folder)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["files"]["../outside.txt"] = "0" * 64
    (folder / MANIFEST).write_text(json.dumps(manifest))
    write_bundle(NEW, folder, force=True)
    assert outside.read_text() == "mine\n"


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        write_bundle(OLD, tmp_path / "out")

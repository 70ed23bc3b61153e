"""Embedded models in the cache: converted once, whole or not at all, and checked before use."""

import os
import threading
from pathlib import Path

import pytest

from tandem.apply.local.embedded import embedded_model, verify
from tandem.core.errors import InputError, TandemError
from tandem.facts.embedded_models import EMBEDDED_MODELS

NAME = "smollm2-135m"
FOLDER = EMBEDDED_MODELS[NAME].folder

# Stands where the serving environment's Python stands: takes `-m MODULE OUT_DIR NAME`, notes the call, and writes
# a folder of the same form in a tenth of a second. The real conversion is tested in tests/real.
CONVERTER = """#!/bin/sh
echo "$2 $4 $PYTHONPATH" >> {calls}
sleep 0.1
printf 'weights' > "$3/model.safetensors"
cat > "$3/tandem-model.json" <<END
{{"schema": 1, "files": {{"model.safetensors": {{
  "sha256": "$(sha256sum < "$3/model.safetensors" | cut -d' ' -f1)",
  "size": 7,
  "mtime_ns": $(date -r "$3/model.safetensors" +%s%N)
}}}}}}
END
"""


@pytest.fixture
def python(tmp_path: Path) -> Path:
    return _executable(tmp_path / "python", CONVERTER.format(calls=tmp_path / "calls"))


def test_it_is_converted_once(tmp_path: Path, python: Path) -> None:
    said: list[str] = []
    folder = embedded_model(NAME, tmp_path, python, said.append)
    assert folder == tmp_path / "models" / FOLDER
    assert (folder / "model.safetensors").read_text() == "weights"
    assert len(said) == 1 and str(folder) in said[0]

    assert embedded_model(NAME, tmp_path, python, said.append) == folder
    assert len(_calls(tmp_path)) == 1 and len(said) == 1


def test_the_converter_finds_this_package(tmp_path: Path, python: Path) -> None:
    embedded_model(NAME, tmp_path, python, _silent)
    module, name, source = _calls(tmp_path)[0].split()
    assert (Path(source) / module.replace(".", "/")).with_suffix(".py").is_file()
    assert name == NAME


def test_two_at_once_convert_once(tmp_path: Path, python: Path) -> None:
    said, folders = list[str](), list[Path]()
    threads = [
        threading.Thread(target=lambda: folders.append(embedded_model(NAME, tmp_path, python, said.append)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert folders == [tmp_path / "models" / FOLDER] * 2
    assert len(_calls(tmp_path)) == 1


def test_a_failed_conversion_leaves_nothing_and_tells_the_cause(tmp_path: Path) -> None:
    python = _executable(tmp_path / "python", "#!/bin/sh\necho x > $3/half\necho 'the wrong bytes' >&2\nexit 1\n")
    with pytest.raises(TandemError, match="ended with 1: the wrong bytes") as failure:
        embedded_model(NAME, tmp_path, python, _silent)
    assert failure.value.log is not None and failure.value.log.read_text() == "the wrong bytes\n"
    assert not [entry for entry in (tmp_path / "models").iterdir() if entry.is_dir()]


def test_what_a_killed_conversion_left_is_removed(tmp_path: Path, python: Path) -> None:
    left = tmp_path / "models" / f".{FOLDER}.abc"
    left.mkdir(parents=True)
    embedded_model(NAME, tmp_path, python, _silent)
    assert not left.exists()


def test_an_unknown_name_is_answered_with_the_known_ones(tmp_path: Path, python: Path) -> None:
    with pytest.raises(InputError) as failure:
        embedded_model("smollm2-135", tmp_path, python, _silent)
    [problem] = failure.value.problems
    assert problem.allowed == "embedded:smollm2-135m"
    assert problem.fix == "Write embedded:smollm2-135m."
    assert not (tmp_path / "models").exists()


class TestVerify:
    @pytest.fixture
    def folder(self, tmp_path: Path, python: Path) -> Path:
        return embedded_model(NAME, tmp_path, python, _silent)

    def test_another_size_is_told_with_file_both_sizes_and_the_folder_to_remove(self, folder: Path) -> None:
        (folder / "model.safetensors").write_text("longer weights")
        with pytest.raises(TandemError, match=r"model\.safetensors has 14 bytes, recorded 7") as failure:
            verify(folder)
        assert failure.value.fix.endswith(f"rm -r {folder}")

    def test_other_bytes_are_found_by_the_changed_time(self, folder: Path) -> None:
        recorded = (folder / "tandem-model.json").read_text()
        _rewrite(folder / "model.safetensors", "WEIGHTS", keep_time=False)
        with pytest.raises(TandemError, match=r"has sha256 [0-9a-f]{64}, recorded [0-9a-f]{64}") as failure:
            verify(folder)
        assert failure.value.message.split()[-1] in recorded

    def test_other_bytes_with_the_same_time_are_found_by_rehash(self, folder: Path) -> None:
        _rewrite(folder / "model.safetensors", "WEIGHTS", keep_time=True)
        verify(folder)
        with pytest.raises(TandemError, match="has sha256"):
            verify(folder, rehash=True)

    def test_a_copied_folder_is_as_good(self, folder: Path) -> None:
        os.utime(folder / "model.safetensors")
        verify(folder)

    def test_a_missing_file_and_a_broken_manifest_are_told(self, folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        with pytest.raises(TandemError, match=r"model\.safetensors is missing"):
            verify(folder)
        (folder / "tandem-model.json").write_text("{")
        with pytest.raises(TandemError, match=r"tandem-model\.json cannot be read"):
            verify(folder)

    def test_it_is_checked_at_each_use(self, folder: Path, tmp_path: Path, python: Path) -> None:
        (folder / "model.safetensors").write_text("")
        with pytest.raises(TandemError, match="has 0 bytes"):
            embedded_model(NAME, tmp_path, python, _silent)


def _executable(path: Path, script: str) -> Path:
    path.write_text(script)
    path.chmod(0o755)
    return path


def _calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines()


def _rewrite(file: Path, content: str, *, keep_time: bool) -> None:
    before = file.stat()
    file.write_text(content)
    times = (before.st_atime_ns, before.st_mtime_ns if keep_time else before.st_mtime_ns + 1)
    os.utime(file, ns=times)


def _silent(line: str) -> None:
    """What is said does not matter here."""

"""Embedded models: converted once into the cache, and checked before each use."""

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tandem
from tandem.apply.local.cache import Say, built_in_place_of, exclusive, remove_drafts
from tandem.core.errors import InputError, TandemError
from tandem.core.nearest import nearest
from tandem.core.problem import Problem
from tandem.facts.embedded_models import EMBEDDED_MODELS, EmbeddedModel

MANIFEST = "tandem-model.json"
"""Written by tandem.serving.embedded_model beside the files: where they came from, their sha256, size, mtime."""

CONVERTER = "tandem.serving.embedded_model"


def embedded_model(name: str, cache: Path, python: Path, say: Say, *, rehash: bool = False) -> Path:
    """The Hugging Face folder of an embedded model; `python` (of the serving environment) converts it if needed.

    Sizes are compared each time, sha256 when a file's time is not the recorded one, or always with `rehash`.

    Raises:
        InputError: no embedded model has this name.
        TandemError: the conversion failed, or a converted file was changed since.
    """
    model = _model(name)
    folder = cache / "models" / model.folder
    if not folder.is_dir():
        waiting = f"Another tandem is converting {name}: waiting for it"
        with exclusive(folder.with_suffix(".lock"), say, waiting) as held:
            if not folder.is_dir():
                _convert(model, folder, python, say, held)
    verify(folder, rehash=rehash)
    return folder


def verify(folder: Path, *, rehash: bool = False) -> None:
    """Compares the files of a converted folder with what was recorded when they were written.

    Raises:
        TandemError: a file is missing or changed. Names each one, what was recorded, what is there.
    """
    recorded = _recorded(folder)
    wrong = [told for name, file in recorded.items() if (told := _difference(folder / name, file, rehash))]
    if wrong:
        raise TandemError(f"{folder} was changed after its conversion: {'; '.join(wrong)}", fix=_removal(folder))


def _model(name: str) -> EmbeddedModel:
    if name not in EMBEDDED_MODELS:
        near = nearest(name, EMBEDDED_MODELS)
        fix = f"Write embedded:{near}." if near else "Choose one of them, or give a folder or a Hugging Face id."
        known = ", ".join(f"embedded:{known}" for known in EMBEDDED_MODELS)
        problem = Problem(path="model.source", found=f"embedded:{name}", allowed=known, fix=fix)
        raise InputError(f"no embedded model is called {name}", problems=[problem], fix=fix)
    return EMBEDDED_MODELS[name]


def _convert(model: EmbeddedModel, folder: Path, python: Path, say: Say, held: int) -> None:
    say(f"Converting the embedded model {model.name} into {folder} (0.3 GB, once; half a minute)")
    remove_drafts(folder)
    log = folder.with_suffix(".log")
    with built_in_place_of(folder) as draft:
        command = [str(python), "-m", CONVERTER, str(draft), model.name]
        with log.open("wb") as output:
            done = subprocess.run(
                command, check=False, stdout=output, stderr=subprocess.STDOUT, env=_environment(), pass_fds=[held]
            )
        if done.returncode != 0:
            raise _conversion_failure(model, done.returncode, log)


def _environment() -> Mapping[str, str]:
    """The converter needs this package's own code, and no model hub."""
    source = Path(tandem.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": str(source), "HF_HUB_OFFLINE": "1"}


def _conversion_failure(model: EmbeddedModel, status: int, log: Path) -> TandemError:
    lines = log.read_text(errors="replace").strip().splitlines()
    cause = lines[-1] if lines else "no output"
    fix = "The log has the details; once the cause is gone, run the command again: nothing half done was kept."
    return TandemError(f"converting {model.name} ended with {status}: {cause}", fix=fix, log=log)


def _recorded(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    manifest = folder / MANIFEST
    try:
        files: Mapping[str, Mapping[str, Any]] = json.loads(manifest.read_text())["files"]
    except (OSError, ValueError, KeyError) as error:
        raise TandemError(f"{manifest} cannot be read: {error!r}", fix=_removal(folder)) from error
    return files


def _difference(file: Path, recorded: Mapping[str, Any], rehash: bool) -> str | None:
    if not file.is_file():
        return f"{file.name} is missing"
    stat = file.stat()
    if stat.st_size != recorded["size"]:
        return f"{file.name} has {stat.st_size} bytes, recorded {recorded['size']}"
    if not rehash and stat.st_mtime_ns == recorded["mtime_ns"]:
        return None
    found = _sha256(file)
    return None if found == recorded["sha256"] else f"{file.name} has sha256 {found}, recorded {recorded['sha256']}"


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _removal(folder: Path) -> str:
    return f"Remove the folder, it is converted anew at the next start: rm -r {folder}"

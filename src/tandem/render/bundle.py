"""A bundle: the files of a deployment by path, and the manifest that tells whether somebody changed them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import tandem

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Bundle:
    """Text by path, relative to the bundle's folder, `manifest.json` among them."""

    files: Mapping[str, str]


def bundle(files: Mapping[str, str]) -> Bundle:
    """The files in the order of their paths, with a manifest of their sha256."""
    ordered = dict(sorted(files.items()))
    manifest = {"tandem": tandem.__version__, "files": {path: digest(text) for path, text in ordered.items()}}
    return Bundle({**ordered, MANIFEST: json.dumps(manifest, indent=2) + "\n"})


def edited(manifest: str, found: Mapping[str, str]) -> list[str]:
    """Paths of `found` whose text is not the one that `manifest` records. A file that is gone is no edit.

    Raises:
        ValueError: the manifest is not one.
    """
    try:
        recorded = json.loads(manifest)["files"]
        return sorted(path for path, sha256 in recorded.items() if path in found and digest(found[path]) != sha256)
    except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"not a manifest of a bundle: {error}") from error


def recorded_paths(manifest: str) -> list[str]:
    """Paths that a manifest tells of; empty when it is not one."""
    try:
        return sorted(json.loads(manifest)["files"])
    except (KeyError, TypeError, json.JSONDecodeError):
        return []


def digest(text: str) -> str:
    """sha256 of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()

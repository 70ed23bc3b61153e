"""Files as people have them: a spec, a Ray Serve config, a RayService manifest, or a folder of them.

A RayService carries its Serve config as text under `spec.serveConfigV2`. It is read in place: the data below that key
is the parsed config, and its lines are lines of the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml.scalarstring import LiteralScalarString

from tandem.core.errors import InputError
from tandem.core.nearest import nearest
from tandem.core.problem import Problem
from tandem.spec.keys import SPEC_KEYS
from tandem.spec.reading import at, mapping
from tandem.spec.source import KeyPath, Source, key_lines, parse_documents, plain

Kind = Literal["spec", "serve", "rayservice", "workload", "other"]

SERVE_CONFIG: KeyPath = ("spec", "serveConfigV2")
_WORKLOADS = {"Deployment", "StatefulSet", "Pod", "DaemonSet", "LeaderWorkerSet", "LLMInferenceService"}


@dataclass(frozen=True)
class Document:
    """One YAML document, what it is, and the path below which a Serve config stands (None when it has none).

    `embedded` is True when that config is text inside the document; `problems` are what kept it from being read.
    """

    kind: Kind
    source: Source
    index: int = 0
    serve_path: KeyPath | None = None
    embedded: bool = False
    problems: tuple[Problem, ...] = field(default=())


def read_path(path: Path) -> list[tuple[Document, str]]:
    """The documents of a file, or of every YAML file of a folder, each with its file's text.

    Raises:
        InputError: nothing there can be read, or no document is of a known kind.
    """
    files = sorted(p for p in path.rglob("*") if p.suffix in (".yaml", ".yml")) if path.is_dir() else [path]
    found = [(document, text) for file in files for document, text in _read_file(file, alone=not path.is_dir())]
    if not found:
        raise InputError(f"{path} holds no spec, Serve config or RayService", fix="Name a YAML file that does.")
    return found


def read_text(text: str, file: str) -> list[Document]:
    """Every document of `text`. Raises InputError when it is not YAML."""
    found = []
    for index, node in enumerate(parse_documents(text, file)):
        if isinstance(node, Mapping):
            found.append(_document(node, file, index))
    return found


def _read_file(file: Path, alone: bool) -> list[tuple[Document, str]]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {file}: {error}", fix="Name an existing YAML file.") from error
    documents = read_text(text, str(file))
    return [(document, text) for document in documents if _is_wanted(document, alone)]


def _is_wanted(document: Document, alone: bool) -> bool:
    """In a folder, a YAML file that shares no key with a spec is somebody else's."""
    if document.kind == "spec" and not alone:
        return bool(set(document.source.data) & SPEC_KEYS)
    return document.kind != "other"


def _document(node: Mapping[Any, Any], file: str, index: int) -> Document:
    source = Source(file=file, data=plain(node), lines=dict(key_lines(node)))
    kind = _kind(source.data)
    if kind == "serve":
        return Document(kind, source, index, serve_path=())
    if kind == "rayservice":
        return _unfold(node, Document(kind, source, index))
    return Document(kind, source, index)


def _kind(data: Mapping[str, Any]) -> Kind:
    if "apiVersion" in data or "kind" in data:
        if data.get("kind") == "RayService":
            return "rayservice"
        return "workload" if data.get("kind") in _WORKLOADS else "other"
    known = set(data) & SPEC_KEYS
    if "applications" in data or (not known and _looks_like_serve(data)):
        return "serve"
    return "spec"


def _looks_like_serve(data: Mapping[str, Any]) -> bool:
    """A Serve config whose `applications` is misspelt, so that it is not read as a spec with odd keys."""
    return nearest("applications", data) is not None or any(
        isinstance(value, list) and value and "args" in mapping(value[0]) for value in data.values()
    )


def _unfold(node: Mapping[Any, Any], document: Document) -> Document:
    """Puts the parsed Serve config where its text stands. A mapping instead of text is left for a rule to refuse."""
    written = at(document.source.data, SERVE_CONFIG)
    if isinstance(written, Mapping):
        return replace(document, serve_path=SERVE_CONFIG)
    if not isinstance(written, str):
        return document
    file = document.source.file
    try:
        inner = (parse_documents(written, file) or [None])[0]
    except InputError as error:
        return replace(document, problems=tuple(_placed(problem, node) for problem in error.problems))
    if not isinstance(inner, Mapping):
        line = document.source.line(SERVE_CONFIG)
        problem = Problem(path="spec.serveConfigV2", found="not a mapping", fix="Write a Serve config.", line=line)
        return replace(document, problems=(problem,))
    return replace(document, source=_merged(document.source, node, inner), serve_path=SERVE_CONFIG, embedded=True)


def _merged(source: Source, node: Mapping[Any, Any], inner: Mapping[Any, Any]) -> Source:
    shift = _text_offset(node)
    key_line = source.lines[SERVE_CONFIG]
    lines = {(*SERVE_CONFIG, *path): key_line if shift is None else line + shift for path, line in key_lines(inner)}
    data = {**source.data, "spec": {**source.data["spec"], "serveConfigV2": plain(inner)}}
    return Source(file=source.file, data=data, lines={**source.lines, **lines})


def _text_offset(node: Mapping[Any, Any]) -> int | None:
    """Lines before the first line of the embedded text; None for a style in which lines do not map one to one."""
    spec = node["spec"]
    if not isinstance(spec["serveConfigV2"], LiteralScalarString):
        return None
    return int(spec.lc.value("serveConfigV2")[0]) + 1


def _placed(problem: Problem, node: Mapping[Any, Any]) -> Problem:
    shift = _text_offset(node)
    line = problem.line + shift if problem.line and shift is not None else None
    return replace(problem, path="spec.serveConfigV2", line=line)

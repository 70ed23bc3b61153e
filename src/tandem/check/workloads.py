"""Plain Kubernetes workloads that start `vllm serve` themselves, as far as their KV transfer is on the command line."""

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from tandem.check.engines import Engine, EnvVar
from tandem.spec.reading import at, items, mapping, text
from tandem.spec.source import KeyPath
from tandem.spec.written import PhaseName

FLAG = "--kv-transfer-config"
_PODS: tuple[KeyPath, ...] = (
    ("spec",),
    ("spec", "template", "spec"),
    ("spec", "leaderWorkerTemplate", "workerTemplate", "spec"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate", "spec"),
    ("spec", "prefill", "template"),
    ("spec", "template"),
)
_PHASES: dict[str, PhaseName] = {"kv_producer": "prefill", "kv_consumer": "decode"}


def read_workload(data: Mapping[str, Any]) -> Iterator[Engine]:
    """An engine for each container whose command line has a KV transfer configuration."""
    for pod_path in _PODS:
        containers = items(mapping(at(data, pod_path)).get("containers"))
        for index, container in enumerate(containers):
            transfer = _transfer(_words(mapping(container)))
            if transfer is not None:
                yield _engine(mapping(container), (*pod_path, "containers", index), transfer)


def _engine(container: Mapping[str, Any], path: KeyPath, transfer: Mapping[str, Any]) -> Engine:
    key = "args" if FLAG in str(container.get("args")) else "command"
    return Engine(
        phase=_PHASES.get(text(transfer.get("kv_role")), "pool"),
        path=path,
        args={},
        args_path=(*path, key),
        arg_paths={},
        transfer=transfer,
        transfer_path=(*path, key),
        model_id="",
        model_source="",
        replicas=(1, 1),
        env=tuple(_env(container, path)),
    )


def _env(container: Mapping[str, Any], path: KeyPath) -> Iterator[EnvVar]:
    for index, entry in enumerate(items(container.get("env"))):
        value = mapping(entry).get("value")
        yield EnvVar(text(mapping(entry).get("name")), None if value is None else str(value), (*path, "env", index))


def _words(container: Mapping[str, Any]) -> list[str]:
    written = [str(word) for key in ("command", "args") for word in items(container.get(key))]
    words: list[str] = []
    for word in written:
        words.extend(_split(word) if FLAG in word and " " in word else [word])
    return words


def _split(line: str) -> list[str]:
    """A shell line's words; a line that is no shell (an open quote) has none."""
    try:
        return shlex.split(line.replace("\\\n", " "))
    except ValueError:
        return []


def _transfer(words: list[str]) -> Mapping[str, Any] | None:
    for index, word in enumerate(words):
        if word == FLAG and index + 1 < len(words):
            return _json(words[index + 1])
        if word.startswith(FLAG + "="):
            return _json(word.split("=", 1)[1])
    return None


def _json(word: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(word)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None

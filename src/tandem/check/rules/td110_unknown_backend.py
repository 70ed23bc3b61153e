"""A NIXL backend that no plugin has, or one that does not move memory between nodes."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import NIXL_USAGE, NIXL_WORKER
from tandem.check.subject import Subject
from tandem.core.nearest import nearest
from tandem.facts.connectors import BETWEEN_NODES, NIXL_PLUGINS


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        written = engine.extra.get("backends")
        if written is None or not engine.uses_nixl:
            continue
        path = (*engine.extra_path, "backends")
        if not isinstance(written, list):
            yield Hit(path, f"{written!r} is not a list", (Put(path, [str(written).upper()]),), "Write a list.")
        elif not written:
            yield Hit(path, "the list is empty")
        else:
            yield from _names(path, written)


def _names(path: tuple[str | int, ...], written: list[object]) -> Iterator[Hit]:
    for index, name in enumerate(written):
        if str(name) not in NIXL_PLUGINS:
            close = nearest(str(name).upper(), NIXL_PLUGINS)
            edits = (Put((*path, index), close),) if close else ()
            yield Hit((*path, index), f"unknown backend {name!r}", edits, f"Did you mean {close}?" if close else "")
    if not BETWEEN_NODES & {str(name).upper() for name in written}:
        yield Hit(path, f"{', '.join(map(str, written))} do not move memory between nodes")


RULE = Rule(
    id="TD110",
    title="a NIXL backend that cannot carry the KV cache",
    severity="error",
    why="NIXL loads a plugin by this exact name; without one that moves memory between nodes there is no transfer.",
    fix="Write UCX or LIBFABRIC, in capitals.",
    sources=(NIXL_USAGE, NIXL_WORKER),
    find=_find,
)

"""The two phases of one application held against each other."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit
from tandem.check.subject import Subject


def differing_args(subject: Subject, name: str, default: object = None) -> Iterator[Hit]:
    """A hit where an engine argument has another value on decode than on prefill. Missing counts as `default`."""
    for prefill, decode in subject.pairs():
        ours, theirs = prefill.args.get(name, default), decode.args.get(name, default)
        if ours != theirs:
            path = decode.arg_path(name) if name in decode.args else prefill.arg_path(name)
            yield Hit(path, f"prefill has {shown(ours)}, decode has {shown(theirs)}")


def transfer_pairs(subject: Subject) -> Iterator[tuple[Engine, Engine]]:
    """Pairs in which both phases have a kv_transfer_config."""
    for prefill, decode in subject.pairs():
        if prefill.transfer is not None and decode.transfer is not None:
            yield prefill, decode


def shown(value: object) -> str:
    """A value for a message, short."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

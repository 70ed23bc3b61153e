"""NIXL side-channel ports of two phases that overlap."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.facts.connectors import DEFAULT_PORT_BASES
from tandem.spec.reading import integer, mapping

_KEY = "NIXL_SIDE_CHANNEL_PORT_BASE"


def _find(subject: Subject) -> Iterator[Hit]:
    for prefill, decode in subject.pairs():
        if not prefill.config:
            continue
        ours, theirs = _ports(prefill), _ports(decode)
        if max(ours.start, theirs.start) < min(ours.stop, theirs.stop):
            side = decode if _KEY in mapping(decode.config.get("experimental_configs")) else prefill
            found = f"prefill {ours.start}-{ours.stop - 1}, decode {theirs.start}-{theirs.stop - 1}"
            yield Hit((*side.path, "experimental_configs", _KEY), found)


def _ports(engine: Engine) -> range:
    """One port for each GPU worker of each replica, as Ray counts them."""
    written = integer(mapping(engine.config.get("experimental_configs")).get(_KEY))
    base = DEFAULT_PORT_BASES[engine.phase] if written is None else written
    return range(base, base + max(engine.replicas[1], 1) * max(engine.gpus, 1))


RULE = Rule(
    id="TD219",
    title="side-channel ports that overlap",
    severity="warning",
    why="A prefill and a decode replica on one node then want the same port: one dies with «Address already in use».",
    fix="Give decode another NIXL_SIDE_CHANNEL_PORT_BASE, or none.",
    sources=(f"{RAY_LLM}/engines/vllm/kv_transfer/nixl.py",),
    find=_find,
)

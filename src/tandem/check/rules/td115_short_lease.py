"""A lease on finished prefill blocks that is shorter than vLLM's default."""

from collections.abc import Iterator

from tandem.check.engines import Engine
from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import NIXL_WORKER, vllm
from tandem.check.subject import Subject
from tandem.facts.connectors import DEFAULT_LEASE_SECONDS
from tandem.spec.reading import integer
from tandem.spec.source import KeyPath


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        lease, path = _lease(engine)
        if lease is not None and lease < DEFAULT_LEASE_SECONDS and path not in seen:
            seen.add(path)
            yield Hit(
                path, f"{lease} s", (Put(path, 2 * DEFAULT_LEASE_SECONDS),), severity="error" if lease < 6 else None
            )


def _lease(engine: Engine) -> tuple[int | None, KeyPath]:
    if engine.spec_transfer:
        return integer(engine.spec_transfer.get("lease_seconds")), ("transfer", "lease_seconds")
    return integer(engine.extra.get("kv_lease_duration")), (*engine.extra_path, "kv_lease_duration")


RULE = Rule(
    id="TD115",
    title="a short lease on prefilled blocks",
    severity="warning",
    why=(
        "Prefill frees blocks when the lease ends, even if decode has only queued the request: answers have come from "
        "freed KV with HTTP 200. Heartbeats come every sixth of the lease, so below 6 s there are none."
    ),
    fix="Give at least 30 s, and more than the longest wait in decode's queue.",
    sources=(vllm(21570), vllm(41383), NIXL_WORKER),
    find=_find,
)

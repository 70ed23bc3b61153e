"""EFA is paid for, and the transfer goes by UCX."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import vllm
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    pods_have_efa = any(group.efa for group in subject.workers)
    for engine in subject.engines:
        wanted = pods_have_efa or engine.spec_transfer.get("over") == "efa"
        if wanted and engine.uses_nixl and engine.backends and "LIBFABRIC" not in engine.backends:
            value: object = "libfabric" if engine.spec_transfer else ["LIBFABRIC"]
            found = "EFA is asked for, and the backend is UCX"
            yield Hit(engine.backends_path, f"{engine.phase}: {found}", (Put(engine.backends_path, value),))


RULE = Rule(
    id="TD403",
    title="EFA without LIBFABRIC",
    severity="error",
    why=(
        "vLLM's default backend is UCX, which has no true EFA path: handshakes crawl or fail, and the payload "
        "goes by TCP."
    ),
    fix=(
        "Write backends: [LIBFABRIC] in kv_connector_extra_config of both phases (in a spec: transfer.backend: "
        "libfabric)."
    ),
    sources=(vllm(41814), "https://github.com/ai-dynamo/nixl/issues/909"),
    find=_find,
)

"""LIBFABRIC on an EC2 type that has EFA but no GPUDirect RDMA."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Put, Rule
from tandem.check.sources import EFA_TYPES, NIXL_LIBFABRIC, ray
from tandem.check.subject import Subject
from tandem.facts.efa import gpu_type


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        known = gpu_type(engine.node_type or "")
        if known is None or known.gpudirect is not False or not known.efa or engine.on_cpu:
            continue
        if "LIBFABRIC" in engine.backends and engine.buffer_device != "cpu":
            found = f"{known.name} ({known.gpu}) has EFA and no GPUDirect RDMA; the KV buffer is in GPU memory"
            yield Hit(engine.backends_path, f"{engine.phase}: {found}", (Put(engine.buffer_path, "cpu"),))


RULE = Rule(
    id="TD401",
    title="LIBFABRIC without GPUDirect RDMA",
    severity="warning",
    why=(
        "NIXL's libfabric plugin says that GPUDirect RDMA is required. g4dn, g5, g6 and g6e do not have it: "
        "small buffers may register with the NIC and a KV cache of real size may not."
    ),
    fix=(
        "Set kv_buffer_device: cpu on both phases, or use p4d, p5 or p6; then let the doctor register a buffer of "
        "the real size."
    ),
    sources=(NIXL_LIBFABRIC, ray(62339), EFA_TYPES),
    find=_find,
)

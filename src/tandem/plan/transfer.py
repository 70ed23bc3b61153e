"""How fast a KV cache travels between two nodes."""

from dataclasses import dataclass

from tandem.facts.ec2 import InstanceType
from tandem.plan.quantity import Book

EFA_SHARE = 0.8
"""Share of the line rate that payload gets over EFA. An assumption: no NIXL measurement on g6 is published."""
TCP_BYTES_PER_SECOND = 0.5e9
"""Measured KV transfer when NIXL fell to TCP: https://github.com/vllm-project/vllm/issues/52607"""
SHARED_MEMORY_BYTES_PER_SECOND = 1.5e9
"""NIXL with UCX between two processes of one 2-core machine, 64 MiB reads: 1.1 to 2.0 GB/s were measured."""
LATENCY = 0.005
"""Metadata and notification of one transfer between known peers. An assumption."""
STAGING_BYTES_PER_SECOND = 12e9
"""Copy between GPU and host memory over PCIe gen4 when the NIC cannot reach GPU memory: about half of 32 GB/s."""


@dataclass(frozen=True)
class Path:
    """The way from one prefill engine to one decode engine."""

    over: str
    bytes_per_second: float
    latency: float


def transfer_path(
    book: Book, over: str | None, source: InstanceType | None, target: InstanceType | None, engines_per_node: int = 1
) -> Path:
    """Enters the rate of the path; between nodes it is that of the slower one, shared by a node's engines.

    Args:
        over: efa, rdma, tcp, shm, or None for the best that both instance types have.
    """
    if source is None or target is None or over == "shm":
        rate = SHARED_MEMORY_BYTES_PER_SECOND
        book.put("transfer.bytes_per_second", rate, "bytes/s", "shared memory of one machine, as measured")
        return Path("shm", rate, LATENCY)
    chosen = over or ("efa" if source.efa and target.efa else "tcp")
    line = min(source.network, target.network)
    book.put("transfer.line_rate", line, "bytes/s", "the slower node's network", sources=[source.source])
    share = line / engines_per_node
    rate, rule, why = _rate(chosen, share, source, target)
    if engines_per_node > 1:
        rule += f"; {engines_per_node} engines share a node's network"
    book.put("transfer.bytes_per_second", rate, "bytes/s", rule, ["transfer.line_rate"], [why])
    book.note("transfer.over", chosen, "", "as told" if over else "EFA where both types have it, else TCP")
    return Path(chosen, rate, LATENCY)


def _rate(over: str, line: float, source: InstanceType, target: InstanceType) -> tuple[float, str, str]:
    if over == "tcp":
        rate = min(line, TCP_BYTES_PER_SECOND)
        return rate, "TCP: what NIXL was seen to reach", "https://github.com/vllm-project/vllm/issues/52607"
    rate = line * EFA_SHARE
    if source.gpudirect_rdma and target.gpudirect_rdma:
        return rate, f"{over}: {EFA_SHARE:.0%} of the line rate (assumed)", ""
    staged = 1 / (1 / rate + 2 / STAGING_BYTES_PER_SECOND)
    rule = f"{over}: {EFA_SHARE:.0%} of the line rate (assumed), through host memory: no GPUDirect RDMA on this type"
    return staged, rule, "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html"

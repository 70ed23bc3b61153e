"""EC2 instance types: GPUs, memory, network, EFA."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from tandem.core.errors import InputError
from tandem.core.nearest import nearest
from tandem.core.units import MIB
from tandem.facts.accelerators import Accelerator, accelerator
from tandem.facts.table import read_table


@dataclass(frozen=True)
class InstanceType:
    """One row of AWS' instance types. Sizes in bytes, rates in bytes a second."""

    name: str
    vcpu: int
    memory: int
    gpus: int
    gpu: Accelerator | None
    gpu_memory: int
    """Of one GPU."""
    network: float
    """Of the whole node, without bursts."""
    efa_interfaces: int
    gpudirect_rdma: bool
    local_disk: int
    """NVMe instance store, 0 when there is none."""
    ebs_bandwidth: float
    source: str

    @property
    def efa(self) -> bool:
        """True when the type has at least one EFA interface."""
        return self.efa_interfaces > 0


def instance_type(name: str) -> InstanceType:
    """The instance type of that name.

    Raises:
        InputError: the type is not in the table.
    """
    table = instance_types()
    if name not in table:
        close = nearest(name, table)
        hint = f"Did you mean {close!r}?" if close else "Tandem knows the g4dn to p6 GPU types and m5, m6i, m7g, m7i."
        raise InputError(f"unknown EC2 instance type {name!r}", fix=hint)
    return table[name]


@cache
def instance_types() -> dict[str, InstanceType]:
    """All rows, in the order of the table."""
    table = read_table("ec2_types")
    return {name: _row(name, row, str(table["source"])) for name, row in table["types"].items()}


def _row(name: str, row: dict[str, Any], source: str) -> InstanceType:
    return InstanceType(
        name=name,
        vcpu=row["vcpu"],
        memory=row["memory_mib"] * MIB,
        gpus=row.get("gpus", 0),
        gpu=accelerator(row["gpu"]) if "gpu" in row else None,
        gpu_memory=row.get("gpu_memory_mib", 0) * MIB,
        network=row["network_gbps"] * 1e9 / 8,
        efa_interfaces=row.get("efa_interfaces", 0),
        gpudirect_rdma=row.get("gpudirect_rdma", False),
        local_disk=row.get("local_disk_gb", 0) * 10**9,
        ebs_bandwidth=row["ebs_mb_per_second"] * 1e6,
        source=source,
    )

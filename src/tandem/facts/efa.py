"""EC2 GPU types as far as a transfer needs them: GPUs, EFA interfaces, GPUDirect RDMA.

Sources: EC2 `DescribeInstanceTypes` (VCpuInfo, MemoryInfo, GpuInfo, NetworkInfo.EfaInfo), read 2026-11;
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html#efa-instance-types;
NIXL's libfabric plugin: GPUDirect RDMA is required
(https://github.com/ai-dynamo/nixl/blob/main/src/plugins/libfabric/README.md);
the EFA device plugin's lists of types: chart 0.5.20 (https://github.com/aws/eks-charts/tree/master/stable/aws-efa-k8s-device-plugin)
has every EFA type below, the older manifest (https://github.com/aws-samples/aws-efa-eks) has fewer.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class GpuType:
    """`gpudirect` is None where no public source says yes or no."""

    name: str
    vcpus: int
    memory_gib: int
    gpu: str
    gpus: int
    efa: int
    gpudirect: bool | None = None

    @property
    def in_old_plugin_list(self) -> bool:
        """Whether the EFA plugin's older manifest lists the type; on others `vpc.amazonaws.com/efa` never appears."""
        return self.name.split(".")[0] not in _NOT_IN_OLD_PLUGIN and self.name != "p5.4xlarge"


def gpu_type(name: str) -> GpuType | None:
    """The type by its EC2 name, or None when the table does not know it."""
    return _BY_NAME.get(name)


def efa_sibling(name: str) -> str | None:
    """The smallest type of the same family with an EFA interface."""
    family = name.split(".")[0]
    siblings = [known for known in _TYPES if known.name.split(".")[0] == family and known.efa]
    return min(siblings, key=lambda known: known.vcpus).name if siblings else None


_NOT_IN_OLD_PLUGIN = frozenset({"g7", "g7e", "p6-b200", "p6-b300"})
_TYPES = (
    GpuType("g4dn.xlarge", 4, 16, "T4", 1, 0, False),
    GpuType("g4dn.2xlarge", 8, 32, "T4", 1, 0, False),
    GpuType("g4dn.4xlarge", 16, 64, "T4", 1, 0, False),
    GpuType("g4dn.8xlarge", 32, 128, "T4", 1, 1, False),
    GpuType("g4dn.12xlarge", 48, 192, "T4", 4, 1, False),
    GpuType("g4dn.16xlarge", 64, 256, "T4", 1, 1, False),
    GpuType("g4dn.metal", 96, 384, "T4", 8, 1, False),
    GpuType("g5.xlarge", 4, 16, "A10G", 1, 0, False),
    GpuType("g5.2xlarge", 8, 32, "A10G", 1, 0, False),
    GpuType("g5.4xlarge", 16, 64, "A10G", 1, 0, False),
    GpuType("g5.8xlarge", 32, 128, "A10G", 1, 1, False),
    GpuType("g5.12xlarge", 48, 192, "A10G", 4, 1, False),
    GpuType("g5.16xlarge", 64, 256, "A10G", 1, 1, False),
    GpuType("g5.24xlarge", 96, 384, "A10G", 4, 1, False),
    GpuType("g5.48xlarge", 192, 768, "A10G", 8, 1, False),
    GpuType("g6.xlarge", 4, 16, "L4", 1, 0, False),
    GpuType("g6.2xlarge", 8, 32, "L4", 1, 0, False),
    GpuType("g6.4xlarge", 16, 64, "L4", 1, 0, False),
    GpuType("g6.8xlarge", 32, 128, "L4", 1, 1, False),
    GpuType("g6.12xlarge", 48, 192, "L4", 4, 1, False),
    GpuType("g6.16xlarge", 64, 256, "L4", 1, 1, False),
    GpuType("g6.24xlarge", 96, 384, "L4", 4, 1, False),
    GpuType("g6.48xlarge", 192, 768, "L4", 8, 1, False),
    GpuType("gr6.4xlarge", 16, 128, "L4", 1, 0, False),
    GpuType("gr6.8xlarge", 32, 256, "L4", 1, 1, False),
    GpuType("g6e.xlarge", 4, 32, "L40S", 1, 0, False),
    GpuType("g6e.2xlarge", 8, 64, "L40S", 1, 0, False),
    GpuType("g6e.4xlarge", 16, 128, "L40S", 1, 0, False),
    GpuType("g6e.8xlarge", 32, 256, "L40S", 1, 1, False),
    GpuType("g6e.12xlarge", 48, 384, "L40S", 4, 1, False),
    GpuType("g6e.16xlarge", 64, 512, "L40S", 1, 1, False),
    GpuType("g6e.24xlarge", 96, 768, "L40S", 4, 2, False),
    GpuType("g6e.48xlarge", 192, 1536, "L40S", 8, 4, False),
    GpuType("g7.2xlarge", 8, 32, "RTX PRO 4500", 1, 0),
    GpuType("g7.4xlarge", 16, 64, "RTX PRO 4500", 1, 0),
    GpuType("g7.8xlarge", 32, 128, "RTX PRO 4500", 1, 1),
    GpuType("g7.12xlarge", 48, 192, "RTX PRO 4500", 2, 1),
    GpuType("g7.24xlarge", 96, 384, "RTX PRO 4500", 4, 1),
    GpuType("g7.48xlarge", 192, 768, "RTX PRO 4500", 8, 2),
    GpuType("g7e.2xlarge", 8, 64, "RTX PRO 6000", 1, 0),
    GpuType("g7e.4xlarge", 16, 128, "RTX PRO 6000", 1, 0),
    GpuType("g7e.8xlarge", 32, 256, "RTX PRO 6000", 1, 1),
    GpuType("g7e.12xlarge", 48, 512, "RTX PRO 6000", 2, 1),
    GpuType("g7e.24xlarge", 96, 1024, "RTX PRO 6000", 4, 2),
    GpuType("g7e.48xlarge", 192, 2048, "RTX PRO 6000", 8, 4),
    GpuType("p3dn.24xlarge", 96, 768, "V100", 8, 1, False),
    GpuType("p4d.24xlarge", 96, 1152, "A100", 8, 4, True),
    GpuType("p4de.24xlarge", 96, 1152, "A100", 8, 4, True),
    GpuType("p5.4xlarge", 16, 256, "H100", 1, 1, True),
    GpuType("p5.48xlarge", 192, 2048, "H100", 8, 32, True),
    GpuType("p5e.48xlarge", 192, 2048, "H200", 8, 32, True),
    GpuType("p5en.48xlarge", 192, 2048, "H200", 8, 16, True),
    GpuType("p6-b200.48xlarge", 192, 2048, "B200", 8, 8, True),
    GpuType("p6-b300.48xlarge", 192, 4096, "B300", 8, 16, True),
)
_BY_NAME = {known.name: known for known in _TYPES}

"""Where a spec runs: this machine, a cluster that exists, or a cluster that Tandem makes."""

import math
from typing import Literal, Self

from pydantic import Field, PositiveInt, model_validator

from tandem.core.units import GIB, Bytes
from tandem.spec.strict import StrictModel


class LocalTarget(StrictModel):
    """This machine, CPU engines."""

    host: str = "127.0.0.1"
    """Address the endpoint listens on. Anything but loopback opens it to others: set it knowingly."""
    port: int = Field(default=8000, ge=1, le=65535)
    """Port of the endpoint."""
    kv_cache: Bytes = 1 * GIB
    """Memory for the KV cache of each engine, such as 2GiB. vLLM takes whole GiB; it is rounded up."""
    cores: list[list[int]] | None = None
    """Cores of each engine, prefill engines first. Left out: the machine's cores are spread evenly."""

    @property
    def kv_cache_gib(self) -> int:
        """What an engine takes for its KV cache, in GiB."""
        return max(1, math.ceil(self.kv_cache / GIB))


class KubernetesTarget(StrictModel):
    """A cluster that exists, with KubeRay on it."""

    namespace: str = "inference"
    """Namespace of the RayService."""
    context: str | None = None
    """kubeconfig context. Left out: the current one."""
    image: str | None = None
    """Container image that carries Ray, vLLM, NIXL and tandem."""


class EksTarget(StrictModel):
    """An Amazon EKS cluster that Tandem makes, and takes down."""

    region: str
    """AWS region, such as sa-east-1."""
    prefill_node: str = "g6.8xlarge"
    """EC2 instance type of prefill nodes."""
    decode_node: str = "g6.8xlarge"
    """EC2 instance type of decode nodes."""
    system_node: str = "m7i.xlarge"
    """EC2 instance type of the node for KubeRay and the Ray head."""
    zone: str | None = None
    """Availability Zone of the GPU nodes: one, since EFA does not cross zones. `tandem render` needs it."""
    control_plane_zone: str | None = None
    """Second zone: EKS wants its control plane in two. Left out: the region's first other letter."""
    api_access: list[str] = Field(default_factory=list)
    """CIDRs that may reach the Kubernetes API, such as 203.0.113.7/32. Left out: all, behind IAM."""
    kubernetes_version: str = "1.35"
    """EKS version."""
    capacity: Literal["on-demand", "capacity-reservation", "capacity-block", "spot"] = "on-demand"
    """How GPU nodes are bought."""
    capacity_reservation_id: str | None = None
    """Reservation or Capacity Block, such as cr-0123456789abcdef0."""
    namespace: str = "inference"
    """Namespace of the RayService."""
    image: str | None = None
    """Container image. Left out: the own image that render describes."""
    privileged: bool = False
    """Run engine pods privileged. Least privilege (IPC_LOCK) is tried first; the doctor's probe decides."""
    gpus_per_replica: PositiveInt = 1
    """GPUs of one engine (tensor parallel)."""

    @model_validator(mode="after")
    def _reservation_has_id(self) -> Self:
        if self.capacity in ("capacity-reservation", "capacity-block") and not self.capacity_reservation_id:
            raise ValueError(f"capacity: {self.capacity} needs capacity_reservation_id")
        return self


class Target(StrictModel):
    """Exactly one of local, kubernetes, eks; local when nothing is said."""

    local: LocalTarget | None = None
    """This machine."""
    kubernetes: KubernetesTarget | None = None
    """An existing cluster."""
    eks: EksTarget | None = None
    """A new cluster on AWS."""

    @model_validator(mode="before")
    @classmethod
    def _default_local(cls, value: object) -> object:
        if isinstance(value, dict) and all(settings is None for settings in value.values()):
            return {next(iter(value), "local"): {}}  # `local:` and nothing after it is local with its defaults
        return value

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        named = [name for name in ("local", "kubernetes", "eks") if getattr(self, name) is not None]
        if len(named) > 1:
            raise ValueError(f"one target, not {len(named)}: keep one of {', '.join(named)}")
        return self

    @property
    def kind(self) -> str:
        """`local`, `kubernetes` or `eks`."""
        if self.kubernetes:
            return "kubernetes"
        return "eks" if self.eks else "local"

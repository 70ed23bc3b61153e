"""A spec resolved for Kubernetes: names, image, zones, and the pods of each phase. All problems are told at once."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import tandem
from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.core.sizes import GIB
from tandem.facts.ec2 import InstanceType, instance_type
from tandem.facts.hybrid import is_hybrid
from tandem.facts.versions import PINNED_RAY, PINNED_VLLM
from tandem.spec.models import EngineArgs, Spec

OWN_IMAGE = f"tandem-serving:{tandem.__version__}-ray{PINNED_RAY}-vllm{PINNED_VLLM}"
"""Tag of the image that `image/Dockerfile` of the bundle describes, before it is pushed to a registry."""

WEIGHTS = "/weights"
_NAME_LENGTH = 40
"""KubeRay refuses names of more than 47 characters and adds its own endings to them."""
_MEMORY_SHARE = 0.8
_CPU_SHARE = 0.875
"""What a pod that has the node for itself asks for. The rest is left to the kubelet, the device plugins and the system:
https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/."""


@dataclass(frozen=True)
class Options:
    """What a bundle needs beside the spec."""

    node: str | None = None
    """EC2 type of the GPU nodes of an existing cluster."""
    zone: str | None = None
    """Availability Zone of the GPU nodes, when the spec names none."""
    image: str | None = None
    """Container image, when the spec names none."""


@dataclass(frozen=True)
class PhasePods:
    """The worker pods of one phase. `memory` in bytes, None when the node is unknown."""

    phase: str
    instance: InstanceType | None
    """Given: a pod has a node of this type for itself."""
    pods: int
    gpus: int
    efa: int
    cpu: int
    memory: int | None


@dataclass(frozen=True)
class Deployment:
    """What every file of a bundle is rendered from."""

    spec: Spec
    name: str
    """Of the EKS cluster and of the RayService."""
    namespace: str
    image: str
    privileged: bool
    zones: tuple[str, ...]
    """EKS only: that of the GPU nodes, then the second one that the control plane needs."""
    phases: tuple[PhasePods, ...]
    system: InstanceType | None
    model_source: str
    """What the engines load."""
    download: str | None
    """Hugging Face id that each node fetches first; None when the image carries the model."""

    @property
    def efa(self) -> bool:
        """True when the KV cache goes by EFA."""
        return any(pods.efa for pods in self.phases)

    @property
    def hybrid(self) -> bool:
        """True for models with recurrent layers, by their name."""
        return is_hybrid(self.spec.model.source)


def resolve(spec: Spec, options: Options) -> Deployment:
    """The deployment of a spec whose target is kubernetes or eks.

    Raises:
        InputError: the spec cannot be rendered; carries every reason.
    """
    problems = [*_model_problems(spec), *_target_problems(spec, options), *_engine_problems(spec, options)]
    if problems:
        raise InputError("the spec cannot be rendered", problems=problems)
    eks, kubernetes = spec.target.eks, spec.target.kubernetes
    target = eks or kubernetes
    assert target is not None
    name = f"tandem-{_slug(spec.model.id)}"[:_NAME_LENGTH].rstrip("-")
    local_folder = spec.model.source.startswith("/")
    return Deployment(
        spec=spec,
        name=name,
        namespace=target.namespace,
        image=target.image or options.image or OWN_IMAGE,
        privileged=bool(eks and eks.privileged),
        zones=_zones(spec, options),
        phases=tuple(_pods(spec, phase, _node(spec, phase, options)) for phase in spec.phases()),
        system=instance_type(eks.system_node) if eks else None,
        model_source=spec.model.source if local_folder else f"{WEIGHTS}/{_slug(spec.model.source)}",
        download=None if local_folder else spec.model.source,
    )


def tensor_parallel(spec: Spec, phase: str) -> int:
    """GPUs of one engine of the phase."""
    default = spec.target.eks.gpus_per_replica if spec.target.eks else 1
    return _integer(spec.engine_args(phase), "tensor_parallel_size", default)


def _pods(spec: Spec, phase: str, node: InstanceType | None) -> PhasePods:
    engines, each = spec.phases()[phase].replicas.max, tensor_parallel(spec, phase)
    if node is None:
        return PhasePods(phase, None, engines, each, 1 if _wants_efa(spec) else 0, cpu=4, memory=None)
    on_one = min(engines, node.gpus // each)
    return PhasePods(
        phase=phase,
        instance=node,
        pods=math.ceil(engines / on_one),
        gpus=on_one * each,
        efa=node.efa_interfaces if _wants_efa(spec) else 0,
        cpu=int(node.vcpu * _CPU_SHARE),
        memory=int(node.memory * _MEMORY_SHARE) // GIB * GIB,
    )


def _wants_efa(spec: Spec) -> bool:
    if not spec.disaggregated or spec.transfer.over not in (None, "efa"):
        return False
    return spec.transfer.over == "efa" or (spec.target.kind == "eks" and spec.transfer.backend == "libfabric")


def _node(spec: Spec, phase: str, options: Options) -> InstanceType | None:
    eks = spec.target.eks
    if eks:
        return instance_type(eks.prefill_node if phase == "prefill" else eks.decode_node)
    return instance_type(options.node) if options.node else None


def _zones(spec: Spec, options: Options) -> tuple[str, ...]:
    eks = spec.target.eks
    if eks is None:
        return ()
    zone = eks.zone or options.zone or ""
    second = next(f"{eks.region}{letter}" for letter in "abc" if f"{eks.region}{letter}" != zone)
    return zone, eks.control_plane_zone or second


def _model_problems(spec: Spec) -> Iterator[Problem]:
    source = spec.model.source
    if source.startswith("embedded:"):
        fix = "Name a Hugging Face id, or a folder inside the image, such as /models/mine."
        yield Problem(path="model.source", found=f"{source!r} is for this machine only", fix=fix)
    elif source.startswith(("s3://", "./", "../", "~")):
        fix = "Name a Hugging Face id, or copy the model into the image and name its folder, such as /models/mine."
        yield Problem(path="model.source", found=f"{source!r} is not reachable from a pod", fix=fix)


def _target_problems(spec: Spec, options: Options) -> Iterator[Problem]:
    eks = spec.target.eks
    if spec.target.kind == "local":
        yield Problem(path="target", found="local needs no files", fix="Use `tandem up`, or target kubernetes or eks.")
    if eks is None:
        return
    zone = eks.zone or options.zone
    if not zone:
        look = (
            f"aws ec2 describe-instance-type-offerings --region {eks.region} --location-type availability-zone "
            f"--filters Name=instance-type,Values={eks.prefill_node},{eks.decode_node}"
        )
        fix = f"Set it, or pass --zone. Zones that offer the nodes: {look}"
        yield Problem(path="target.eks.zone", found="no Availability Zone, and EFA does not cross zones", fix=fix)
    elif not zone.startswith(eks.region):
        yield Problem(path="target.eks.zone", found=f"{zone} is not in {eks.region}", fix="Name a zone of the region.")
    elif zone == eks.control_plane_zone:
        fix = "Name another zone of the region: EKS wants two."
        yield Problem(path="target.eks.control_plane_zone", found=f"{zone} twice", fix=fix)


def _engine_problems(spec: Spec, options: Options) -> Iterator[Problem]:
    for phase in spec.phases():
        args, each = spec.engine_args(phase), tensor_parallel(spec, phase)
        if _integer(args, "pipeline_parallel_size", 1) > 1:
            fix = "Use tensor_parallel_size within one node."
            yield Problem(path=f"{phase}.engine.pipeline_parallel_size", found="engines across pods", fix=fix)
        node = _node(spec, phase, options) if spec.target.kind != "local" else None
        if node and node.gpus < each:
            found = f"{node.name} has {node.gpus} GPUs, an engine needs {each}"
            yield Problem(path=f"{phase} node", found=found, fix="Choose a larger type, or fewer GPUs an engine.")
        if node and _wants_efa(spec) and not node.efa:
            found = f"{node.name} has no EFA interface"
            yield Problem(path=f"{phase} node", found=found, fix="Choose a type with EFA, or backend: ucx over tcp.")


def _integer(args: EngineArgs, name: str, default: int) -> int:
    value = args.get(name, default)
    return value if isinstance(value, int) else default


def _slug(text: str) -> str:
    """Lower-case letters, digits and dashes, as Kubernetes wants names."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")

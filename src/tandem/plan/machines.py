"""The engines of each phase on their machines, from a spec and facts."""

from collections.abc import Mapping
from dataclasses import dataclass

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.core.units import GIB
from tandem.facts.accelerators import Accelerator
from tandem.facts.ec2 import InstanceType, instance_type
from tandem.facts.models import BITS, ModelShape
from tandem.plan.efficiency import Efficiency, efficiency
from tandem.plan.engine import EngineSpeed, engine_speed
from tandem.plan.fit import EngineSettings, Fit, engine_settings, fit_engine, pod_memory
from tandem.plan.load import Engines
from tandem.plan.quantity import Book
from tandem.spec.models import Spec


@dataclass(frozen=True)
class Machine:
    """Where engines of one phase run. `instance` is None on this machine."""

    phase: str
    instance: InstanceType | None
    shape: ModelShape
    settings: EngineSettings
    fit: Fit
    speed: EngineSpeed | None
    """None when nobody has measured this machine."""

    @property
    def engines(self) -> Engines | None:
        """What the load model needs; None without a speed."""
        if self.speed is None:
            return None
        tokens = max(1, self.fit.kv_tokens)
        return Engines(self.speed, tokens, self.fit.sequences, self.settings.batched_tokens)

    @property
    def engines_per_node(self) -> int:
        """Engines that share a node: its GPUs by those of one engine."""
        if self.instance is None or not self.instance.gpus:
            return 1
        return max(1, self.instance.gpus // self.settings.tensor_parallel)


def machines(
    book: Book, spec: Spec, shape: ModelShape, node: str | None, measured: EngineSpeed | None
) -> dict[str, Machine]:
    """One machine for each phase of the spec.

    Args:
        node: EC2 instance type of an existing cluster's GPU nodes.
        measured: the step model of this machine, when it was timed.

    Raises:
        InputError: a node type has no GPU, is unknown, or has fewer GPUs than an engine needs.
    """
    types = _node_types(spec, node)
    return {phase: _machine(book, spec, phase, shape, types.get(phase), measured) for phase in spec.phases()}


def _node_types(spec: Spec, node: str | None) -> Mapping[str, str]:
    eks = spec.target.eks
    if eks and not node:
        return {"prefill": eks.prefill_node, "decode": eks.decode_node, "pool": eks.decode_node}
    if node:
        return dict.fromkeys(("prefill", "decode", "pool"), node)
    if spec.target.kubernetes:
        raise InputError("the GPU nodes of an existing cluster are not in the spec", fix="Pass --node INSTANCE_TYPE.")
    return {}


def _machine(
    book: Book, spec: Spec, phase: str, shape: ModelShape, node: str | None, measured: EngineSpeed | None
) -> Machine:
    args = dict(spec.engine_args(phase))
    shape = _quantised(shape, str(args.get("quantization") or ""))
    if node is None:
        return _local(book, spec, phase, shape, args, measured)
    instance = instance_type(node)
    if spec.target.eks and "tensor_parallel_size" not in args:
        args["tensor_parallel_size"] = spec.target.eks.gpus_per_replica
    settings = engine_settings(args, shape, instance.gpu_memory)
    _check_gpus(phase, instance, settings)
    fit = fit_engine(book, phase, shape, settings, instance.gpu_memory, instance.source)
    pod_memory(book, phase, fit, settings.tensor_parallel, instance.memory, instance.source)
    _load_time(book, phase, fit, settings, instance)
    return Machine(phase, instance, shape, settings, fit, _speed(book, phase, shape, settings, instance))


def _quantised(shape: ModelShape, method: str) -> ModelShape:
    """The shape with `quantization` of the engine arguments; a checkpoint's own stays."""
    if method and shape.quantization == "bf16" and method in BITS:
        return shape.with_quantization(method)
    return shape


def _local(
    book: Book, spec: Spec, phase: str, shape: ModelShape, args: dict[str, object], measured: EngineSpeed | None
) -> Machine:
    local = spec.target.local
    size = local.kv_cache if local else GIB
    args["kv_cache_memory_bytes"] = -(-size // GIB) * GIB
    settings = engine_settings(args, shape, 0)
    fit = fit_engine(book, phase, shape, settings, 0, "")
    return Machine(phase, None, shape, settings, fit, measured)


def _check_gpus(phase: str, instance: InstanceType, settings: EngineSettings) -> None:
    if instance.gpu is None:
        found = f"{instance.name} has no GPU"
    elif instance.gpus < settings.tensor_parallel:
        found = f"{instance.name} has {instance.gpus} GPUs, an engine needs {settings.tensor_parallel}"
    else:
        return
    problem = Problem(path=f"{phase} node", found=found, fix="Choose another instance type or fewer GPUs an engine.")
    raise InputError("the nodes cannot run the engines", problems=[problem])


def _load_time(book: Book, phase: str, fit: Fit, settings: EngineSettings, instance: InstanceType) -> None:
    total = fit.weight_bytes * settings.tensor_parallel
    seconds = total / instance.ebs_bandwidth
    book.put(
        f"{phase}.start.load_seconds",
        seconds,
        "s",
        "weights ÷ EBS throughput of the node, cold page cache",
        [f"{phase}.fit.weights"],
        [instance.source],
    )


def _speed(book: Book, phase: str, shape: ModelShape, settings: EngineSettings, instance: InstanceType) -> EngineSpeed:
    gpu = instance.gpu
    if gpu is None:
        raise ValueError(f"{instance.name} has no GPU")
    eff = efficiency(gpu.name)
    _enter_rates(book, phase, eff, gpu, int(BITS[shape.quantization]))
    speed = engine_speed(shape, gpu, eff, settings.tensor_parallel, settings.kv_element_bytes)
    at = f"{phase}.speed"
    book.put(
        f"{at}.step_base",
        speed.base,
        "s",
        "layers × fixed time a layer + bytes of weights ÷ memory rate",
        [f"{at}.memory_rate", f"{at}.layer_seconds", f"{phase}.fit.weights"],
        [shape.source],
    )
    book.put(
        f"{at}.token",
        speed.token,
        "s",
        "2 × active parameters ÷ compute rate + collectives",
        [f"{at}.compute_rate"],
        [shape.source],
    )
    book.put(f"{at}.cached_token", speed.context, "s", "KV bytes of a token ÷ memory rate", [f"{at}.memory_rate"])
    return speed


def _enter_rates(book: Book, phase: str, eff: Efficiency, gpu: Accelerator, bits: int) -> None:
    at = f"{phase}.speed"
    state = "calibrated" if eff.calibrated else "NOT calibrated on this accelerator"
    book.put(
        f"{at}.memory_rate",
        gpu.bandwidth * eff.memory,
        "bytes/s",
        f"{eff.memory:.0%} of peak, {state}: {eff.basis}",
        sources=[gpu.source, "docs/plan-accuracy.md"],
    )
    share = eff.compute_fp8 if bits == 8 and gpu.fp8_flops else eff.compute
    book.put(
        f"{at}.compute_rate",
        gpu.flops(bits) * share,
        "FLOP/s",
        f"{share:.0%} of peak, {state}: {eff.basis}",
        sources=[gpu.source, "docs/plan-accuracy.md"],
    )
    book.put(
        f"{at}.layer_seconds",
        eff.layer_seconds,
        "s",
        f"fixed time of a layer in a step, {state}",
        sources=["docs/plan-accuracy.md"],
    )

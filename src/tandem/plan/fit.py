"""Does it fit: weights, KV cache, activations, graphs and buffers on each GPU, and the pod around them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tandem.core.units import GIB, MIB, format_bytes
from tandem.facts.models import BITS, ModelShape
from tandem.plan.kv import CacheOptions, KvLayout, kv_layout
from tandem.plan.quantity import Book

GRAPHS = int(0.52 * GIB)
"""CUDA graphs of an 8B model, 86 captured shapes: https://github.com/LMCache/LMCache/issues/3430"""
OUTSIDE_TORCH = int(0.35 * GIB)
"""CUDA libraries beside PyTorch's allocator: https://github.com/vllm-project/vllm/issues/10517"""
NIXL_BUFFERS = 64 * MIB
"""NIXL registers the KV cache in place; what remains are descriptors and the plugin's bounce buffers. An assumption."""
POD_OVERHEAD = 6 * GIB
"""Ray worker, two Python processes, CUDA host allocations. An assumption; the local target's two engines, Ray and the
model take 9 GB together."""

_VLLM = "https://github.com/vllm-project/vllm/blob/v0.29.0/"


@dataclass(frozen=True)
class EngineSettings:
    """The engine arguments that the plan needs, with vLLM's defaults filled in."""

    max_model_len: int
    utilization: float
    tensor_parallel: int
    batched_tokens: int
    max_sequences: int
    kv_element_bytes: float
    block_size: int
    prefix_caching: bool
    eager: bool
    kv_bytes: int
    """A cache size that is set rather than computed; 0 when it is computed."""


@dataclass(frozen=True)
class Fit:
    """One engine on its GPUs."""

    fits: bool
    kv_tokens: int
    max_sequences: int
    """Sequences of max_model_len tokens at once."""
    sequences: int
    """The most that run at once: max_num_seqs, or fewer when each holds a state of fixed size."""
    weight_bytes: int
    layout: KvLayout
    available: int
    reason: str


def engine_settings(args: Mapping[str, Any], shape: ModelShape, gpu_memory: int) -> EngineSettings:
    """Settings from vLLM engine arguments; what is not told has vLLM's default for an API server.

    Args:
        gpu_memory: bytes of one GPU, 0 on a CPU: the defaults depend on it.
    """
    batched, sequences = _scheduler_defaults(gpu_memory)
    longest = int(args.get("max_model_len") or shape.max_positions)
    kv_dtype = str(args.get("kv_cache_dtype", "auto"))
    model_bytes = 4 if str(args.get("dtype", "auto")) == "float32" else 2
    return EngineSettings(
        max_model_len=longest,
        utilization=float(args.get("gpu_memory_utilization", 0.92)),
        tensor_parallel=int(args.get("tensor_parallel_size", 1)),
        batched_tokens=int(args.get("max_num_batched_tokens") or batched),
        max_sequences=int(args.get("max_num_seqs") or sequences),
        kv_element_bytes=1 if kv_dtype.startswith("fp8") else model_bytes,
        block_size=int(args.get("block_size") or (16 if gpu_memory else 128)),
        prefix_caching=bool(args.get("enable_prefix_caching", True)),
        eager=bool(args.get("enforce_eager", False)),
        kv_bytes=int(args.get("kv_cache_memory_bytes") or 0),
    )


def fit_engine(
    book: Book, phase: str, shape: ModelShape, settings: EngineSettings, gpu_memory: int, gpu_source: str
) -> Fit:
    """Enters what one GPU of an engine holds, and what is left for the KV cache.

    Args:
        phase: the first part of the quantities' paths.
        gpu_memory: bytes of one GPU; 0 when the cache size is set (`settings.kv_bytes`), as on a CPU.
    """
    weights = _weights(book, phase, shape, settings.tensor_parallel)
    if settings.kv_bytes:
        available = settings.kv_bytes
        book.put(f"{phase}.fit.kv_bytes", available, "bytes", "as set in the spec")
    else:
        available = _available(book, phase, shape, settings, gpu_memory, gpu_source, weights)
    return _cache(book, phase, shape, settings, available, weights)


def _weights(book: Book, phase: str, shape: ModelShape, tensor_parallel: int) -> int:
    total = weight_bytes(shape)
    rule = (
        "total_size of the safetensors index"
        if shape.exact_bytes
        else (
            f"{shape.parameters / 1e9:.2f} billion parameters: linear layers at {BITS[shape.quantization]:g} bits, "
            "embedding, head and vision tower at 16"
        )
    )
    book.put(f"{phase}.fit.weights", total, "bytes", rule, sources=[shape.source])
    per_gpu = total // tensor_parallel
    if tensor_parallel > 1:
        rule = f"weights ÷ tensor_parallel_size {tensor_parallel}"
        book.put(f"{phase}.fit.weights_per_gpu", per_gpu, "bytes", rule, [f"{phase}.fit.weights"])
    return per_gpu


def weight_bytes(shape: ModelShape) -> int:
    """Bytes of all loaded weights."""
    if shape.exact_bytes:
        return shape.exact_bytes
    bits = BITS[shape.quantization]
    mixer_bits = bits if shape.quantized_mixers else 16
    linear = shape.mixers * mixer_bits + (shape.dense + shape.expert * shape.experts) * bits
    return int((linear + 16 * (shape.embedding + shape.head + shape.vision)) / 8)


def activation_bytes(shape: ModelShape, settings: EngineSettings) -> int:
    """Peak of one step of max_num_batched_tokens: gate and up projections with their product, four copies of the
    residual stream, and the logits of every sequence in bf16 and twice in fp32."""
    tokens, split = settings.batched_tokens, settings.tensor_parallel
    wide = tokens * 3 * shape.intermediate * 2 / split
    residual = tokens * 4 * shape.hidden * 2
    logits = min(settings.max_sequences, 256) * shape.vocab * (2 + 4 + 4) / split
    return int(wide + residual + logits)


def _available(
    book: Book, phase: str, shape: ModelShape, settings: EngineSettings, gpu_memory: int, source: str, weights: int
) -> int:
    at = f"{phase}.fit"
    book.put(f"{at}.gpu_memory", gpu_memory, "bytes", "memory of one GPU", sources=[source])
    usable = int(gpu_memory * settings.utilization)
    book.put(
        f"{at}.usable",
        usable,
        "bytes",
        f"gpu_memory × gpu_memory_utilization {settings.utilization:g}",
        [f"{at}.gpu_memory"],
        [_VLLM + "vllm/config/cache.py"],
    )
    peak = activation_bytes(shape, settings)
    book.put(
        f"{at}.activations",
        peak,
        "bytes",
        f"peak of a step of {settings.batched_tokens} tokens",
        sources=[_VLLM + "vllm/v1/worker/gpu_worker.py"],
    )
    graphs = 0 if settings.eager else GRAPHS
    book.put(
        f"{at}.graphs",
        graphs,
        "bytes",
        "none with enforce_eager" if settings.eager else "as measured for an 8B model",
        sources=["https://github.com/LMCache/LMCache/issues/3430"],
    )
    outside = OUTSIDE_TORCH + NIXL_BUFFERS
    book.put(
        f"{at}.outside",
        outside,
        "bytes",
        "CUDA libraries 0.35 GiB and NIXL's own buffers",
        sources=["https://github.com/vllm-project/vllm/issues/10517"],
    )
    left = usable - weights - peak - graphs - outside
    owed = f"{at}.weights_per_gpu" if settings.tensor_parallel > 1 else f"{at}.weights"
    parts = [f"{at}.usable", owed, f"{at}.activations", f"{at}.graphs", f"{at}.outside"]
    book.put(f"{at}.kv_bytes", left, "bytes", "usable - weights - activations - graphs - outside", parts)
    return left


def _cache(book: Book, phase: str, shape: ModelShape, settings: EngineSettings, available: int, weights: int) -> Fit:
    at = f"{phase}.fit"
    layout = kv_layout(shape, _options(settings))
    tokens = layout.tokens(available, settings.max_model_len)
    longest = int(layout.concurrency(available, settings.max_model_len))
    rule = (
        f"blocks of {layout.page_bytes:,} bytes; a sequence of {settings.max_model_len:,} tokens takes "
        f"{layout.blocks_per_sequence(settings.max_model_len)} of {layout.blocks(available):,}"
    )
    book.put(f"{at}.kv_tokens", tokens, "tokens", rule, [f"{at}.kv_bytes"], [shape.source])
    book.put(
        f"{at}.max_sequences",
        longest,
        "sequences",
        f"of {settings.max_model_len:,} tokens at once: {rule}",
        [f"{at}.kv_bytes"],
    )
    fits = longest >= 1
    reason = "fits" if fits else _why_not(layout, settings, available)
    book.note(f"{at}.fits", fits, "", reason, [f"{at}.kv_bytes"])
    sequences = min(settings.max_sequences, max(1, layout.blocks(available) // layout.blocks_per_sequence(1)))
    return Fit(fits, tokens, longest, sequences, weights, layout, available, reason)


def _options(settings: EngineSettings) -> CacheOptions:
    return CacheOptions(
        element_bytes=settings.kv_element_bytes,
        block_size=settings.block_size,
        max_model_len=settings.max_model_len,
        batched_tokens=settings.batched_tokens,
        tensor_parallel=settings.tensor_parallel,
        prefix_caching=settings.prefix_caching,
    )


def _why_not(layout: KvLayout, settings: EngineSettings, available: int) -> str:
    if available <= 0:
        return f"weights and activations need {format_bytes(-available)} more than the GPU has"
    need = layout.blocks_per_sequence(settings.max_model_len) * layout.page_bytes
    return f"one sequence of max_model_len needs {format_bytes(need)} of KV cache, {format_bytes(available)} is left"


def pod_memory(book: Book, phase: str, fit: Fit, tensor_parallel: int, node_memory: int, source: str) -> bool:
    """Page cache and pod memory: the limit at which the weights stay cached across a restart of the engine."""
    at = f"{phase}.pod"
    weights = fit.weight_bytes * tensor_parallel
    book.put(
        f"{at}.page_cache",
        weights,
        "bytes",
        "the weight files, charged to the pod that reads them",
        [f"{phase}.fit.weights"],
        ["https://docs.kernel.org/admin-guide/cgroup-v2.html#memory"],
    )
    need = weights + POD_OVERHEAD
    book.put(f"{at}.memory_limit", need, "bytes", "page cache + 6 GiB for Ray, Python and CUDA", [f"{at}.page_cache"])
    book.note(
        f"{at}.stays_cached",
        need <= node_memory,
        "",
        f"against {format_bytes(node_memory)} of the node",
        [f"{at}.memory_limit"],
        [source],
    )
    return need <= node_memory


def _scheduler_defaults(gpu_memory: int) -> tuple[int, int]:
    """max_num_batched_tokens and max_num_seqs of `vllm serve`:
    https://github.com/vllm-project/vllm/blob/v0.29.0/vllm/engine/arg_utils.py"""
    if gpu_memory == 0:
        return 2048, 128
    if gpu_memory >= 160 * GIB:
        return 16384, 1024
    return (8192, 1024) if gpu_memory >= 70 * GIB else (2048, 256)

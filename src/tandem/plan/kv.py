"""Memory of the KV cache as vLLM lays it out: pages, groups of layers, and how many tokens fit.

vLLM gives every kind of layer (full attention, sliding window, state) its own block table over one pool of equal pages,
and reports `max_concurrency × max_model_len` as the cache size in tokens:
https://github.com/vllm-project/vllm/blob/v0.29.0/vllm/v1/core/kv_cache_utils.py
"""

from dataclasses import dataclass
from math import ceil, floor

from tandem.facts.models import ModelShape


@dataclass(frozen=True)
class KvLayout:
    """One engine's KV cache on one GPU."""

    block_tokens: int
    """Tokens of one block of full attention; hybrid models raise it until a page holds one state."""
    page_bytes: int
    """One block of one group of layers."""
    group_layers: int
    full_groups: int
    sliding_groups: int
    state_groups: int
    window_blocks: int
    """Blocks of a sequence in one sliding-window group, at most."""
    state_blocks: int
    """Blocks of a sequence in one state group."""

    def blocks_per_sequence(self, tokens: int) -> int:
        """Blocks that a sequence of `tokens` tokens takes from the pool."""
        full = ceil(tokens / self.block_tokens)
        sliding = min(full, self.window_blocks)
        return full * self.full_groups + sliding * self.sliding_groups + self.state_blocks * self.state_groups

    def blocks(self, available: float) -> int:
        """Blocks in `available` bytes."""
        return max(0, floor(available / self.page_bytes))

    def concurrency(self, available: float, max_model_len: int) -> float:
        """Sequences of max_model_len tokens that fit at once: vLLM's «Maximum concurrency»."""
        return self.blocks(available) / self.blocks_per_sequence(max_model_len)

    def tokens(self, available: float, max_model_len: int) -> int:
        """vLLM's «GPU KV cache size»."""
        return int(self.concurrency(available, max_model_len) * max_model_len)


@dataclass(frozen=True)
class CacheOptions:
    """Engine arguments that shape the cache."""

    element_bytes: float
    """Bytes of one cached element: 2, or 1 with kv_cache_dtype fp8."""
    block_size: int
    max_model_len: int
    batched_tokens: int
    tensor_parallel: int
    prefix_caching: bool


def kv_layout(shape: ModelShape, options: CacheOptions) -> KvLayout:
    """The pages and groups of `shape`."""
    split = 1 if shape.latent else min(options.tensor_parallel, shape.kv_heads)
    per_token = max(shape.full_kv, shape.sliding_kv) * options.element_bytes / split
    block, page = options.block_size, options.block_size * per_token
    if shape.hybrid:
        state = state_bytes(shape) / options.tensor_parallel
        block = options.block_size * ceil(state / per_token / options.block_size) if per_token else block
        page = max(block * per_token, state)
    group = _group_layers(shape)
    in_flight = options.batched_tokens + shape.window - 1
    return KvLayout(
        block_tokens=block,
        page_bytes=int(page) * group,
        group_layers=group,
        full_groups=ceil(shape.full_layers / group),
        sliding_groups=ceil(shape.sliding_layers / group),
        state_groups=ceil(shape.linear_layers / group),
        window_blocks=ceil(min(in_flight, options.max_model_len) / block) + 1,
        state_blocks=2 if options.prefix_caching else 1,
    )


def state_bytes(shape: ModelShape) -> int:
    """Recurrent and convolution state of one sequence in one linear layer."""
    return shape.state * shape.state_bytes + shape.conv * 2


def transfer_bytes(shape: ModelShape, element_bytes: float) -> tuple[float, float]:
    """What travels from prefill to decode: bytes a token, and bytes a sequence whatever its length."""
    token = (shape.full_layers * shape.full_kv + shape.sliding_layers * shape.sliding_kv) * element_bytes
    return token, float(shape.linear_layers * state_bytes(shape))


def _group_layers(shape: ModelShape) -> int:
    """Layers of one group: those of the rarest kind, or of the commonest when it is less than half as common again."""
    counts = [n for n in (shape.full_layers, shape.sliding_layers, shape.linear_layers) if n]
    return max(counts) if max(counts) < 1.5 * min(counts) else min(counts)

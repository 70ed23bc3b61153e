"""How long one step of an engine takes: a roofline with its constants fitted to published measurements.

A step reads the weights once, multiplies its new tokens with them, and reads the KV cache of its decoding sequences.
On the accelerators measured so far the times add up rather than overlap, so the model is linear:

    step = base + token · new tokens + square · (new token, older token) pairs + context · cached tokens read
           + sequence · decoding sequences

A mixture of experts reads only the experts that its tokens choose: of E experts with k chosen per token, n tokens
touch E · (1 - (1 - k/E)^n) in expectation.
"""

from dataclasses import dataclass

from tandem.facts.accelerators import Accelerator
from tandem.facts.models import BITS, ModelShape
from tandem.plan.efficiency import Efficiency

LINK_EFFICIENCY = 0.75
"""Share of the link rate that an all-reduce of activations gets. NCCL's measured bus bandwidth for messages of tens of
megabytes on H100 is about half of the peak: https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md"""


@dataclass(frozen=True)
class EngineSpeed:
    """Seconds by what a step does, for one engine of `tensor_parallel` GPUs."""

    base: float
    """Of any step: fixed costs, and reading the weights that every token uses."""
    experts: float
    """Reading all routed experts once; 0 for a dense model."""
    choice: float
    """Share of the experts that one token chooses."""
    token: float
    """Of one new token, prompt or answer: its products and its share of the collectives."""
    square: float
    """Of one pair (new token, token before it) in prefill attention."""
    context: float
    """Reading one cached token of full attention."""
    sliding: float
    """Reading one cached token of sliding-window attention."""
    window: int
    sequence: float
    """Reading and writing the state of one sequence (linear attention, SSM)."""

    def step(self, prompt_tokens: int, pairs: float, sequences: int, context: float) -> float:
        """Seconds of one step.

        Args:
            prompt_tokens: prompt tokens computed in this step.
            pairs: (new token, older token) pairs of their attention: n·c + n²/2 for n tokens after c.
            sequences: decoding sequences, one new token each.
            context: cached tokens of all decoding sequences together.
        """
        tokens = prompt_tokens + sequences
        read = self.context * context + self.sliding * min(context, float(self.window * sequences))
        work = self.token * tokens + self.square * pairs + self.sequence * sequences
        return self.base + self.experts * self._chosen(tokens) + work + read

    def decode_step(self, sequences: int, context: float) -> float:
        """Seconds of a step that only decodes."""
        return self.step(0, 0.0, sequences, context)

    def prefill(self, tokens: int, budget: int, cached: int = 0) -> float:
        """Seconds for one prompt alone, in chunks of at most `budget` tokens, `cached` of it already there."""
        new = max(1, tokens - cached)
        steps = -(-new // budget)
        chunk = new / steps
        return steps * (self.base + self.experts * self._chosen(int(chunk))) + self.prompt_work(new, cached)

    def prompt_work(self, new: int, cached: int = 0) -> float:
        """What a prompt adds to steps that happen anyway: products and attention, no weights."""
        return self.token * new + self.square * (new * cached + new * new / 2) + self.sequence

    def _chosen(self, tokens: int) -> float:
        return 1.0 - (1.0 - self.choice) ** tokens if self.experts else 0.0


def engine_speed(
    shape: ModelShape, accelerator: Accelerator, efficiency: Efficiency, tensor_parallel: int, kv_bytes: float
) -> EngineSpeed:
    """The step model of `shape` on `tensor_parallel` GPUs.

    Args:
        kv_bytes: bytes of one cached element.
    """
    bits = BITS[shape.quantization]
    bandwidth = accelerator.bandwidth * efficiency.memory * tensor_parallel
    wide = accelerator.bf16_flops * efficiency.compute * tensor_parallel
    narrow = _quantised_rate(accelerator, efficiency, bits) * tensor_parallel
    mixer_bits, mixer_rate = (bits, narrow) if shape.quantized_mixers else (16.0, wide)
    always = (shape.mixers * mixer_bits + shape.dense * bits) / 8 + 2 * (shape.head or shape.embedding)
    products = 2 * shape.mixers / mixer_rate
    products += 2 * shape.dense / narrow
    products += 2 * shape.expert * shape.experts_per_token / (narrow * efficiency.expert_compute)
    split = 1 if shape.latent else tensor_parallel
    state = 2 * shape.linear_layers * (shape.state * shape.state_bytes + 2 * shape.conv)
    return EngineSpeed(
        base=shape.layers * efficiency.layer_seconds + always / bandwidth,
        experts=shape.expert * shape.experts * bits / 8 / (bandwidth * efficiency.expert_memory),
        choice=shape.experts_per_token / shape.experts if shape.experts else 0.0,
        token=products + _collectives(shape, accelerator, tensor_parallel),
        square=2 * shape.score_dim * shape.full_layers / wide,
        context=shape.full_layers * shape.full_kv * kv_bytes * tensor_parallel / split / bandwidth,
        sliding=shape.sliding_layers * shape.sliding_kv * kv_bytes / bandwidth,
        window=shape.window,
        sequence=state / bandwidth,
    )


def _quantised_rate(accelerator: Accelerator, efficiency: Efficiency, bits: float) -> float:
    """FLOP/s of the quantised layers of one GPU; weights of other widths than 8 are widened to bf16 first."""
    if bits == 8 and accelerator.fp8_flops:
        return accelerator.fp8_flops * efficiency.compute_fp8
    return accelerator.bf16_flops * efficiency.compute


def _collectives(shape: ModelShape, accelerator: Accelerator, tensor_parallel: int) -> float:
    """Seconds of the two all-reduces a layer for one token: 2 (n-1)/n of its bf16 activation over the link."""
    if tensor_parallel == 1:
        return 0.0
    sent = 2 * (tensor_parallel - 1) / tensor_parallel * 2 * shape.hidden
    return 2 * shape.layers * sent / (accelerator.link * LINK_EFFICIENCY)

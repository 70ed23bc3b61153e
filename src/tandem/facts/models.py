"""Shapes of models: what a token costs in memory and arithmetic, and what the weights weigh."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tandem.facts.model_config import shape_fields
from tandem.facts.table import read_table

BITS = {"bf16": 16.0, "fp8": 8.0, "int8": 8.0, "mxfp4": 4.25, "nvfp4": 4.5, "awq": 4.25, "gptq": 4.25}
"""Bits of one quantised weight with its scales: mxfp4 has one 8-bit scale for 32 weights, nvfp4 for 16, awq and
gptq one fp16 scale and zero for 128. https://www.opencompute.org/documents/ocp-microscaling-formats-mx-v1-0-spec-final-pdf"""


@dataclass(frozen=True)
class ModelShape:
    """Counts of parameters and cached elements. Everything is for the whole model, before tensor parallelism."""

    name: str
    source: str
    layers: int
    hidden: int
    vocab: int
    max_positions: int
    full_layers: int
    """Layers whose attention sees everything: their KV cache grows with the sequence."""
    sliding_layers: int
    window: int
    linear_layers: int
    """Layers with a state of fixed size (linear attention, SSM) in place of a KV cache."""
    heads: int
    kv_heads: int
    head_dim: int
    full_kv: int
    """Cached elements of one token in one full-attention layer."""
    sliding_kv: int
    latent: bool
    """Multi-head latent attention: the cache is not divided by tensor parallelism."""
    state: int
    """Recurrent elements of one sequence in one linear layer."""
    conv: int
    """Convolution elements beside them."""
    state_bytes: int
    """Bytes of a recurrent element."""
    score_dim: int
    """Elements that one query touches for one key of a layer: heads × (key + value dimension)."""
    embedding: int
    head: int
    """Parameters of the output projection; 0 when it shares the embedding."""
    mixers: int
    """Parameters of attention and linear layers."""
    dense: int
    """Parameters of feed-forward layers that every token uses, shared experts and routers among them."""
    experts: int
    """Routed experts of one layer; 0 without a mixture."""
    experts_per_token: int
    expert: int
    """Parameters of one routed expert in all its layers together."""
    intermediate: int
    """Width of the widest feed-forward activation of one token."""
    vision: int
    """Parameters of a vision tower, loaded though text does not use it."""
    quantization: str
    quantized_head: bool
    quantized_mixers: bool
    exact_bytes: int
    """Weight bytes told by a safetensors index; 0 when they are computed from the counts."""

    @property
    def parameters(self) -> int:
        """All parameters that are loaded."""
        return self.embedding + self.head + self.mixers + self.dense + self.expert * self.experts + self.vision

    @property
    def active_parameters(self) -> int:
        """Parameters in products for one token, without the output projection."""
        return self.mixers + self.dense + self.expert * self.experts_per_token

    @property
    def hybrid(self) -> bool:
        """True when some layers keep a state in place of a KV cache."""
        return self.linear_layers > 0

    def with_quantization(self, method: str) -> "ModelShape":
        """The same model with its linear layers quantised while loading."""
        return replace(self, quantization=method, exact_bytes=0, quantized_mixers=True)

    def with_exact_bytes(self, total: int) -> "ModelShape":
        """The same model with the weight bytes of its safetensors index (`metadata.total_size`)."""
        return replace(self, exact_bytes=total)


def known_models() -> tuple[str, ...]:
    """Names of the shipped shapes."""
    return tuple(_known())


def known_shape(name: str) -> ModelShape | None:
    """The shipped shape of a Hugging Face id; None when it is not among them."""
    return _known().get(name)


def shape_from_config(config: Mapping[str, Any], name: str, source: str) -> ModelShape:
    """The shape in a Hugging Face config.json.

    Raises:
        InputError: a needed key is missing.
    """
    return ModelShape(name=name, source=source, **shape_fields(config, source))


@cache
def _known() -> dict[str, ModelShape]:
    rows = read_table("model_shapes")["models"]
    return {name: shape_from_config(row, name, row["source"]) for name, row in rows.items()}

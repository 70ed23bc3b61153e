"""From the keys of a Hugging Face config.json to counts.

The counts follow the layers of transformers' model classes:
https://github.com/huggingface/transformers/tree/main/src/transformers/models
"""

from collections.abc import Mapping
from typing import Any

from tandem.core.errors import InputError

Config = Mapping[str, Any]

_LETTERS = {"F": "full", "S": "sliding", "L": "linear"}
_WORDS = {
    "full_attention": "full",
    "sliding_attention": "sliding",
    "linear_attention": "linear",
    "chunked_attention": "sliding",
}


def shape_fields(config: Config, source: str) -> dict[str, Any]:
    """Fields of ModelShape from a config, a text model inside a multimodal one included.

    Raises:
        InputError: a needed key is missing.
    """
    text = {**config, **config.get("text_config", {})}
    _require(text, source)
    kinds = _layer_kinds(text)
    feed_forward = _feed_forward(text, kinds)
    tied = bool(text.get("tie_word_embeddings", False))
    embedding = text["vocab_size"] * text["hidden_size"]
    return {
        "layers": len(kinds),
        "hidden": text["hidden_size"],
        "vocab": text["vocab_size"],
        "max_positions": text.get("max_position_embeddings", 0),
        "full_layers": kinds.count("full"),
        "sliding_layers": kinds.count("sliding"),
        "window": text.get("sliding_window") or text.get("attention_chunk_size") or 0,
        "linear_layers": kinds.count("linear"),
        "embedding": embedding,
        "head": 0 if tied else embedding,
        "vision": _vision(config),
        "exact_bytes": 0,
        **_attention(text, kinds),
        **_state(text),
        **feed_forward,
        **_quantization(config),
    }


def _require(text: Config, source: str) -> None:
    needed = ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
    missing = [key for key in needed if key not in text]
    if missing:
        raise InputError(f"{source} lacks {', '.join(missing)}", fix="Give the config.json of a decoder-only model.")


def _layer_kinds(text: Config) -> list[str]:
    """full, sliding, linear or none (a layer of feed-forward alone), one a layer."""
    if pattern := text.get("hybrid_override_pattern"):
        return [{"M": "linear", "*": "full"}.get(letter, "none") for letter in pattern]
    layers = text["num_hidden_layers"]
    types = text.get("layer_types")
    if isinstance(types, str):
        return [_LETTERS[letter] for letter in types]
    if types:
        return [_WORDS.get(kind, "full") for kind in types]
    if interval := text.get("full_attention_interval"):
        return ["full" if (i + 1) % interval == 0 else "linear" for i in range(layers)]
    if text.get("sliding_window") and text.get("use_sliding_window", True):
        every = text.get("sliding_window_pattern") or 0
        return ["full" if every and (i + 1) % every == 0 else "sliding" for i in range(layers)]
    return ["full"] * layers


def _attention(text: Config, kinds: list[str]) -> dict[str, int | bool]:
    if "kv_lora_rank" in text:
        return _latent_attention(text, kinds)
    heads, hidden = text["num_attention_heads"], text["hidden_size"]
    kv_heads = text.get("num_key_value_heads") or heads
    dim = text.get("head_dim") or hidden // heads
    wide = text.get("global_head_dim") or dim
    wide_kv = text.get("num_global_key_value_heads") or kv_heads
    gate = 2 if text.get("attn_output_gate") else 1
    full = hidden * wide * ((gate + 1) * heads + (1 if text.get("attention_k_eq_v") else 2) * wide_kv)
    sliding = hidden * dim * ((gate + 1) * heads + 2 * kv_heads)
    mixers = kinds.count("full") * full + kinds.count("sliding") * sliding + kinds.count("linear") * _linear(text)
    return {
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": dim,
        "full_kv": 2 * wide_kv * wide,
        "sliding_kv": 2 * kv_heads * dim,
        "latent": False,
        "score_dim": 2 * heads * wide,
        "mixers": mixers,
    }


def _latent_attention(text: Config, kinds: list[str]) -> dict[str, int | bool]:
    """DeepSeek's MLA: one latent and one rotary key a token, whatever the number of heads."""
    heads, hidden, rank = text["num_attention_heads"], text["hidden_size"], text["kv_lora_rank"]
    rope, nope, value = text["qk_rope_head_dim"], text["qk_nope_head_dim"], text["v_head_dim"]
    q_rank = text.get("q_lora_rank")
    query = q_rank * (hidden + heads * (nope + rope)) if q_rank else hidden * heads * (nope + rope)
    index_heads, index_dim = text.get("index_n_heads", 0), text.get("index_head_dim", 0)
    indexer = (q_rank or 0) * index_heads * index_dim + hidden * (index_dim + index_heads)
    layer = query + hidden * (rank + rope) + rank * heads * (nope + value) + heads * value * hidden + indexer
    return {
        "heads": heads,
        "kv_heads": 1,
        "head_dim": rank + rope,
        "full_kv": rank + rope + index_dim,
        "sliding_kv": 0,
        "latent": True,
        "score_dim": heads * (nope + rope + value),
        "mixers": len(kinds) * layer,
    }


def _linear(text: Config) -> int:
    """Parameters of one linear-attention (gated delta net) or Mamba-2 layer."""
    hidden = text["hidden_size"]
    if "linear_num_value_heads" in text:
        keys = text["linear_num_key_heads"] * text["linear_key_head_dim"]
        values = text["linear_num_value_heads"] * text["linear_value_head_dim"]
        gates = 2 * text["linear_num_value_heads"]
        return int(hidden * (2 * keys + 3 * values + gates))
    inner = text.get("mamba_num_heads", 0) * text.get("mamba_head_dim", 0)
    grouped = 2 * text.get("n_groups", 1) * text.get("ssm_state_size", 0)
    return int(hidden * (3 * inner + grouped + text.get("mamba_num_heads", 0)))


def _state(text: Config) -> dict[str, int]:
    """Elements of one sequence in one linear layer: the recurrent state, and the last inputs of the convolution."""
    wide = 4 if "float32" in str(text.get("mamba_ssm_dtype") or text.get("mamba_ssm_cache_dtype")) else 2
    if "linear_num_value_heads" in text:
        value_heads, value_dim = text["linear_num_value_heads"], text["linear_value_head_dim"]
        key_dim = text["linear_key_head_dim"]
        channels = 2 * text["linear_num_key_heads"] * key_dim + value_heads * value_dim
        kernel = text.get("linear_conv_kernel_dim", 4)
        return {"state": value_heads * value_dim * key_dim, "conv": channels * (kernel - 1), "state_bytes": wide}
    inner = text.get("mamba_num_heads", 0) * text.get("mamba_head_dim", 0)
    size = text.get("ssm_state_size", 0)
    channels = inner + 2 * text.get("n_groups", 1) * size
    return {"state": inner * size, "conv": channels * (text.get("conv_kernel", 4) - 1), "state_bytes": wide}


def _feed_forward(text: Config, kinds: list[str]) -> dict[str, int]:
    hidden = text["hidden_size"]
    experts = text.get("n_routed_experts") or text.get("num_experts") or text.get("num_local_experts") or 0
    matrices = 2 if text.get("hybrid_override_pattern") else 3
    mixture_layers, dense_layers = _feed_forward_layers(text, len(kinds), experts)
    widths = (text.get(f"{kind}intermediate_size") for kind in ("moe_", "expert_", ""))
    width = next((width for width in widths if width), 0)
    shared = text.get("moe_shared_expert_intermediate_size") or text.get("shared_expert_intermediate_size")
    shared = shared if shared is not None else (text.get("n_shared_experts") or 0) * width
    dense = dense_layers * matrices * hidden * (text.get("intermediate_size") or 0)
    dense += mixture_layers * hidden * (matrices * shared + experts)
    chosen = text.get("num_experts_per_tok") or text.get("top_k_experts") or 0
    return {
        "dense": dense,
        "experts": experts,
        "experts_per_token": chosen if experts else 0,
        "expert": mixture_layers * matrices * hidden * width if experts else 0,
        "intermediate": max(text.get("intermediate_size") or 0, chosen * width if experts else 0),
    }


def _feed_forward_layers(text: Config, layers: int, experts: int) -> tuple[int, int]:
    """How many layers have a mixture of experts, and how many a dense feed-forward."""
    if pattern := text.get("hybrid_override_pattern"):
        return pattern.count("E"), pattern.count("-")
    if not experts:
        return 0, layers
    if text.get("enable_moe_block"):
        return layers, layers
    first = text.get("first_k_dense_replace", 0)
    return layers - first, first


def _quantization(config: Config) -> dict[str, str | bool]:
    """How the checkpoint stores its linear layers. gpt-oss keeps attention in bf16 and its experts in mxfp4."""
    told = config.get("quantization_config", {})
    method = str(config.get("quantization") or told.get("quant_method") or "bf16")
    algo = str(told.get("quant_algo", "")).lower()
    method = {"modelopt": "nvfp4" if "fp4" in algo else "fp8", "compressed-tensors": "fp8"}.get(method, method)
    return {"quantization": method, "quantized_head": False, "quantized_mixers": method != "mxfp4"}


def _vision(config: Config) -> int:
    """Attention and feed-forward of a vision tower: 4 h² + 2 h i a layer."""
    tower = config.get("vision_config") or {}
    layers = config.get("vision_layers") or tower.get("depth") or tower.get("num_hidden_layers") or 0
    hidden = int(config.get("vision_hidden_size") or tower.get("hidden_size") or 0)
    wide = int(config.get("vision_intermediate_size") or tower.get("intermediate_size") or 0)
    return int(layers) * (4 * hidden * hidden + 2 * hidden * wide)

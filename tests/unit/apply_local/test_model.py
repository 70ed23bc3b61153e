"""The model folder, and models whose layers keep a state that is no KV cache.

The configs have the keys of the published config.json files that tell one kind from another.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tandem.apply.local.model import check_model_folder, hybrid_reason, weight_bytes
from tandem.core.errors import InputError
from tandem.spec.models import Spec

_SPLIT = Spec.model_validate({})
_POOL = Spec.model_validate({"pool": {}})
_LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "rope_scaling": {"rope_type": "llama3", "factor": 8.0},
}
_QWEN3_5 = {
    "architectures": ["Qwen3_5ForConditionalGeneration"],
    "model_type": "qwen3_5",
    "text_config": {
        "model_type": "qwen3_5_text",
        "num_hidden_layers": 32,
        "full_attention_interval": 4,
        "layer_types": [*["linear_attention"] * 3, "full_attention"] * 8,
        "linear_conv_kernel_dim": 4,
        "linear_num_value_heads": 32,
    },
    "vision_config": {"model_type": "qwen3_5", "depth": 27},
}

_HYBRID: dict[str, tuple[dict[str, Any], str]] = {
    "Qwen3.5": (_QWEN3_5, "qwen3_5 is a hybrid model (linear_attention layers)"),
    "Qwen3-Next": (
        {"model_type": "qwen3_next", "num_hidden_layers": 48, "full_attention_interval": 4, "linear_num_key_heads": 16},
        "qwen3_next has layers with a state of their own (full_attention_interval)",
    ),
    "Jamba": (
        {"model_type": "jamba", "attn_layer_offset": 4, "attn_layer_period": 8, "mamba_d_state": 16, "mamba_d_conv": 4},
        "jamba has layers with a state of their own (mamba_d_state)",
    ),
    "Mamba": (
        {"architectures": ["MambaForCausalLM"], "model_type": "mamba", "state_size": 16, "conv_kernel": 4},
        "mamba has layers with a state of their own (state_size)",
    ),
    "Granite 4.0 H": (
        {"model_type": "granitemoehybrid", "layer_types": [*["mamba"] * 5, "attention"], "mamba_d_state": 128},
        "granitemoehybrid is a hybrid model (mamba layers)",
    ),
    "Zamba2": (
        {"model_type": "zamba2", "layers_block_type": ["mamba", "mamba", "hybrid"], "mamba_d_state": 64},
        "zamba2 is a hybrid model (hybrid, mamba layers)",
    ),
    "Nemotron-H": (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M-M-M-MM-M-M*-M-", "ssm_state_size": 128},
        "nemotron_h has layers with a state of their own (hybrid_override_pattern)",
    ),
    "LFM2": (
        {"model_type": "lfm2", "layer_types": ["conv", "conv", "full_attention"], "conv_L_cache": 3},
        "lfm2 is a hybrid model (conv layers)",
    ),
    "Kimi Linear": (
        {"model_type": "kimi_linear", "linear_attn_config": {"kda_layers": [1, 2, 3], "full_attn_layers": [4]}},
        "kimi_linear has layers with a state of their own (linear_attn_config)",
    ),
}

_ATTENTION: dict[str, dict[str, Any]] = {
    "Llama": _LLAMA,
    "Qwen3": {"model_type": "qwen3", "layer_types": ["full_attention"] * 36, "use_sliding_window": False},
    "Gemma 3": {"model_type": "gemma3", "text_config": {"layer_types": [*["sliding_attention"] * 5, "full_attention"]}},
    "DeepSeek-V3": {"model_type": "deepseek_v3", "kv_lora_rank": 512, "n_routed_experts": 256},
    "Kimi without linear layers": {"model_type": "kimi_linear", "linear_attn_config": None},
}


@pytest.mark.parametrize("name", _HYBRID)
def test_a_hybrid_model_is_recognised(name: str) -> None:
    config, reason = _HYBRID[name]
    assert hybrid_reason(config) == reason


@pytest.mark.parametrize("name", _ATTENTION)
def test_a_model_of_attention_alone_is_not(name: str) -> None:
    assert hybrid_reason(_ATTENTION[name]) is None


def _folder(path: Path, config: object = _LLAMA, weights: str = "model.safetensors") -> Path:
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if weights:
        (path / weights).write_bytes(b"\0" * 1000)
    return path


@pytest.mark.parametrize("weights", ["model.safetensors", "model-00001-of-00002.safetensors", "pytorch_model.bin"])
def test_a_whole_folder_gives_its_config(tmp_path: Path, weights: str) -> None:
    assert check_model_folder(_folder(tmp_path, weights=weights), _SPLIT) == _LLAMA


def test_a_hybrid_model_can_only_be_a_pool_here(tmp_path: Path) -> None:
    folder = _folder(tmp_path, _QWEN3_5)
    assert check_model_folder(folder, _POOL) == _QWEN3_5
    problem = _refused(folder)
    assert problem.startswith("model.source: qwen3_5 is a hybrid model (linear_attention layers): NIXL cannot move")
    assert "pool: {replicas: 1}" in problem


def _refused(folder: Path) -> str:
    with pytest.raises(InputError, match="the model cannot be served") as caught:
        check_model_folder(folder, _SPLIT)
    [problem] = caught.value.problems
    return str(problem)


def test_a_path_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    assert f"{tmp_path / 'none'} is not a folder" in _refused(tmp_path / "none")


def test_a_folder_without_config_is_refused(tmp_path: Path) -> None:
    assert "has no config.json" in _refused(tmp_path)


@pytest.mark.parametrize(
    ("text", "found"), [("{", "is not JSON"), ("", "is not JSON"), ("[1]", "is not a JSON object")]
)
def test_a_broken_config_is_refused(tmp_path: Path, text: str, found: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    assert found in _refused(tmp_path)


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    assert "holds no weights" in _refused(_folder(tmp_path, weights=""))


def test_weights_are_the_safetensors_when_there_are_both(tmp_path: Path) -> None:
    for name, size in (("a.safetensors", 3), ("b.safetensors", 4), ("pytorch_model.bin", 100), ("tokenizer.json", 9)):
        (tmp_path / name).write_bytes(b"\0" * size)
    assert weight_bytes(tmp_path) == 7


def test_weights_are_the_bin_files_else(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"\0" * 5)
    assert weight_bytes(tmp_path) == 5

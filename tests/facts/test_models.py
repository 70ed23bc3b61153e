"""Parameter counts and cache sizes that the model makers publish are the oracle of the config reader."""

import pytest

from tandem.core.errors import InputError
from tandem.facts.models import known_models, known_shape, shape_from_config

BILLIONS = {
    "meta-llama/Llama-3.1-8B-Instruct": 8.03,
    "meta-llama/Llama-3.1-70B-Instruct": 70.6,
    "meta-llama/Llama-3.1-405B-Instruct": 405.9,
    "Qwen/Qwen2.5-0.5B-Instruct": 0.494,
    "Qwen/Qwen2.5-7B-Instruct": 7.62,
    "Qwen/Qwen3-8B": 8.19,
    "Qwen/Qwen3-32B": 32.8,
    "Qwen/Qwen3-30B-A3B": 30.5,
    "Qwen/Qwen3-235B-A22B": 235.1,
    "Qwen/Qwen3.5-27B": 27.4,
    "Qwen/Qwen3.5-35B-A3B": 35.1,
    "mistralai/Mistral-7B-Instruct-v0.2": 7.24,
    "mistralai/Mistral-Nemo-Instruct-2407": 12.2,
    "mistralai/Mixtral-8x7B-Instruct-v0.1": 46.7,
    "mistralai/Mixtral-8x22B-Instruct-v0.1": 140.6,
    "deepseek-ai/DeepSeek-V3": 671.0,
    "openai/gpt-oss-20b": 20.9,
    "openai/gpt-oss-120b": 116.8,
    "google/gemma-2-9b-it": 9.24,
    "google/gemma-2-27b-it": 27.2,
    "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": 31.6,
    "embedded:smollm2-135m": 0.1345,
}
"""As printed on the models' cards at https://huggingface.co/<name>."""

ACTIVE = {
    "Qwen/Qwen3-30B-A3B": 3.3,
    "Qwen/Qwen3-235B-A22B": 22.0,
    "deepseek-ai/DeepSeek-V3": 37.0,
    "openai/gpt-oss-120b": 5.1,
    "openai/gpt-oss-20b": 3.6,
    "mistralai/Mixtral-8x7B-Instruct-v0.1": 12.9,
}
"""Active parameters as printed on the same cards; makers differ in whether they count the embedding."""


@pytest.mark.parametrize("name", BILLIONS)
def test_parameters_are_those_of_the_card(name: str) -> None:
    shape = known_shape(name)
    assert shape is not None
    assert shape.parameters / 1e9 == pytest.approx(BILLIONS[name], rel=0.01)


@pytest.mark.parametrize("name", ACTIVE)
def test_active_parameters_are_those_of_the_card(name: str) -> None:
    shape = known_shape(name)
    assert shape is not None
    counted = (shape.active_parameters + (shape.head or shape.embedding)) / 1e9
    assert counted == pytest.approx(ACTIVE[name], rel=0.09)


@pytest.mark.parametrize("name", known_models())
def test_every_shape_has_a_source_and_layers(name: str) -> None:
    shape = known_shape(name)
    assert shape is not None
    assert shape.source.startswith("https://")
    assert shape.full_layers + shape.sliding_layers + shape.linear_layers <= shape.layers
    assert shape.full_layers > 0


def test_families_that_the_plan_promises_are_shipped() -> None:
    names = " ".join(known_models())
    for family in ("Qwen3.5-9B", "Qwen3-", "Llama-3.1", "Mistral", "Mixtral", "DeepSeek", "gemma", "gpt-oss"):
        assert family in names


def test_kinds_of_layers() -> None:
    def layers(name: str) -> tuple[int, int, int]:
        shape = known_shape(name)
        assert shape is not None
        return shape.full_layers, shape.sliding_layers, shape.linear_layers

    assert layers("Qwen/Qwen3.5-9B") == (8, 0, 24)
    assert layers("openai/gpt-oss-120b") == (18, 18, 0)
    assert layers("google/gemma-4-26B-A4B") == (5, 25, 0)
    assert layers("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16") == (6, 0, 23)


def test_mla_caches_one_latent_a_token() -> None:
    shape = known_shape("deepseek-ai/DeepSeek-V3")
    assert shape is not None
    assert shape.latent
    assert shape.full_kv == 512 + 64


def test_a_config_is_read_with_its_text_model_inside() -> None:
    text = {
        "hidden_size": 64,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 128,
        "vocab_size": 1000,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
        "sliding_window": 32,
    }
    shape = shape_from_config({"text_config": text, "vision_config": {"depth": 2, "hidden_size": 8,
                               "intermediate_size": 16}}, "tiny", "config.json")  # fmt: skip
    assert (shape.full_layers, shape.sliding_layers, shape.window) == (2, 2, 32)
    attention = 64 * 16 * (2 * 4 + 2 * 2)
    assert shape.mixers == 4 * attention
    assert shape.dense == 4 * 3 * 64 * 128
    assert shape.vision == 2 * (4 * 64 + 2 * 8 * 16)
    assert shape.head == shape.embedding == 64_000


def test_quantised_checkpoints_are_recognised() -> None:
    base = {"hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4, "vocab_size": 100}
    for told, method in (
        ({"quant_method": "fp8"}, "fp8"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_method": "awq"}, "awq"),
    ):
        shape = shape_from_config({**base, "quantization_config": told}, "tiny", "config.json")
        assert shape.quantization == method


def test_a_config_that_is_not_a_decoder_is_refused_with_what_is_missing() -> None:
    with pytest.raises(InputError, match="lacks num_attention_heads, vocab_size"):
        shape_from_config({"hidden_size": 64, "num_hidden_layers": 2}, "tiny", "config.json")

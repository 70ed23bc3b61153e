"""Memory as vLLM itself reported it in public logs; the numbers on the right come from vLLM, not from this code."""

import pytest

from tandem.core.units import GIB
from tandem.facts.ec2 import instance_type
from tandem.plan.against import compare, parse_engine_log
from tandem.plan.fit import activation_bytes, engine_settings, fit_engine, weight_bytes
from tandem.plan.kv import CacheOptions, KvLayout, kv_layout
from tandem.plan.quantity import Book
from tests.plan.closed_loop import shape


def layout(model: str, element_bytes: float = 2, max_model_len: int = 4096, batched: int = 8192) -> KvLayout:
    return kv_layout(shape(model), CacheOptions(element_bytes, 16, max_model_len, batched, 1, True))


def test_hybrid_cache_of_qwen3_6_35b_a3b_is_exactly_what_vllm_logged() -> None:
    """https://github.com/noonghunna/club-3090/issues/612: fp8 cache, 5.98 GiB, 567,978 tokens, 4.33x at 131,072.
    Qwen3.6-35B-A3B has the layers of Qwen3.5-35B-A3B."""
    found = layout("Qwen/Qwen3.5-35B-A3B", element_bytes=1, max_model_len=131_072)
    assert found.tokens(5.98 * GIB, 131_072) == 567_978
    assert round(found.concurrency(5.98 * GIB, 131_072), 2) == 4.33


def test_hybrid_block_size_of_a_27b_is_what_vllm_logged() -> None:
    """https://github.com/noonghunna/club-3090/issues/1047: «Setting attention block size to 1568 tokens», fp8 cache.
    Qwen3.8-27B has the layers of Qwen3.5-27B."""
    assert layout("Qwen/Qwen3.5-27B", element_bytes=1).block_tokens == 1568


@pytest.mark.parametrize(
    ("model", "gib", "tokens", "source"),
    [
        ("Qwen/Qwen3-8B", 6.37, 46_368, "https://github.com/LMCache/LMCache/issues/3430"),
        ("meta-llama/Llama-3.1-8B-Instruct", 3.81, 1952 * 16, "https://github.com/vllm-project/vllm/issues/10517"),
        ("meta-llama/Llama-3.1-8B-Instruct", 2.89, 1478 * 16, "https://github.com/vllm-project/vllm/issues/10517"),
    ],
)
def test_dense_cache_tokens_are_what_vllm_logged(model: str, gib: float, tokens: int, source: str) -> None:
    assert layout(model).tokens(gib * GIB, 4096) == pytest.approx(tokens, rel=0.01), source


def test_loaded_weights_are_what_vllm_logged() -> None:
    """https://github.com/vllm-project/vllm/issues/10517: 14.9888 GB (in GiB) for Llama-3.1-8B."""
    assert weight_bytes(shape("meta-llama/Llama-3.1-8B-Instruct")) / GIB == pytest.approx(14.9888, rel=0.005)


def test_activation_peak_is_what_vllm_logged() -> None:
    """https://github.com/vllm-project/vllm/pull/10511: 1.26 GiB for Llama-3-8B with 8192 batched tokens."""
    llama = shape("meta-llama/Llama-3.1-8B-Instruct")
    settings = engine_settings({"max_num_batched_tokens": 8192}, llama, 80 * GIB)
    assert activation_bytes(llama, settings) / GIB == pytest.approx(1.26, rel=0.1)


def test_sliding_window_layers_hold_no_more_than_their_window() -> None:
    found = layout("openai/gpt-oss-20b", max_model_len=65_536, batched=2048)
    short, long = found.blocks_per_sequence(1024), found.blocks_per_sequence(65_536)
    assert short == 2 * 64
    assert long == 4096 + -(-(2048 + 127) // 16) + 1


def test_mla_is_not_divided_by_tensor_parallelism_and_gqa_is() -> None:
    deepseek, llama = shape("deepseek-ai/DeepSeek-V3"), shape("meta-llama/Llama-3.1-70B-Instruct")
    for tp in (1, 8):
        options = CacheOptions(2, 16, 4096, 8192, tp, True)
        assert kv_layout(deepseek, options).page_bytes == 61 * 16 * 576 * 2
        assert kv_layout(llama, options).page_bytes == 80 * 16 * 2 * (8 // tp) * 128 * 2


def test_more_gpus_than_kv_heads_repeat_the_cache() -> None:
    options = CacheOptions(2, 16, 4096, 8192, 8, True)
    assert kv_layout(shape("Qwen/Qwen2.5-7B-Instruct"), options).page_bytes == 28 * 16 * 2 * 128 * 2


def test_what_does_not_fit_says_by_how_much() -> None:
    book, node = Book(), instance_type("g6.8xlarge")
    model = shape("Qwen/Qwen3-32B")
    fit = fit_engine(book, "decode", model, engine_settings({}, model, node.gpu_memory), node.gpu_memory, node.source)
    assert not fit.fits
    assert "GiB more than the GPU has" in fit.reason
    assert book.quantities["decode.fit.fits"].value is False


def test_a_sequence_that_is_longer_than_the_cache_does_not_fit() -> None:
    book, node = Book(), instance_type("g6.8xlarge")
    model = shape("Qwen/Qwen3-8B")
    settings = engine_settings({"max_model_len": 40_960}, model, node.gpu_memory)
    fit = fit_engine(book, "decode", model, settings, node.gpu_memory, node.source)
    assert not fit.fits
    assert "one sequence of max_model_len needs" in fit.reason


LOG = """
(EngineCore pid=4108) INFO 05-28 08:00:20 [gpu_model_runner.py:5472] Model loading took 15.27 GiB memory and 9.5 seconds
(EngineCore pid=4108) INFO 05-28 08:00:26 [gpu_worker.py:462] Available KV cache memory: 6.37 GiB
(EngineCore pid=4108) INFO 05-28 08:00:26 [kv_cache_utils.py:1710] GPU KV cache size: 46,368 tokens, \
Maximum concurrency for 16,384 tokens per request: 2.83x
"""


def test_a_log_is_read_and_compared() -> None:
    log = parse_engine_log(LOG)
    assert (log.kv_tokens, log.max_model_len, log.concurrency) == (46_368, 16_384, 2.83)
    assert log.load_seconds == 9.5
    assert log.kv_bytes == 6.37 * GIB
    book = Book()
    book.put("decode.fit.kv_tokens", 46_384, "tokens", "test")
    book.put("decode.fit.weights", 15.26 * GIB, "bytes", "test")
    found = {row.path: row.error for row in compare(book.quantities, "decode", log)}
    assert found["decode.fit.kv_tokens"] == pytest.approx(16 / 46_368)
    assert found["decode.fit.weights"] == pytest.approx(-0.01 / 15.27)


def test_the_older_two_line_form_and_the_cpu_line_are_read() -> None:
    text = (
        "INFO kv_cache_utils.py:864] GPU KV cache size: 42,656 tokens\n"
        "INFO kv_cache_utils.py:868] Maximum concurrency for 32,768 tokens per request: 1.30x\n"
        "INFO cpu_worker.py:226] Explicitly set (1.0/23.5) GiB for KV cache on node 0.\n"
        "INFO default_loader.py:431] Loading weights took 0.52 seconds\n"
    )
    log = parse_engine_log(text)
    assert (log.kv_tokens, log.concurrency, log.kv_bytes, log.load_seconds) == (42_656, 1.30, GIB, 0.52)


def test_a_log_without_the_lines_compares_nothing() -> None:
    assert compare({}, "decode", parse_engine_log("nothing here")) == []

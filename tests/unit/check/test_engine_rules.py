"""TD2 and TD3: the two phases against each other, and the engine against its model."""

import pytest

from tests.unit.check.cases import Case, hold
from tests.unit.check.examples import manifest, serve, spec

HYBRID = """
P|model_loading_config.model_source: Qwen/Qwen3.5-9B
D|model_loading_config.model_source: Qwen/Qwen3.5-9B
"""
LAYOUT = """
P|runtime_env: {env_vars: {VLLM_SSM_CONV_STATE_LAYOUT: DS}}
D|runtime_env: {env_vars: {VLLM_SSM_CONV_STATE_LAYOUT: DS}}
"""
EAGLE = "{method: eagle3, model: draft/eagle, num_speculative_tokens: 2}"

CASES = [
    Case("TD201", serve("D|model_loading_config.model_id: other"), serve()),
    Case("TD202", serve("D|model_loading_config.model_source: Qwen/Qwen3-4B"), serve()),
    Case("TD203", serve("DE|dtype: float16"), serve("DE|dtype: float16\nPE|dtype: float16")),
    Case("TD203", spec("decode.engine: {dtype: float16}"), spec("decode.engine: {dtype: bfloat16}")),
    Case("TD204", serve("DE|kv_cache_dtype: fp8"), serve("DE|kv_cache_dtype: auto")),
    Case("TD205", serve("PE|block_size: 32\nDE|block_size: 16"), serve("PE|block_size: 16\nDE|block_size: 32")),
    Case(
        "TD205",
        serve("PE|block_size: 16\nDE|block_size: 32\nPT|kv_buffer_device: cpu\nDT|kv_buffer_device: cpu"),
        serve("PE|block_size: 16\nDE|block_size: 16\nPT|kv_buffer_device: cpu\nDT|kv_buffer_device: cpu"),
    ),
    Case(
        "TD206",
        serve("PE|tensor_parallel_size: 2\nDE|tensor_parallel_size: 3"),
        serve("PE|tensor_parallel_size: 2\nDE|tensor_parallel_size: 4"),
    ),
    Case("TD207", serve("DX|backends: null"), serve()),
    Case("TD208", serve("DT|kv_connector: NixlPushConnector"), serve("DT|kv_connector: NixlPullConnector")),
    Case(
        "TD209",
        serve("DT|kv_buffer_device: cpu"),
        serve("DT|kv_buffer_device: cpu\nPT|kv_buffer_device: cpu"),
        mends=True,
    ),
    Case(
        "TD210",
        serve("PE|pipeline_parallel_size: 2"),
        serve("PT|kv_connector: NixlPushConnector\nDT|kv_connector: NixlPushConnector\nPE|pipeline_parallel_size: 2"),
    ),
    Case("TD211", serve("PE|prefill_context_parallel_size: 2"), serve()),
    Case(
        "TD211",
        serve("DE|decode_context_parallel_size: 2\nDE|tensor_parallel_size: 4"),
        serve("DE|decode_context_parallel_size: 4\nDE|tensor_parallel_size: 4"),
    ),
    Case(
        "TD212",
        serve("DE|disable_hybrid_kv_cache_manager: true"),
        serve("DE|disable_hybrid_kv_cache_manager: true\nPE|disable_hybrid_kv_cache_manager: true"),
    ),
    Case(
        "TD213",
        serve(f"DE|speculative_config: {EAGLE}"),
        serve(f"DE|speculative_config: {EAGLE}\nPE|speculative_config: {EAGLE}"),
    ),
    Case(
        "TD213",
        serve(f"DE|speculative_config: {EAGLE}"),
        serve("DE|speculative_config: {method: ngram, num_speculative_tokens: 2}"),
    ),
    Case(
        "TD214",
        serve("DE|attention_backend: FLASH_ATTN"),
        serve("DE|attention_backend: FLASH_ATTN\nPE|attention_backend: FLASH_ATTN"),
    ),
    Case("TD215", serve("DE|max_model_len: 8192"), serve("DE|max_model_len: 4096")),
    Case("TD216", serve("DE|quantization: fp8"), serve("DE|quantization: fp8\nPE|quantization: fp8")),
    Case(
        "TD217",
        serve("D|lora_config: {dynamic_lora_loading_path: 's3://a/b'}"),
        serve(
            "D|lora_config: {dynamic_lora_loading_path: 's3://a/b'}\nP|lora_config: {dynamic_lora_loading_path: 's3://a/b'}"
        ),
    ),
    Case("TD218", serve("DE|revision: main"), serve("DE|revision: main\nPE|revision: main")),
    Case(
        "TD219",
        serve("D|experimental_configs: {NIXL_SIDE_CHANNEL_PORT_BASE: 20000}"),
        serve("D|experimental_configs: {NIXL_SIDE_CHANNEL_PORT_BASE: 21000}"),
    ),
    Case(
        "TD220",
        serve("D|model_loading_config.tokenizer_source: a/b"),
        serve("D|model_loading_config.tokenizer_source: a/b\nP|model_loading_config.tokenizer_source: a/b"),
    ),
    Case("TD220", serve("DE|tokenizer: a/b"), serve()),
    Case(
        "TD221",
        serve("PE|enable_return_routed_experts: true"),
        serve("PE|enable_return_routed_experts: false"),
        mends=True,
    ),
    Case(
        "TD301",
        serve(HYBRID + LAYOUT + "PE|disable_hybrid_kv_cache_manager: true"),
        serve("PE|disable_hybrid_kv_cache_manager: true"),
        mends=True,
    ),
    Case("TD302", serve(HYBRID), serve(HYBRID + LAYOUT), mends=True),
    Case("TD302", serve(HYBRID + LAYOUT.replace("DS", "SD")), serve(), mends=True),
    Case(
        "TD302",
        manifest("", HYBRID),
        manifest("WC|env: [{name: VLLM_SSM_CONV_STATE_LAYOUT, value: DS}]", HYBRID),
        mends=True,
    ),
    Case(
        "TD302",
        manifest("", HYBRID),
        manifest("WC|envFrom: [{configMapRef: {name: layout}}]", HYBRID),
        mends=True,
    ),
    Case(
        "TD304",
        spec("model: {source: Qwen/Qwen3.5-9B}\ntarget: {local: {}}\ntransfer: {backend: ucx}"),
        spec(
            "model: {source: Qwen/Qwen3.5-9B}\ntarget: {local: {}}\ntransfer: {backend: ucx}\n"
            "prefill: null\ndecode: null\npool: {}"
        ),
    ),
    Case(
        "TD305",
        serve("PE|enable_chunked_prefill: false\nPE|max_num_batched_tokens: 2048"),
        serve("PE|enable_chunked_prefill: true\nPE|max_num_batched_tokens: 2048"),
    ),
    Case(
        "TD306",
        serve("PE|max_num_batched_tokens: 64\nPE|max_num_seqs: 128"),
        serve("PE|max_num_batched_tokens: 256\nPE|max_num_seqs: 128"),
    ),
    Case(
        "TD307", serve("PE|distributed_executor_backend: mp"), serve("PE|distributed_executor_backend: ray"), mends=True
    ),
    Case(
        "TD308",
        serve("P|deployment_config.ray_actor_options: {num_gpus: 1}"),
        serve("P|deployment_config.ray_actor_options: {num_cpus: 1}"),
        mends=True,
    ),
    Case(
        "TD309",
        serve("PE|tensor_parallel_size: 4\nP|placement_group_config: {bundles: [{GPU: 1}, {GPU: 1}]}"),
        serve("PE|tensor_parallel_size: 2\nP|placement_group_config: {bundles: [{GPU: 1}, {GPU: 1}]}"),
    ),
    Case("TD310", manifest("WC|resources.limits.memory: 12Gi"), manifest("WC|resources.limits.memory: 24Gi")),
    Case(
        "TD310",
        manifest("WC|resources.limits.memory: 12Gi"),
        manifest("WC|resources.limits.memory: 12Gi", "PE|quantization: fp8\nDE|quantization: fp8"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{index}" for index, case in enumerate(CASES)])
def test_engine_rule(case: Case) -> None:
    hold(case)

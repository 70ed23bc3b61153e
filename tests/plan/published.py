"""Published measurements that the step model and the simulator are held against. Facts only, each with its source.

`fit` rows were used to choose the constants of `tandem.plan.efficiency`, `held` rows were not.
"""

from dataclasses import dataclass

SILICON = (
    "https://github.com/ai-dynamo/aiconfigurator/blob/095f58a51c4ca8e61b66ec108d86f223f8d559ce/"
    "aic-core/src/aiconfigurator_core/systems/silicon_sample.csv"
)
"""Measured by InferenceMAX-style closed loops on vLLM 0.12 to 0.19: lengths uniform in 80 to 100 % of the nominal
ones for Llama and gpt-oss, ten requests a client; fixed lengths for Qwen3-32B, whose number of requests and warm-up are
not told, so that only its TPOT is compared."""
L4_BENCH = "https://github.com/ree2raz/inference-bench/tree/621910011ce0dc925611d1d1e66f64add168bc01/raw"
"""vLLM 0.8.5, Qwen2.5-7B fp16 on one L4; medians of 100 requests, computed from the raw records. Prompts of 13 (short)
and 1,487 (long) tokens by another tokenizer, and a chat template of about 27; short answers 128, long ones 512."""
A100_BENCH = (
    "https://github.com/ree2raz/inference-bench/blob/621910011ce0dc925611d1d1e66f64add168bc01/"
    "results/v2_a100_vllm_fp16.jsonl"
)
L4_SMALL = "https://ai.wmx.dev/benchmarks"
"""vLLM 0.23, Qwen2.5-0.5B on one L4, 256 in, 128 out."""
A100_8B = "https://johnmusgrave.com/p/vllm-throughput-latency-sweep-on"
"""vLLM 0.23, Llama-3.1-8B on one A100 40GB: 75 tokens/s for one client, 1024 in, 128 out."""
H100_8B = "https://yobitelcomm.github.io/bench/recipes/concurrency-sweep/"
"""vLLM 0.21, Llama-3.1-8B fp16 on one H100, short chat prompts; their length is not told and is taken as 100."""


@dataclass(frozen=True)
class Point:
    """One measured closed loop of `concurrency` clients. Times in milliseconds; None was not measured or not told."""

    kind: str
    model: str
    gpu: str
    tensor_parallel: int
    prompt: int
    output: int
    concurrency: int
    ttft: float | None
    tpot: float | None
    source: str
    spread: float = 1.0
    """Lengths are uniform between this share of the nominal ones and the nominal ones."""
    batched_tokens: int = 8192

    @property
    def name(self) -> str:
        """For people and for test ids."""
        load = f"{self.prompt}/{self.output} x{self.concurrency}"
        return f"{self.model.split('/')[-1]} {self.gpu} TP{self.tensor_parallel} {load}"


_ROWS: tuple[tuple[str, str, str, int, int, int, int, float | None, float], ...] = (
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 1024, 1024, 4, 121.3, 17.41),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 1024, 1024, 16, 252.5, 19.74),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 1024, 8192, 4, 124.0, 17.97),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 1024, 8192, 16, 191.3, 22.13),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 8192, 1024, 4, 737.5, 20.62),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 2, 8192, 1024, 16, 1284.1, 34.63),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 1024, 1024, 4, 70.4, 9.11),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 1024, 1024, 16, 93.0, 11.39),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 1024, 8192, 4, 73.1, 9.2),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 1024, 8192, 16, 93.2, 11.58),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 8192, 1024, 4, 300.8, 10.22),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 8, 8192, 1024, 16, 482.9, 15.85),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 1024, 1024, 4, 202.8, 21.47),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 1024, 1024, 16, 315.8, 24.72),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 1024, 8192, 4, 210.3, 22.05),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 1024, 8192, 16, 325.1, 27.29),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 8192, 1024, 4, 1344.8, 26.14),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 1, 8192, 1024, 16, 2163.0, 47.48),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 1024, 1024, 4, 73.0, 7.93),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 1024, 1024, 16, 109.3, 9.71),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 1024, 8192, 4, 75.6, 7.93),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 1024, 8192, 16, 101.4, 9.75),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 8192, 1024, 4, 303.2, 8.76),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 8, 8192, 1024, 16, 479.5, 13.36),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 1024, 1024, 4, 122.4, 16.34),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 1024, 1024, 16, 199.1, 17.67),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 1024, 8192, 4, 137.5, 16.67),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 1024, 8192, 16, 180.0, 17.89),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 8192, 1024, 4, 744.9, 18.34),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 1, 8192, 1024, 16, 1486.0, 27.71),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 1024, 1024, 4, 124.9, 8.04),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 1024, 1024, 16, 143.4, 8.98),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 1024, 8192, 4, 140.9, 8.4),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 1024, 8192, 16, 179.1, 8.37),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 8192, 1024, 4, 330.0, 8.71),
    ("fit", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 4, 8192, 1024, 16, 517.0, 12.07),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 1024, 1024, 4, 85.7, 6.33),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 1024, 1024, 16, 133.2, 12.65),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 1024, 8192, 4, 96.1, 6.15),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 1024, 8192, 16, 133.5, 11.74),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 8192, 1024, 4, 407.6, 7.08),
    ("fit", "openai/gpt-oss-120b", "h200", 1, 8192, 1024, 16, 660.7, 15.75),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 128, 8, None, 18.04),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 128, 32, None, 29.38),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 512, 8, None, 16.48),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 512, 32, None, 21.0),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 1024, 8, None, 15.9),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 1024, 1024, 32, None, 20.06),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 128, 8, None, 26.34),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 128, 32, None, 74.99),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 512, 8, None, 19.14),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 512, 32, None, 35.75),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 1024, 8, None, 17.87),
    ("fit", "Qwen/Qwen3-32B", "h100", 2, 4096, 1024, 32, None, 29.33),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 128, 8, None, 8.66),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 128, 32, None, 14.35),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 512, 8, None, 8.05),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 512, 32, None, 10.9),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 1024, 8, None, 7.96),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 1024, 1024, 32, None, 10.45),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 128, 8, None, 11.17),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 128, 32, None, 29.12),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 512, 8, None, 8.9),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 512, 32, None, 15.33),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 1024, 8, None, 8.57),
    ("fit", "Qwen/Qwen3-32B", "h100", 8, 4096, 1024, 32, None, 13.16),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 1024, 4, 80.5, 11.78),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 1024, 16, 121.4, 13.19),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 1024, 64, 256.4, 19.51),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 8192, 4, 85.9, 12.0),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 8192, 16, 127.9, 14.09),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 1024, 8192, 64, 261.4, 23.41),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 8192, 1024, 4, 453.3, 13.27),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 8192, 1024, 16, 731.5, 21.06),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h100", 4, 8192, 1024, 64, 1744.9, 53.49),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 1024, 4, 121.3, 13.91),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 1024, 16, 189.8, 15.65),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 1024, 64, 417.0, 22.71),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 8192, 4, 131.5, 14.2),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 8192, 16, 197.5, 17.18),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 1024, 8192, 64, 413.0, 26.84),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 8192, 1024, 4, 732.7, 16.32),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 8192, 1024, 16, 1248.9, 27.47),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 2, 8192, 1024, 64, 2963.9, 71.8),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 1024, 4, 90.6, 9.85),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 1024, 16, 126.2, 10.94),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 1024, 64, 264.5, 16.07),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 8192, 4, 89.6, 9.96),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 8192, 16, 135.8, 11.29),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 1024, 8192, 64, 256.8, 18.46),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 8192, 1024, 4, 468.6, 11.27),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 8192, 1024, 16, 775.2, 17.44),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "h200", 4, 8192, 1024, 64, 1817.5, 46.11),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 1024, 4, 91.5, 10.64),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 1024, 16, 136.4, 11.37),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 1024, 64, 294.3, 15.89),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 8192, 4, 98.1, 10.38),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 8192, 16, 141.6, 11.32),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 1024, 8192, 64, 246.4, 15.68),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 8192, 1024, 4, 463.5, 11.75),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 8192, 1024, 16, 759.0, 17.46),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 2, 8192, 1024, 64, 1852.3, 42.01),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 1024, 4, 100.4, 6.32),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 1024, 16, 144.8, 7.61),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 1024, 64, 218.6, 12.54),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 8192, 4, 89.7, 6.52),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 8192, 16, 144.5, 7.03),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 1024, 8192, 64, 259.0, 10.45),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 8192, 1024, 4, 262.7, 7.18),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 8192, 1024, 16, 403.6, 9.77),
    ("held", "nvidia/Llama-3.1-70B-Instruct-FP8", "b200", 8, 8192, 1024, 64, 932.7, 22.28),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 1024, 4, 63.8, 4.8),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 1024, 16, 93.1, 7.88),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 1024, 64, 177.9, 14.42),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 8192, 4, 63.5, 4.66),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 8192, 16, 88.1, 7.45),
    ("held", "openai/gpt-oss-120b", "h200", 2, 1024, 8192, 64, 173.4, 13.87),
    ("held", "openai/gpt-oss-120b", "h200", 2, 8192, 1024, 4, 268.4, 5.31),
    ("held", "openai/gpt-oss-120b", "h200", 2, 8192, 1024, 16, 430.8, 10.28),
    ("held", "openai/gpt-oss-120b", "h200", 2, 8192, 1024, 64, 927.6, 24.94),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 1024, 4, 46.1, 3.93),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 1024, 16, 63.6, 5.6),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 1024, 64, 117.0, 9.48),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 8192, 4, 46.1, 3.91),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 8192, 16, 56.4, 5.29),
    ("held", "openai/gpt-oss-120b", "h200", 4, 1024, 8192, 64, 120.0, 9.13),
    ("held", "openai/gpt-oss-120b", "h200", 4, 8192, 1024, 4, 179.8, 4.29),
    ("held", "openai/gpt-oss-120b", "h200", 4, 8192, 1024, 16, 293.7, 7.02),
    ("held", "openai/gpt-oss-120b", "h200", 4, 8192, 1024, 64, 634.0, 16.13),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 1024, 4, 59.3, 5.03),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 1024, 16, 90.7, 8.18),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 1024, 64, 169.0, 14.83),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 8192, 4, 57.7, 4.96),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 8192, 16, 89.6, 7.79),
    ("held", "openai/gpt-oss-120b", "h100", 2, 1024, 8192, 64, 163.6, 14.38),
    ("held", "openai/gpt-oss-120b", "h100", 2, 8192, 1024, 4, 264.7, 5.6),
    ("held", "openai/gpt-oss-120b", "h100", 2, 8192, 1024, 16, 410.8, 10.78),
    ("held", "openai/gpt-oss-120b", "h100", 2, 8192, 1024, 64, 975.6, 26.32),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 128, 8, None, 11.76),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 128, 32, None, 19.18),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 512, 8, None, 10.73),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 512, 32, None, 14.18),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 1024, 8, None, 10.6),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 1024, 1024, 32, None, 13.69),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 128, 8, None, 16.46),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 128, 32, None, 43.83),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 512, 8, None, 12.3),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 512, 32, None, 22.03),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 1024, 8, None, 11.79),
    ("held", "Qwen/Qwen3-32B", "h100", 4, 4096, 1024, 32, None, 18.72),
)

_7B, _05B = "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-0.5B-Instruct"
_8B = "meta-llama/Llama-3.1-8B-Instruct"

SMALL: tuple[Point, ...] = (
    Point("fit", _7B, "l4", 1, 40, 128, 1, 71.8, 58.3, L4_BENCH, 1.0, 2048),
    Point("fit", _7B, "l4", 1, 40, 128, 64, None, 75.7, L4_BENCH, 1.0, 2048),
    Point("fit", _7B, "l4", 1, 1515, 512, 1, 423.0, None, L4_BENCH, 1.0, 2048),
    Point("fit", _05B, "l4", 1, 256, 128, 1, None, 5.1, L4_SMALL, 1.0, 2048),
    Point("held", _7B, "l4", 1, 40, 128, 4, None, 59.96, L4_BENCH, 1.0, 2048),
    Point("held", _7B, "l4", 1, 40, 128, 16, None, 61.93, L4_BENCH, 1.0, 2048),
    Point("held", _7B, "l4", 1, 40, 128, 32, None, 68.04, L4_BENCH, 1.0, 2048),
    Point("held", _7B, "l4", 1, 1515, 512, 1, None, 58.92, L4_BENCH, 1.0, 2048),
    Point("held", _05B, "l4", 1, 256, 128, 4, 50.1, 5.3, L4_SMALL, 1.0, 2048),
    Point("held", _05B, "l4", 1, 256, 128, 8, 60.9, 5.5, L4_SMALL, 1.0, 2048),
    Point("held", _05B, "l4", 1, 256, 128, 16, 103.8, 6.0, L4_SMALL, 1.0, 2048),
    Point("held", _05B, "l4", 1, 256, 128, 32, 135.3, 7.1, L4_SMALL, 1.0, 2048),
    Point("fit", _7B, "a100-40gb", 1, 40, 128, 1, 25.1, 12.4, A100_BENCH, 1.0, 2048),
    Point("fit", _7B, "a100-40gb", 1, 40, 128, 64, None, 15.2, A100_BENCH, 1.0, 2048),
    Point("held", _7B, "a100-40gb", 1, 40, 128, 16, None, 12.6, A100_BENCH, 1.0, 2048),
    Point("held", _8B, "a100-40gb", 1, 1024, 128, 1, None, 13.3, A100_8B, 1.0, 2048),
    Point("held", _8B, "h100", 1, 100, 128, 1, 13.98, 6.48, H100_8B),
)

POINTS: tuple[Point, ...] = (
    *(Point(*row, source=SILICON, spread=1.0 if "Qwen" in row[1] else 0.8) for row in _ROWS),
    *SMALL,
)

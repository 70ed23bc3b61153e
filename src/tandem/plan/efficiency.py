"""How much of an accelerator's peak an engine really gets, fitted to published measurements.

The points, which of them were used for the fit and which were held out, stand in `docs/plan-accuracy.md` and in
`tests/plan/published.py`; a test prints the error on both.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Efficiency:
    """Fractions of peak and fixed costs of one kind of engine."""

    memory: float
    """Of the memory bandwidth, while weights and KV cache are read."""
    compute: float
    """Of the dense bf16 rate, in prefill."""
    compute_fp8: float
    """Of the dense fp8 rate: quantisation kernels run beside the products."""
    expert_memory: float
    """Of `memory`, while routed experts are read: many small matrices."""
    expert_compute: float
    """Of the rate of a dense layer, in the products of routed experts: each sees a few of the tokens."""
    layer_seconds: float
    """Fixed time of one layer in one step: launches, and waiting at the end of each collective."""
    calibrated: bool
    """False when the accelerator has no published point of its own and the numbers are its generation's."""
    basis: str
    """Where the numbers come from."""


_HOPPER = "fitted to Qwen3-32B (vLLM 0.12, TP 2, 8) and Llama-3.1-70B FP8 (H100 TP 2, 8; H200 TP 1, 8)"
_BLACKWELL = "fitted to Llama-3.1-70B FP8 on B200 (TP 1, 4); bf16 was not measured and is taken as 60%"
_ADA = "fitted to Qwen2.5-7B (vLLM 0.8.5; 1 and 64 streams, a 1,515-token prompt) and 0.5B on L4"
_AMPERE = "fitted to Qwen2.5-7B on A100 40GB (vLLM 0.20.1; 1 and 64 streams)"

_TABLE = {
    "h100": Efficiency(0.95, 0.60, 0.46, 0.8, 0.27, 80e-6, True, _HOPPER),
    "h200": Efficiency(0.95, 0.60, 0.46, 0.8, 0.27, 70e-6, True, _HOPPER),
    "b200": Efficiency(0.95, 0.60, 0.33, 0.8, 0.27, 70e-6, True, _BLACKWELL),
    "b300": Efficiency(0.95, 0.60, 0.33, 0.8, 0.27, 70e-6, False, "not measured: taken from B200"),
    "l4": Efficiency(0.86, 0.47, 0.47, 0.8, 0.27, 50e-6, True, _ADA),
    "l40s": Efficiency(0.86, 0.47, 0.47, 0.8, 0.27, 50e-6, False, "not measured: taken from L4"),
    "a100-40gb": Efficiency(0.93, 0.70, 0.70, 0.8, 0.27, 65e-6, True, _AMPERE),
    "a100-80gb": Efficiency(0.93, 0.70, 0.70, 0.8, 0.27, 65e-6, False, "not measured: taken from A100 40GB"),
    "a10g": Efficiency(0.86, 0.60, 0.60, 0.8, 0.27, 60e-6, False, "not measured: between A100 and L4"),
    "t4": Efficiency(0.80, 0.40, 0.40, 0.8, 0.27, 60e-6, False, "not measured: below L4"),
}

REQUEST_SECONDS = 0.010
"""From the arrival of a request to its first step, and from the step to the wire: HTTP, template, tokeniser, queue.
Median of (TTFT of a short prompt - one decode step) on L4 and A100 (0.0135, 0.0127 s) and H100 (0.0075 s)."""


def efficiency(accelerator: str) -> Efficiency:
    """The row of an accelerator of `tandem.facts.accelerators`."""
    return _TABLE[accelerator]

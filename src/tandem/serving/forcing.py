"""Repeats an answer that a dead engine had begun: a logits processor that forces the tokens it had already given.

The engine samples as always, so that seeds, penalties, structured output and logprobs stand after the last forced
token where they stood before. vLLM's interface: https://docs.vllm.ai/en/stable/features/custom_logitsprocs/.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

if TYPE_CHECKING:
    import torch
    from vllm.sampling_params import SamplingParams

FORCED_TOKENS = "tandem_forced_tokens"
"""Key in SamplingParams.extra_args: the token ids to begin the answer with."""


class ForcedTokens(AdapterLogitsProcessor):
    """Active for requests that carry forced tokens only."""

    def is_argmax_invariant(self) -> bool:
        """It changes the greedy choice as well."""
        return False

    def new_req_logits_processor(
        self, params: "SamplingParams"
    ) -> "Callable[[list[int], torch.Tensor], torch.Tensor] | None":
        """The processor of one request, or None when it has nothing to force."""
        forced: list[int] | None = (params.extra_args or {}).get(FORCED_TOKENS)
        return _Force(forced) if forced else None


class _Force:
    def __init__(self, tokens: list[int]) -> None:
        self._tokens = tokens

    def __call__(self, output_ids: list[int], logits: "torch.Tensor") -> "torch.Tensor":
        position = len(output_ids)
        if position < len(self._tokens):
            logits.fill_(float("-inf"))
            logits[self._tokens[position]] = 0.0
        return logits

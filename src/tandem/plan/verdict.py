"""Does disaggregation pay for this traffic, and why, in one sentence."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from tandem.plan.ratio import Offer, Options, pool_offer, smallest_pool, smallest_split, split_offer
from tandem.plan.simulate.workload import Lengths

MARGIN = 0.05
"""A saving below this is less than the model's own error: then the simpler of the two wins."""
LENGTHS = (256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768)


@dataclass(frozen=True)
class Verdict:
    """yes, no, or only above a prompt length."""

    answer: Literal["yes", "no", "only above"]
    threshold: int | None
    """Prompt tokens, for `only above`."""
    reason: str
    split: Offer | None
    """The cheapest prefill + decode that holds the targets; for goal throughput, 1:1."""
    pool: Offer | None
    """The same for a pool."""


def decide(options: Options, goal: str, longest: int) -> Verdict:
    """The verdict for the traffic in `options`.

    Args:
        goal: `slo`, or `throughput`, for which a pool is always at least as good.
        longest: max_model_len; no longer prompts are looked at.
    """
    split, pool = smallest_split(options), smallest_pool(options)
    if goal == "throughput":
        reason = (
            "for most tokens a dollar every engine should do both phases: splitting moves work between engines and "
            "adds a transfer, it does not remove any"
        )
        return Verdict("no", None, reason, split, pool)
    if pays(split, pool):
        return _yes_or_above(options, split, pool, longest)
    threshold = threshold_tokens(options, longest)
    if threshold and 0.05 <= options.demand.prompts.above(threshold) < 1 and options.demand.prompts.sigma:
        reason = f"prompts of {threshold:,} tokens and more alone would be cheaper split; those below are not"
        return Verdict("only above", threshold, reason, split, pool)
    return Verdict("no", None, _why_not(options, split, pool), split, pool)


def pays(split: Offer | None, pool: Offer | None) -> bool:
    """True when prefill + decode holds the targets for less, or when no pool holds them."""
    if split is None:
        return False
    return pool is None or split.cost < pool.cost * (1 - MARGIN)


def threshold_tokens(options: Options, longest: int) -> int | None:
    """The shortest prompt length from which on a service of such prompts alone is cheaper split; None for none."""
    found: int | None = None
    for tokens in LENGTHS:
        if tokens >= longest:
            break
        at = _with_prompts(options, tokens)
        split_pays = pays(smallest_split(at), smallest_pool(at))
        found = (found or tokens) if split_pays else None
    return found


def _with_prompts(options: Options, tokens: int) -> Options:
    return replace(options, demand=replace(options.demand, prompts=Lengths(tokens, tokens)))


def _yes_or_above(options: Options, split: Offer | None, pool: Offer | None, longest: int) -> Verdict:
    if split is None:
        raise ValueError("a split that pays exists")
    threshold = threshold_tokens(options, longest)
    reason = _why(split, pool, options)
    share = options.demand.prompts.above(threshold) if threshold else 1.0
    if threshold and 0.05 <= share < 0.5:
        reason += f"; prompts below {threshold:,} tokens gain nothing"
        return Verdict("only above", threshold, reason, split, pool)
    return Verdict("yes", threshold, reason, split, pool)


def _why(split: Offer, pool: Offer | None, options: Options) -> str:
    if pool is None:
        stalled = pool_offer(options, 2 * (split.prefill + split.decode)).prediction
        return (
            f"no pool holds the targets: a long prompt beside decoding makes the 95th percentile of ITL "
            f"{_ms(stalled.itl_p95)} ms and of TTFT {_ms(stalled.ttft_p95)} ms even with twice the engines"
        )
    saved = 1 - split.cost / pool.cost
    return (
        f"{split.prefill} prefill and {split.decode} decode engines hold the targets for {saved:.0%} less than "
        f"the {pool.decode} engines of a pool"
    )


def _why_not(options: Options, split: Offer | None, pool: Offer | None) -> str:
    if split is None and pool is None:
        return "neither holds the targets with these nodes: " + _shortfall(options)
    if split is None:
        return "a pool holds the targets and prefill + decode does not: " + _shortfall(options)
    if pool is None:
        raise ValueError("then the split pays")
    same = pool_offer(options, split.prefill + split.decode).prediction
    return (
        f"a pool of {pool.decode} holds the same targets as {split.prefill} prefill + {split.decode} decode "
        f"engines; with as many engines the split changes the 95th percentile of ITL from {_ms(same.itl_p95)} to "
        f"{_ms(split.prediction.itl_p95)} ms and of TTFT from {_ms(same.ttft_p95)} to "
        f"{_ms(split.prediction.ttft_p95)} ms"
    )


def _shortfall(options: Options) -> str:
    """What stands in the way of a split, at its most generous."""
    many = split_offer(options, 32, 32).prediction
    sent = options.transfer.seconds(options.demand.new_tokens(0.95))
    if many.ttft_p95 > options.targets.ttft:
        return (
            f"the first token of a long prompt takes {_ms(many.ttft_p95)} ms at best ({_ms(sent)} ms of it transfer), "
            f"the target is {_ms(options.targets.ttft)} ms"
        )
    if many.itl_p95 > options.targets.itl:
        return f"one decode step takes {_ms(many.itl_p95)} ms at best, the target is {_ms(options.targets.itl)} ms"
    return "it would need more than 64 engines of a kind"


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:,.0f}" if math.isfinite(seconds) else "unboundedly many"

"""How many of each: the smallest x:y that holds the targets, the best goodput a dollar, and one pool of the same."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tandem.plan.load import MOST_BUSY, Demand, Engines, Prediction, Transfer, predict_pool, predict_split

CHUNKS = (256, 512, 1024, 2048)
"""Sizes of max_num_batched_tokens that a pool is tried with beside its own: a smaller chunk stalls decoding less and
lets the prompt wait longer. A pool that nobody tuned would be no fair opponent."""
MOST_REPLICAS = 64
"""Beyond this many engines of a kind the search gives up: a larger service is several of these side by side."""


@dataclass(frozen=True)
class Targets:
    """95th percentiles in seconds."""

    ttft: float
    itl: float


@dataclass(frozen=True)
class Offer:
    """One way to serve: `prefill` is 0 for a pool, whose engines are `decode`."""

    prefill: int
    decode: int
    cost: float
    """Weight of its nodes, in dollars an hour, or in GPUs when no price is known."""
    prediction: Prediction
    chunk: int = 0
    """max_num_batched_tokens of a pool's engines; 0 for a split."""

    @property
    def split(self) -> bool:
        """True for prefill + decode."""
        return self.prefill > 0


@dataclass(frozen=True)
class Options:
    """Everything that the search needs to know."""

    prefill: Engines
    decode: Engines
    pool: Engines
    transfer: Transfer
    demand: Demand
    targets: Targets
    prefill_cost: float
    decode_cost: float
    request_seconds: float


def smallest_split(options: Options) -> Offer | None:
    """The cheapest x:y whose 95th percentiles hold; None when none of up to 64 engines each does."""
    best: Offer | None = None
    for x in range(1, MOST_REPLICAS + 1):
        if best and x * options.prefill_cost + options.decode_cost >= best.cost:
            break
        y = _first(partial(split_offer, options, x), options.targets)
        if y and (best is None or y.cost < best.cost):
            best = y
    return best


def smallest_pool(options: Options) -> Offer | None:
    """The smallest pool whose 95th percentiles hold; None when none of up to 128 engines does."""
    return _first(partial(pool_offer, options), options.targets, 2 * MOST_REPLICAS)


def split_offer(options: Options, x: int, y: int) -> Offer:
    """x prefill and y decode engines under the demand."""
    prediction = predict_split(
        options.prefill, options.decode, options.transfer, options.demand, x, y, options.request_seconds
    )
    return Offer(x, y, x * options.prefill_cost + y * options.decode_cost, prediction)


def pool_offer(options: Options, replicas: int) -> Offer:
    """A pool of decode nodes under the demand, with the chunk size that suits the targets best."""
    own = options.pool.batched_tokens
    offers = [_pool(options, replicas, chunk) for chunk in (own, *(size for size in CHUNKS if size < own))]
    return min(offers, key=lambda offer: _miss(offer.prediction, options.targets))


def untuned_pool(options: Options, replicas: int) -> Offer:
    """The same with the engines' own max_num_batched_tokens."""
    return _pool(options, replicas, options.pool.batched_tokens)


def capacity(options: Options, offer: Offer) -> float:
    """The highest request rate at which `offer` still holds the targets: its goodput. 0 when it never does."""

    def holds(rate: float) -> bool:
        at = replace(options, demand=replace(options.demand, rate=rate))
        found = split_offer(at, offer.prefill, offer.decode) if offer.split else pool_offer(at, offer.decode)
        return found.prediction.holds(options.targets.ttft, options.targets.itl)

    low, high = 0.0, max(options.demand.rate, 0.01)
    while holds(high):
        low, high = high, high * 2
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def best_goodput(options: Options, most: int) -> tuple[Offer, float] | None:
    """Of all splits with at most `most` engines the one with the most requests a dollar, and that rate."""
    best: tuple[Offer, float] | None = None
    for x in range(1, most):
        for y in range(1, most - x + 1):
            offer = split_offer(options, x, y)
            rate = capacity(options, offer)
            if rate and (best is None or rate / offer.cost > best[1] / best[0].cost * 1.001):
                best = (offer, rate)
    return best


def _pool(options: Options, replicas: int, chunk: int) -> Offer:
    engines = replace(options.pool, batched_tokens=chunk)
    prediction = predict_pool(engines, options.demand, replicas, options.request_seconds)
    return Offer(0, replicas, replicas * options.decode_cost, prediction, chunk)


def _miss(prediction: Prediction, targets: Targets) -> float:
    """How far the worst of both percentiles is from its target; at most 1 when both hold."""
    carried = max(prediction.prefill_busy, prediction.decode_busy)
    worst = max(prediction.ttft_p95 / targets.ttft, prediction.itl_p95 / targets.itl)
    return worst if carried < MOST_BUSY else math.inf


def _first(offer: Callable[[int], Offer], targets: Targets, most: int = MOST_REPLICAS) -> Offer | None:
    """The smallest number that holds; more engines never make it worse, so it is found by bisection."""
    if not offer(most).prediction.holds(targets.ttft, targets.itl):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if offer(middle).prediction.holds(targets.ttft, targets.itl) else (middle, high)
    return offer(high)

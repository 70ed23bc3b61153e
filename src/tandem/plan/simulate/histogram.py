"""Weighted times in logarithmic buckets of one per cent: percentiles of millions of gaps in constant memory."""

import math
from collections.abc import Sequence

_GROWTH = math.log(1.01)


class Histogram:
    """Positive numbers with weights."""

    def __init__(self) -> None:
        self._weights: dict[int, float] = {}
        self.count = 0.0
        self.total = 0.0

    def add(self, value: float, weight: float = 1.0) -> None:
        """Counts `value` `weight` times."""
        bucket = round(math.log(value) / _GROWTH)
        self._weights[bucket] = self._weights.get(bucket, 0.0) + weight
        self.count += weight
        self.total += value * weight

    def percentile(self, share: float) -> float | None:
        """The value below which `share` of the weight lies, exact to one per cent; None when nothing was counted."""
        goal = share * self.count
        below = 0.0
        for bucket in sorted(self._weights):
            below += self._weights[bucket]
            if below >= goal:
                return math.exp(bucket * _GROWTH)
        return None

    @property
    def mean(self) -> float | None:
        """Weighted mean; None when nothing was counted."""
        return self.total / self.count if self.count else None


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value at rank ⌈share · n⌉ of `values`; None for none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

"""Random numbers that are the same on every machine and in every version of Python."""

import math

_MASK = (1 << 64) - 1


class Stream:
    """SplitMix64 (Steele, Lea, Flood 2014, https://doi.org/10.1145/2714064.2660195), seeded explicitly."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def uniform(self) -> float:
        """In (0, 1): never 0, so that its logarithm exists."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((z ^ (z >> 31)) + 0.5) / (_MASK + 1)

    def exponential(self, mean: float) -> float:
        """Of the given mean."""
        return -mean * math.log(self.uniform())

    def normal(self) -> float:
        """Of mean 0 and variance 1, by Box and Muller."""
        return math.sqrt(-2 * math.log(self.uniform())) * math.cos(2 * math.pi * self.uniform())

    def gamma(self, shape: float, mean: float) -> float:
        """Of the given mean and a coefficient of variation of 1/√shape, by Marsaglia and Tsang
        (https://doi.org/10.1145/358407.358414)."""
        if shape < 1:
            return self.gamma(shape + 1, mean * (shape + 1) / shape) * math.pow(self.uniform(), 1 / shape)
        d = shape - 1 / 3
        while True:
            x = self.normal()
            v = (1 + x / math.sqrt(9 * d)) ** 3
            if v > 0 and math.log(self.uniform()) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v * mean / shape

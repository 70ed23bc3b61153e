"""A circuit breaker: pure, the time comes in as an argument.

Closed: calls go through. After `threshold` failures in a row: open, no calls for `cooldown` seconds, doubling up to
`max_cooldown` while probes fail. After the cooldown one probe goes through; its success closes the breaker.
"""

from dataclasses import dataclass, field


@dataclass
class Breaker:
    """Times are seconds of any monotonic clock."""

    threshold: int = 1
    cooldown: float = 1.0
    max_cooldown: float = 8.0
    _failures: int = field(default=0, init=False)
    _retry_at: float = field(default=0.0, init=False)

    def allows(self, now: float) -> bool:
        """True when a call may go through. An open breaker lets one probe through per cooldown."""
        if self._failures < self.threshold:
            return True
        if now < self._retry_at:
            return False
        self._retry_at = now + self._wait()
        return True

    def failed(self, now: float) -> None:
        """A call failed."""
        self._failures += 1
        self._retry_at = now + self._wait()

    def succeeded(self) -> None:
        """A call succeeded."""
        self._failures = 0

    def _wait(self) -> float:
        opened = max(0, self._failures - self.threshold)
        return min(self.max_cooldown, self.cooldown * 2.0 ** min(opened, 16))

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
    _probing: bool = field(default=False, init=False)

    @property
    def closed(self) -> bool:
        """True while calls are answered as far as is known."""
        return not self._open()

    def allows(self, now: float) -> bool:
        """True when a call may go through. Asking changes nothing: who is allowed may decide not to call."""
        return not self._open() or now >= self._retry_at

    def began(self, now: float) -> None:
        """A call is on its way. To an open breaker it is the probe: nobody else may call for another cooldown."""
        if self._open():
            self._probing = True
            self._retry_at = now + self._wait()

    def failed(self, now: float) -> None:
        """A call failed. One that was under way when the breaker opened tells nothing new and is not counted."""
        if self._open() and not self._probing:
            return
        self._probing = False
        self._failures += 1
        self._retry_at = now + self._wait()

    def succeeded(self) -> None:
        """A call succeeded."""
        self._failures = 0
        self._probing = False

    def _open(self) -> bool:
        return self._failures >= self.threshold

    def _wait(self) -> float:
        opened = max(0, self._failures - self.threshold)
        return min(self.max_cooldown, self.cooldown * 2.0 ** min(opened, 16))

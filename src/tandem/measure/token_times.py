"""Times of one streamed answer as a client sees them."""

import re
import statistics
from dataclasses import dataclass, field

_ROUTE = re.compile(r'route;desc="(\w+)"')
_REASON = re.compile(r'reason;desc="(\w+)"')


@dataclass
class TokenTimes:
    """Seconds of one monotonic clock: when the request was sent, and when each part of the answer arrived."""

    sent: float
    arrived: list[float] = field(default_factory=list)

    @property
    def ttft(self) -> float | None:
        """Seconds to the first part, or None when nothing arrived."""
        return self.arrived[0] - self.sent if self.arrived else None

    @property
    def itl(self) -> float | None:
        """Median seconds between parts, or None with fewer than two."""
        gaps = [later - earlier for earlier, later in zip(self.arrived, self.arrived[1:], strict=False)]
        return statistics.median(gaps) if gaps else None


def summary(times: TokenTimes, server_timing: str) -> str:
    """One line: route and why, TTFT, median ITL, number of parts. What is unknown is left out."""
    route = _ROUTE.search(server_timing)
    reason = _REASON.search(server_timing)
    parts = [f"route {route[1]}" + (f" ({reason[1]})" if reason else "")] if route else []
    if times.ttft is not None:
        parts.append(f"TTFT {times.ttft * 1000:.0f} ms")
    if times.itl is not None:
        parts.append(f"ITL p50 {times.itl * 1000:.0f} ms")
    return " · ".join([*parts, f"{len(times.arrived)} tokens"])

"""Whether one request field means on a service what it means on one engine."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FieldVerdict:
    """All requests that stand for one field of one endpoint, and what they showed.

    `sent`, `expected` and `got` tell of the first request that differed, else of one that agreed.
    """

    endpoint: str
    field: str
    requests: int
    agrees: bool
    sent: str
    expected: str
    got: str


def conclusion(verdicts: Sequence[FieldVerdict]) -> str:
    """The last line of a report."""
    return f"{sum(verdict.agrees for verdict in verdicts)} of {len(verdicts)} fields agree"

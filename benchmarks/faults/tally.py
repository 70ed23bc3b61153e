"""Records of a load → counts and throughput. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.faults.kills import Kill
from benchmarks.faults.load import Record

WINDOW_SECONDS = 20.0
_MINUTE_SECONDS = 60.0


@dataclass(frozen=True)
class Window:
    """What ended within some seconds of the load. `killed` counts replicas."""

    begin: float
    answered: int
    failed: int
    killed: int


@dataclass(frozen=True)
class Tally:
    """One side's result. Throughput is right answers a second."""

    failed: int
    total: int
    failures: dict[str, int]
    killed: int
    windows: list[Window]
    first_minute: float
    last_minute: float
    slowest: float | None
    """Seconds of the slowest right answer."""


def tally(records: Sequence[Record], kills: Sequence[Kill], seconds: float) -> Tally:
    """Requests that ended after `seconds` are counted in the total, and in no window."""
    failures = Counter(record.failure for record in records if record.failure is not None)
    right = [record for record in records if record.failure is None]
    minute = min(_MINUTE_SECONDS, seconds)
    return Tally(
        failed=failures.total(),
        total=len(records),
        failures=dict(sorted(failures.items())),
        killed=sum(len(kill.pids) for kill in kills),
        windows=_windows(records, kills, seconds),
        first_minute=_between(right, 0.0, minute) / minute,
        last_minute=_between(right, seconds - minute, seconds) / minute,
        slowest=max((record.ended - record.sent for record in right), default=None),
    )


def _windows(records: Sequence[Record], kills: Sequence[Kill], seconds: float) -> list[Window]:
    windows = []
    for number in range(int(-(-seconds // WINDOW_SECONDS))):
        begin, end = number * WINDOW_SECONDS, min((number + 1) * WINDOW_SECONDS, seconds)
        inside = [record for record in records if begin <= record.ended < end]
        failed = sum(record.failure is not None for record in inside)
        killed = sum(len(kill.pids) for kill in kills if begin <= kill.at < end)
        windows.append(Window(begin, len(inside) - failed, failed, killed))
    return windows


def _between(records: Sequence[Record], begin: float, end: float) -> int:
    return sum(begin <= record.ended < end for record in records)

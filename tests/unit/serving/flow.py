"""The orchestrator's flow with two fake engines, as tandem.serving.engine drives it with the real ones."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tandem.serving.orchestrator import (
    AskPrefill,
    Decode,
    Event,
    Orchestrator,
    Prefilled,
    PrefillFailed,
    Refused,
    Step,
    TransferFailed,
)

TRANSFER: Mapping[str, Any] = {"remote_block_ids": [1, 2], "remote_port": 20000}


@dataclass(frozen=True)
class Attempt:
    """What one prefill attempt would do if it had all the time: answer or raise, after `seconds`.

    `refused`: decode's own engine would not take the sequence, which is seen before prefill is asked.
    """

    seconds: float = 0.1
    raises: bool = False
    refused: bool = False


@dataclass
class FakePrefill:
    """Plays `attempts` in turn; an attempt that takes longer than it is given times out."""

    attempts: Iterator[Attempt]
    timeouts: list[float] = field(default_factory=list)
    spent: float = 0.0

    def ask(self, step: AskPrefill) -> Event:
        self.timeouts.append(step.timeout_seconds)
        attempt = next(self.attempts)
        if attempt.refused:
            return Refused()
        elapsed = min(attempt.seconds, step.timeout_seconds)
        self.spent += elapsed
        if attempt.seconds >= step.timeout_seconds:
            return PrefillFailed(elapsed, timed_out=True)
        return PrefillFailed(elapsed) if attempt.raises else Prefilled(TRANSFER)


@dataclass
class FakeDecode:
    """Keeps the steps it was given; with `loads` false it cannot load a transferred KV cache."""

    loads: bool = True
    steps: list[Decode] = field(default_factory=list)

    def decode(self, step: Decode) -> TransferFailed | None:
        self.steps.append(step)
        return TransferFailed() if step.transfer is not None and not self.loads else None


def serve(orchestrator: Orchestrator, prefill: FakePrefill, decode: FakeDecode, most_steps: int = 100) -> list[Step]:
    """Runs one sequence to its answer; gives the steps taken. Fails when there is no answer after `most_steps`."""
    steps = [orchestrator.first()]
    while len(steps) <= most_steps:
        step = steps[-1]
        event = prefill.ask(step) if isinstance(step, AskPrefill) else decode.decode(step)
        if event is None:
            return steps
        steps.append(orchestrator.on(event))
    raise AssertionError(f"no answer after {most_steps} steps: {steps}")

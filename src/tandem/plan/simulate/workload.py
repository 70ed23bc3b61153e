"""Requests to simulate: drawn from distributions, or read from a published trace format."""

import csv
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from io import StringIO

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.plan.simulate.stream import Stream

MOONCAKE_BLOCK = 512
"""Tokens of one hash id: https://github.com/kvcache-ai/Mooncake/blob/main/FAST25-release/traces/README.md"""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request before it is served. Time in seconds from the start of the trace."""

    time: float
    prompt: int
    output: int
    cached: int = 0
    """Prompt tokens whose KV cache is already on the engine."""


@dataclass(frozen=True)
class Lengths:
    """Numbers of tokens: log-normal through its median and 95th percentile; constant when the two are equal."""

    p50: float
    p95: float

    @property
    def sigma(self) -> float:
        """Standard deviation of the logarithm."""
        return math.log(self.p95 / self.p50) / _Z95 if self.p95 > self.p50 else 0.0

    @property
    def mean(self) -> float:
        """Of the log-normal: p50 · exp(σ²/2)."""
        return self.p50 * math.exp(self.sigma**2 / 2)

    @property
    def mean_square(self) -> float:
        """Second moment: p50² · exp(2σ²)."""
        return self.p50**2 * math.exp(2 * self.sigma**2)

    def draw(self, stream: Stream, longest: int) -> int:
        """One number of tokens, at least 1 and at most `longest`."""
        drawn = self.p50 * math.exp(self.sigma * stream.normal()) if self.sigma else self.p50
        return max(1, min(longest, round(drawn)))

    def above(self, tokens: float) -> float:
        """Share of the lengths that is at least `tokens`."""
        if not self.sigma:
            return 1.0 if self.p50 >= tokens else 0.0
        return 0.5 * math.erfc(math.log(max(tokens, 1e-9) / self.p50) / self.sigma / math.sqrt(2))


_Z95 = 1.6448536269514722
"""95th percentile of the standard normal distribution."""


def draw_arrivals(
    count: int, rate: float, prompts: Lengths, outputs: Lengths, longest: int, seed: int, variation: float = 1.0
) -> Iterator[Arrival]:
    """`count` requests at `rate` a second.

    Args:
        longest: max_model_len; a prompt and its answer together never exceed it.
        variation: coefficient of variation of the gaps: 1 is Poisson, 0 a metronome, above 1 bursty (gamma).
    """
    stream = Stream(seed)
    now = 0.0
    for _ in range(count):
        now += _gap(stream, rate, variation)
        prompt = prompts.draw(stream, longest - 1)
        yield Arrival(now, prompt, outputs.draw(stream, longest - prompt))


def read_trace(text: str, file: str) -> list[Arrival]:
    """Requests of a trace in Azure's LLM inference, BurstGPT's or Mooncake's format; the format is recognised.

    Raises:
        InputError: no known format, or a line that does not fit it.
    """
    head = text.lstrip().split("\n", 1)[0]
    if head.startswith("{"):
        return _mooncake(text, file)
    columns = {name.strip().lower(): name for name in next(csv.reader([head]), [])}
    if {"timestamp", "contexttokens", "generatedtokens"} <= set(columns):
        return _rows(text, file, "contexttokens", "generatedtokens")
    if {"timestamp", "request tokens", "response tokens"} <= set(columns):
        return _rows(text, file, "request tokens", "response tokens")
    raise InputError(
        f"{file} is not a trace that Tandem reads",
        fix="Columns TIMESTAMP,ContextTokens,GeneratedTokens (Azure), Timestamp,Request tokens,Response tokens "
        "(BurstGPT), or JSON lines with timestamp, input_length, output_length (Mooncake).",
    )


def _gap(stream: Stream, rate: float, variation: float) -> float:
    if variation == 1:
        return stream.exponential(1 / rate)
    return stream.gamma(1 / variation**2, 1 / rate) if variation else 1 / rate


def _rows(text: str, file: str, prompt: str, output: str) -> list[Arrival]:
    found: list[Arrival] = []
    for number, row in enumerate(csv.DictReader(StringIO(text.lstrip())), start=2):
        named = {str(key).strip().lower(): value for key, value in row.items()}
        try:
            arrival = Arrival(_seconds(named["timestamp"]), int(named[prompt]), int(named[output]))
        except (ValueError, TypeError) as error:
            raise _bad_line(file, number, error) from error
        if arrival.prompt > 0 and arrival.output > 0:  # BurstGPT marks failed requests with 0 response tokens.
            found.append(arrival)
    return _from_zero(found)


def _mooncake(text: str, file: str) -> list[Arrival]:
    """Leading blocks that an earlier request had are taken as cached, as in Mooncake's own simulator."""
    seen: set[int] = set()
    found: list[Arrival] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            blocks = [int(block) for block in row.get("hash_ids", [])]
            cached = min(_leading(blocks, seen) * MOONCAKE_BLOCK, int(row["input_length"]) - 1)
            found.append(
                Arrival(float(row["timestamp"]) / 1000, int(row["input_length"]), int(row["output_length"]), cached)
            )
        except (ValueError, TypeError, KeyError) as error:
            raise _bad_line(file, number, error) from error
        seen.update(blocks)
    return _from_zero(found)


def _leading(blocks: list[int], seen: set[int]) -> int:
    count = 0
    for block in blocks:
        if block not in seen:
            break
        count += 1
    return count


def _seconds(text: str) -> float:
    """Seconds, or a date and time of which only differences are used."""
    try:
        return float(text)
    except ValueError:
        return datetime.fromisoformat(text.strip()).timestamp() if "+" in text else _naive(text)


def _naive(text: str) -> float:
    return (datetime.fromisoformat(text.strip()) - datetime(1970, 1, 1)).total_seconds()


def _from_zero(found: Iterable[Arrival]) -> list[Arrival]:
    ordered = sorted(found, key=lambda arrival: arrival.time)
    start = ordered[0].time if ordered else 0.0
    return [Arrival(a.time - start, a.prompt, a.output, a.cached) for a in ordered]


def _bad_line(file: str, line: int, error: Exception) -> InputError:
    found = f"{type(error).__name__}: {error}"
    problem = Problem(path="", file=file, line=line, found=found, fix="Mend or remove the line.")
    return InputError(f"{file} has a line that does not fit its format", problems=[problem])

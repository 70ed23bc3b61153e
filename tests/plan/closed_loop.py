"""A published measurement played through in the simulator."""

from dataclasses import dataclass
from functools import cache
from statistics import mean, median

from tandem.facts.accelerators import accelerator
from tandem.facts.models import ModelShape, known_shape
from tandem.plan.efficiency import REQUEST_SECONDS, efficiency
from tandem.plan.engine import engine_speed
from tandem.plan.simulate.cluster import Outcome, Phase, Service, simulate
from tandem.plan.simulate.replica import Limits
from tandem.plan.simulate.stream import Stream
from tandem.plan.simulate.workload import Arrival
from tests.plan.published import Point


@dataclass(frozen=True)
class Error:
    """Of one predicted number: (predicted - measured) / measured."""

    point: Point
    what: str
    predicted: float
    measured: float

    @property
    def relative(self) -> float:
        """Signed."""
        return self.predicted / self.measured - 1


def shape(name: str) -> ModelShape:
    """A shipped shape; a test that asks for another one is wrong."""
    found = known_shape(name)
    assert found is not None, name
    return found


@cache
def run(point: Point) -> Outcome:
    """The closed loop of `point`: ten requests a client, as InferenceMAX does."""
    speed = engine_speed(shape(point.model), accelerator(point.gpu), efficiency(point.gpu), point.tensor_parallel, 2)
    stream = Stream(7)
    low = point.spread

    def length(nominal: int) -> int:
        return round(nominal * (low + (1 - low) * stream.uniform()))

    arrivals = [Arrival(0.0, length(point.prompt), length(point.output)) for _ in range(10 * point.concurrency)]
    limits = Limits(kv_tokens=10**8, max_sequences=1024, batched_tokens=point.batched_tokens)
    engine = Phase(1, speed, limits)
    return simulate(Service(engine, request_seconds=REQUEST_SECONDS, concurrency=point.concurrency), arrivals)


def errors(points: list[Point]) -> list[Error]:
    """Of mean TTFT and mean TPOT, where they were measured."""
    found: list[Error] = []
    for point in points:
        outcome = run(point)
        if point.ttft is not None:
            found.append(Error(point, "TTFT", mean(outcome.ttft) * 1e3, point.ttft))
        if point.tpot is not None:
            found.append(Error(point, "TPOT", mean(outcome.tpot) * 1e3, point.tpot))
    return found


def median_error(found: list[Error]) -> float:
    """Median of the absolute errors."""
    return median(abs(error.relative) for error in found)

"""The simulator against queueing theory, against a step-by-step simulation, and against its own promises."""

import math
from collections.abc import Callable
from time import process_time

import pytest

from tandem.facts.accelerators import accelerator
from tandem.plan.efficiency import efficiency
from tandem.plan.engine import EngineSpeed, engine_speed
from tandem.plan.simulate.cluster import Link, Outage, Phase, Service, simulate
from tandem.plan.simulate.replica import Limits
from tandem.plan.simulate.stream import Stream
from tandem.plan.simulate.workload import Arrival, Lengths, draw_arrivals
from tests.plan.closed_loop import shape

SPEED = EngineSpeed(base=0.01, experts=0.0, choice=0.0, token=1e-4, square=0.0, context=1e-7, sliding=0.0, window=0,
                    sequence=0.0)  # fmt: skip
ROOMY = Limits(kv_tokens=10**7, max_sequences=256, batched_tokens=8192)
LINK = Link(bytes_per_second=1e9, bytes_per_token=1e5, bytes_per_sequence=0.0, latency=0.005)


def pool(replicas: int = 1, limits: Limits = ROOMY, speed: EngineSpeed = SPEED) -> Service:
    return Service(Phase(replicas, speed, limits))


def split(x: int, y: int, **changes: object) -> Service:
    fields: dict[str, object] = {"prefill": Phase(x, SPEED, ROOMY), "link": LINK, **changes}
    return Service(Phase(y, SPEED, ROOMY), **fields)  # type: ignore[arg-type]


def arrivals(count: int = 2000, rate: float = 20.0, seed: int = 3) -> list[Arrival]:
    return list(draw_arrivals(count, rate, Lengths(300, 1500), Lengths(40, 150), 4096, seed))


def test_one_request_takes_what_the_step_model_says() -> None:
    outcome = simulate(pool(), [Arrival(1.0, 500, 3)])
    assert outcome.ttft[0] == pytest.approx(0.01 + 500 * 1e-4)
    expected = sum(SPEED.decode_step(1, 501 + i) for i in range(2)) / 2
    assert outcome.tpot[0] == pytest.approx(expected)


def test_a_remote_request_waits_for_prefill_transfer_and_one_decode_step() -> None:
    outcome = simulate(split(1, 1), [Arrival(0.0, 500, 4)])
    expected = SPEED.prefill(500, 8192) + LINK.seconds(500) + SPEED.decode_step(1, 500)
    assert outcome.ttft[0] == pytest.approx(expected, rel=1e-4)
    assert outcome.remote == 1


def test_every_request_and_token_comes_out() -> None:
    requests = arrivals()
    for service in (pool(2), split(1, 2), split(1, 2, remote_min_tokens=400)):
        outcome = simulate(service, requests)
        assert outcome.requests == len(requests)
        assert outcome.output_tokens == sum(a.output for a in requests)
        assert min(outcome.ttft) > 0


def test_the_same_arguments_give_the_same_outcome() -> None:
    first, second = (simulate(split(2, 2), arrivals()) for _ in range(2))
    assert first.ttft == second.ttft
    assert first.tpot == second.tpot
    assert simulate(split(2, 2), arrivals(seed=4)).ttft != first.ttft


def test_prefill_is_the_queue_of_theory() -> None:
    """M/D/1: mean wait = ρ s / (2 (1 - ρ)) (Pollaczek and Khinchine): one prompt a step, answers of one token."""
    service_time = 0.01 + 400 * 1e-4
    limits = Limits(10**7, 1, 8192)
    for busy in (0.3, 0.5, 0.7):
        requests = list(draw_arrivals(80_000, busy / service_time, Lengths(400, 400), Lengths(1, 1), 4096, 11))
        outcome = simulate(pool(limits=limits), requests)
        waited = sum(outcome.ttft) / len(outcome.ttft) - service_time
        assert waited == pytest.approx(busy * service_time / (2 * (1 - busy)), rel=0.06)


def test_littles_law_holds_for_decode() -> None:
    requests = list(draw_arrivals(20_000, 5.0, Lengths(1, 1), Lengths(100, 100), 4096, 5))
    outcome = simulate(pool(), requests)
    in_system = sum(t * 99 for t in outcome.tpot) / outcome.seconds
    rate = outcome.requests / outcome.seconds
    assert in_system == pytest.approx(rate * 99 * sum(outcome.tpot) / len(outcome.tpot), rel=1e-9)
    step = SPEED.decode_step(round(in_system), in_system * 50)
    assert sum(outcome.tpot) / len(outcome.tpot) == pytest.approx(step, rel=0.05)


def _naive(requests: list[Arrival], limits: Limits) -> list[float]:
    """One engine, one step at a time: the oracle of the run-of-steps shortcut. Finish times in order of arrival."""
    now, waiting = 0.0, list(enumerate(requests))
    filling: list[tuple[int, Arrival, int]] = []
    running: list[tuple[int, Arrival, int]] = []
    finish = [0.0] * len(requests)
    while waiting or filling or running:
        for item in [item for item in waiting if item[1].time <= now + 1e-12]:
            if len(filling) + len(running) < limits.max_sequences:
                waiting.remove(item)
                filling.append((*item, 0))
        left, chunks = limits.batched_tokens - len(running), []
        for _, request, done in filling:
            chunks.append(min(left, request.prompt - done))
            left -= chunks[-1]
        if not any(chunks) and not running:
            now = min(item[1].time for item in waiting)
            continue
        pairs = sum(size * done + size * size / 2 for size, (_, _, done) in zip(chunks, filling, strict=True))
        context = sum(request.prompt + produced for _, request, produced in running)
        now += SPEED.step(sum(chunks), pairs, len(running), context)
        running = [(i, request, produced + 1) for i, request, produced in running]
        computed = [(i, r, done + size) for size, (i, r, done) in zip(chunks, filling, strict=True)]
        filling = [row for row in computed if row[2] < row[1].prompt]
        running += [(i, request, 1) for i, request, done in computed if done == request.prompt]
        for i, request, produced in running:
            if produced >= request.output:
                finish[i] = now
        running = [row for row in running if row[2] < row[1].output]
    return finish


def test_runs_of_steps_equal_single_steps() -> None:
    requests = list(draw_arrivals(150, 8.0, Lengths(300, 2500), Lengths(40, 150), 4096, 9))
    limits = Limits(10**7, 16, 512)
    outcome = simulate(pool(limits=limits), requests)
    ends = [0.0] * len(requests)
    for number, ttft, tpot in outcome.finished:
        request = requests[number - 1]
        ends[number - 1] = request.time + ttft + tpot * (request.output - 1)
    assert ends == pytest.approx(_naive(requests, limits), rel=1e-6)


def test_a_full_cache_preempts_and_still_finishes() -> None:
    tight = Limits(kv_tokens=4000, max_sequences=64, batched_tokens=2048)
    requests = [Arrival(0.0, 500, 800) for _ in range(7)]
    outcome = simulate(pool(limits=tight), requests)
    assert outcome.preempted > 0
    assert outcome.output_tokens == 7 * 800


def test_long_prompts_stall_a_pool_and_not_a_split_service() -> None:
    """The reason for disaggregation: short streams beside long prompts."""
    short = [Arrival(0.05 * i, 20, 100) for i in range(400)]
    long = [Arrival(0.4 * i, 3000, 2) for i in range(50)]
    mixed = sorted(short + long, key=lambda a: a.time)
    together, apart = simulate(pool(2), mixed), simulate(split(1, 1), mixed)
    assert together.itl_percentile(0.99) > 5 * apart.itl_percentile(0.99)  # type: ignore[operator]


def test_short_prompts_stay_local() -> None:
    requests = [Arrival(float(i), 100 if i % 2 else 900, 5) for i in range(40)]
    assert simulate(split(1, 1, remote_min_tokens=256), requests).remote == 20


def test_transfers_share_the_link() -> None:
    burst = [Arrival(0.0, 1000, 2) for _ in range(10)]
    slow = Link(bytes_per_second=1e8, bytes_per_token=1e5, bytes_per_sequence=0.0, latency=0.0)
    outcome = simulate(split(1, 1, link=slow), burst)
    assert max(outcome.ttft) >= 10 * slow.seconds(1000)


@pytest.mark.parametrize("phase", ["prefill", "decode"])
def test_an_engine_that_dies_loses_no_request(phase: str) -> None:
    outage = (Outage(phase, 0, 2.0, 12.0),)
    outcome = simulate(split(2, 2, outages=outage), arrivals(600))
    assert outcome.requests == 600
    assert outcome.retries > 0


def test_without_any_prefill_engine_prompts_are_computed_on_decode() -> None:
    outage = (Outage("prefill", 0, 0.0, 1e6),)
    outcome = simulate(split(1, 2, outages=outage), arrivals(300))
    assert outcome.requests == 300
    assert outcome.remote == 0


def test_without_any_decode_engine_requests_wait_for_its_return() -> None:
    outcome = simulate(split(1, 1, outages=(Outage("decode", 0, 1.0, 20.0),)), arrivals(200))
    assert outcome.requests == 200
    assert max(outcome.ttft) > 5


def test_a_prompt_that_waits_too_long_is_computed_on_decode() -> None:
    burst = [Arrival(0.0, 4000, 2) for _ in range(30)]
    outcome = simulate(split(1, 1, prefill_timeout=1.0), burst)
    assert 0 < outcome.remote < 30


def test_the_simulator_is_fast_enough_to_search_with() -> None:
    """An idle core does about 700,000 requests a minute; the bound only tells a change of order."""
    speed = engine_speed(shape("meta-llama/Llama-3.1-8B-Instruct"), accelerator("h100"), efficiency("h100"), 1, 2)
    phase = Phase(2, speed, Limits(350_000, 256, 8192))
    service = Service(phase, prefill=phase, link=Link(2e10, 131_072, 0, 0.005))
    requests = list(draw_arrivals(20_000, 20.0, Lengths(1020, 4000), Lengths(129, 500), 16_384, 1))
    started = process_time()
    outcome = simulate(service, requests)
    a_minute = outcome.requests / (process_time() - started) * 60
    print(f"\n{a_minute:,.0f} requests a minute of processor time")
    assert a_minute >= 40_000


@pytest.mark.parametrize(("draw", "mean", "deviation"), [
    (lambda s: s.uniform(), 0.5, math.sqrt(1 / 12)),
    (lambda s: s.exponential(2.0), 2.0, 2.0),
    (lambda s: s.normal(), 0.0, 1.0),
    (lambda s: s.gamma(4.0, 2.0), 2.0, 1.0),
    (lambda s: s.gamma(0.25, 2.0), 2.0, 4.0),
])  # fmt: skip
def test_random_numbers_have_their_moments(draw: Callable[[Stream], float], mean: float, deviation: float) -> None:
    stream = Stream(42)
    values = [draw(stream) for _ in range(40_000)]
    found = sum(values) / len(values)
    spread = math.sqrt(sum((v - found) ** 2 for v in values) / len(values))
    assert found == pytest.approx(mean, abs=0.03 * max(1.0, deviation))
    assert spread == pytest.approx(deviation, rel=0.05)


def test_splitmix64_gives_the_published_numbers() -> None:
    """First outputs for seed 1234567: https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64"""
    stream = Stream(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [stream.uniform() * 2**64 for _ in range(3)] == pytest.approx(expected, rel=1e-15)

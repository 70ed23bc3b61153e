"""Latency of a pool and of prefill + decode under a given load, in closed form.

Prefill is a queue with general arrivals and service and `n` servers (Allen and Cunneen's approximation, its waiting
time taken as exponential; the router sends a request to the least loaded engine). Decode is a batch whose size follows
from Little's law. `tandem plan --simulate` checks the answer with the simulator.
"""

import math
from dataclasses import dataclass

from tandem.plan.engine import EngineSpeed
from tandem.plan.simulate.workload import Lengths

MOST_BUSY = 0.9
"""An engine is not planned beyond this share of its time: queues grow without bound near 1."""


@dataclass(frozen=True)
class Demand:
    """What arrives at the whole service."""

    rate: float
    """Requests a second."""
    prompts: Lengths
    outputs: Lengths
    cached_share: float
    variation: float
    """Coefficient of variation of the gaps between requests."""

    def new_tokens(self, share: float = 0.5) -> int:
        """Prompt tokens to compute: of the median request, or of the 95th percentile with share 0.95."""
        tokens = self.prompts.p50 if share == 0.5 else self.prompts.p95
        return max(1, round(tokens * (1 - self.cached_share)))


@dataclass(frozen=True)
class Engines:
    """One kind of engine."""

    speed: EngineSpeed
    kv_tokens: int
    sequences: int
    batched_tokens: int


@dataclass(frozen=True)
class Prediction:
    """What a client would see. Times in seconds; infinite when the load cannot be carried."""

    replicas: int
    ttft_p50: float
    ttft_p95: float
    itl_p50: float
    itl_p95: float
    prefill_busy: float
    decode_busy: float
    """Share of the decode capacity that is used: of batch slots, KV cache or step time, whichever is scarcest."""
    batch: float
    """Sequences that one decode engine runs on average."""

    def holds(self, ttft: float, itl: float) -> bool:
        """True when both 95th percentiles are within the targets and no queue grows for ever."""
        carried = max(self.prefill_busy, self.decode_busy) < MOST_BUSY
        return carried and self.ttft_p95 <= ttft and self.itl_p95 <= itl


@dataclass(frozen=True)
class Transfer:
    """Bytes and rates of the way from prefill to decode."""

    bytes_per_token: float
    bytes_per_sequence: float
    bytes_per_second: float
    latency: float

    def seconds(self, tokens: float) -> float:
        """Of one sequence alone."""
        return self.latency + (tokens * self.bytes_per_token + self.bytes_per_sequence) / self.bytes_per_second


def predict_pool(engines: Engines, demand: Demand, replicas: int, request_seconds: float) -> Prediction:
    """`replicas` engines that each do both phases, prompts in chunks between decode steps."""
    rate = demand.rate / replicas
    work = _mean_work(engines, demand)
    batch, stretched = _batch(engines, demand, rate, rate * work)
    step, crowded = _step(engines, batch, _context(demand)), _crowded(engines, demand, batch)
    chunks = max(1.0, demand.prompts.mean * (1 - demand.cached_share) / engines.batched_tokens)
    service = chunks * step + work
    stalled = rate * chunks * stretched
    typical, largest = (min(demand.new_tokens(q), engines.batched_tokens) for q in (0.5, 0.95))
    prompts = _queue(rate * service, service, _variation(demand), demand.variation, replicas)
    places = _places(engines, demand, batch, stretched, replicas)
    median = step / 2 + _chunked(engines, demand.new_tokens(), step)
    tail = step + _chunked(engines, demand.new_tokens(0.95), crowded)
    return Prediction(
        replicas=replicas,
        ttft_p50=request_seconds + median + prompts.quantile(0.5) + places.quantile(0.5),
        ttft_p95=request_seconds + tail + prompts.quantile(0.95) + places.quantile(0.95),
        itl_p50=step + (engines.speed.prompt_work(typical) if stalled > 0.5 else 0.0),
        itl_p95=crowded + (engines.speed.prompt_work(largest) if stalled >= 0.05 else 0.0),
        prefill_busy=prompts.busy,
        decode_busy=places.busy,
        batch=batch,
    )


def predict_split(
    prefill: Engines, decode: Engines, transfer: Transfer, demand: Demand, x: int, y: int, request_seconds: float
) -> Prediction:
    """`x` prefill and `y` decode engines. Each first token waits for its prompt, the transfer and one decode step."""
    work = _mean_work(prefill, demand) + prefill.speed.base
    prompts = _queue(demand.rate * work / x, work, _variation(demand), demand.variation, x)
    batch, step = _batch(decode, demand, demand.rate / y, 0.0)
    sent = transfer.seconds(demand.prompts.mean * (1 - demand.cached_share))
    link = _queue(demand.rate * (sent - transfer.latency) / min(x, y), sent, _variation(demand), 1.0, 1)
    queues = (prompts, link, _places(decode, demand, batch, step, y))
    first = [
        2 * request_seconds
        + 1.5 * step
        + prefill.speed.prefill(tokens, prefill.batched_tokens)
        + transfer.seconds(tokens)
        + sum(queue.quantile(share) for queue in queues)
        for share, tokens in ((share, demand.new_tokens(share)) for share in (0.5, 0.95))
    ]
    return Prediction(
        replicas=x + y,
        ttft_p50=first[0],
        ttft_p95=first[1],
        itl_p50=step,
        itl_p95=_crowded(decode, demand, batch),
        prefill_busy=max(prompts.busy, link.busy),
        decode_busy=queues[2].busy,
        batch=batch,
    )


def _mean_work(engines: Engines, demand: Demand) -> float:
    """Expected seconds that a prompt adds: linear in its length, and quadratic by attention."""
    keep = 1 - demand.cached_share
    mean, square = demand.prompts.mean, demand.prompts.mean_square
    speed = engines.speed
    return speed.token * mean * keep + speed.square * square * keep * (1 - keep / 2) + speed.sequence


def _variation(demand: Demand) -> float:
    """Coefficient of variation of prompt work, taken as that of prompt lengths."""
    return math.sqrt(max(0.0, demand.prompts.mean_square / demand.prompts.mean**2 - 1))


@dataclass(frozen=True)
class _Queue:
    """A queue in balance: waiting is zero for some and exponential for the others."""

    busy: float
    mean: float
    chance: float
    """Of having to wait at all."""

    def quantile(self, share: float) -> float:
        """The wait that `share` of the requests do not exceed."""
        if not math.isfinite(self.mean):
            return math.inf
        late = 1 - share
        return self.mean / self.chance * math.log(self.chance / late) if self.chance > late else 0.0


def _queue(busy: float, service: float, service_variation: float, arrival_variation: float, servers: int) -> _Queue:
    """A GI/G/n queue: Allen, Probability, Statistics and Queueing Theory, 2nd ed. 1990, 5.3.4, with Sakasegawa's form
    of Erlang's C (https://doi.org/10.1007/BF02480234)."""
    if busy >= 1:
        return _Queue(busy, math.inf, 1.0)
    spread = (arrival_variation**2 + service_variation**2) / 2
    chance = math.pow(busy, math.sqrt(2 * (servers + 1)) - 1)
    return _Queue(busy, spread * chance / (servers * (1 - busy)) * service, chance)


def _batch(engines: Engines, demand: Demand, rate: float, prompt_share: float) -> tuple[float, float]:
    """Sequences that run on one engine and the mean time between their tokens, Little's law, solved by Newton.

    Args:
        prompt_share: share of the engine's time that prompts take.
    """
    tokens, context = rate * demand.outputs.mean, _context(demand)
    left = max(1e-6, 1 - prompt_share)
    batch = 0.0
    for _ in range(50):
        step = _step(engines, batch, context)
        slope = tokens * (_step(engines, batch + 1, context) - step) / left
        if slope >= 1 or batch > 10 * engines.sequences:
            return 10.0 * engines.sequences, step / left  # A token takes longer than tokens arrive: no balance.
        following = max(0.0, (tokens * step / left - slope * batch) / (1 - slope))
        if abs(following - batch) < 1e-6 * max(1.0, batch):
            break
        batch = following
    return batch, _step(engines, batch, context) / left


def _step(engines: Engines, batch: float, context: float) -> float:
    running = max(batch, 1.0)
    whole = max(1, round(running))
    return engines.speed.decode_step(whole, whole * context) + (running - whole) * (
        engines.speed.token + engines.speed.sequence + engines.speed.context * context
    )


def _crowded(engines: Engines, demand: Demand, batch: float) -> float:
    """Step time when the batch is at its 95th percentile: the number in the system is about Poisson."""
    crowd = batch + 1.645 * math.sqrt(batch)
    return _step(engines, crowd, _context(demand))


def _context(demand: Demand) -> float:
    """Tokens that a running sequence holds, half-way through its answer."""
    return demand.prompts.mean + demand.outputs.mean / 2


def _places(engines: Engines, demand: Demand, batch: float, step: float, replicas: int) -> _Queue:
    """Waiting for a place in a decode batch: max_num_seqs, or what the KV cache holds at the mean length."""
    places = max(1, math.floor(min(engines.sequences, engines.kv_tokens / _context(demand))))
    spread = math.sqrt(max(0.0, demand.outputs.mean_square / demand.outputs.mean**2 - 1))
    return _queue(batch / places, demand.outputs.mean * step, spread, 1.0, places * replicas)


def _chunked(engines: Engines, tokens: int, step: float) -> float:
    """A prompt in chunks, one a decode step."""
    return math.ceil(tokens / engines.batched_tokens) * step + engines.speed.prompt_work(tokens)

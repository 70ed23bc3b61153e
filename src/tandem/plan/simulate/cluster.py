"""Engines, links and routing together: what a client of the whole service sees."""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tandem.plan.engine import EngineSpeed
from tandem.plan.simulate.histogram import Histogram, percentile
from tandem.plan.simulate.replica import Job, Limits, Replica
from tandem.plan.simulate.workload import Arrival


@dataclass(frozen=True)
class Phase:
    """Engines of one kind."""

    replicas: int
    speed: EngineSpeed
    limits: Limits


@dataclass(frozen=True)
class Link:
    """The network of one node, shared by the transfers from or to it, one after the other."""

    bytes_per_second: float
    bytes_per_token: float
    bytes_per_sequence: float
    """State of linear-attention layers."""
    latency: float
    """Of one transfer: metadata, notification."""

    def seconds(self, tokens: int) -> float:
        """For one sequence alone."""
        return self.latency + (tokens * self.bytes_per_token + self.bytes_per_sequence) / self.bytes_per_second


@dataclass(frozen=True)
class Outage:
    """One engine that is down from `start` to `end`."""

    phase: str
    replica: int
    start: float
    end: float


@dataclass(frozen=True)
class Service:
    """What is simulated: a pool (decode engines alone), or prefill engines before them."""

    decode: Phase
    prefill: Phase | None = None
    link: Link | None = None
    remote_min_tokens: int = 0
    """Prompts with fewer new tokens are computed on their decode engine."""
    prefill_timeout: float = 30.0
    """A prompt not begun by then is computed on a decode engine."""
    request_seconds: float = 0.0
    """Added to each first token: HTTP, template, tokeniser. Once more for the second hop of a remote prompt."""
    outages: tuple[Outage, ...] = ()
    concurrency: int | None = None
    """Given: a closed loop of that many clients, each sending when its answer is over; arrival times are ignored."""


@dataclass(frozen=True)
class Outcome:
    """What came out. Times in seconds."""

    requests: int
    seconds: float
    """From the first arrival to the last token."""
    ttft: tuple[float, ...]
    tpot: tuple[float, ...]
    """Of each request with at least two tokens: (last - first token) / (tokens - 1)."""
    finished: tuple[tuple[int, float, float], ...]
    """(number by arrival from 1, TTFT, TPOT or 0) in order of finish."""
    gaps: Histogram
    """Time between two tokens of a request, over all tokens."""
    output_tokens: int
    prompt_tokens: int
    remote: int
    preempted: int
    retries: int
    prefill_busy: float
    decode_busy: float
    """Share of time in which engines of the phase ran a step."""

    def ttft_percentile(self, share: float) -> float | None:
        """None without requests."""
        return percentile(self.ttft, share)

    def itl_percentile(self, share: float) -> float | None:
        """Over all gaps; None when every answer has one token."""
        return self.gaps.percentile(share)


def simulate(service: Service, arrivals: Iterable[Arrival]) -> Outcome:
    """Serves `arrivals` to the end. The same arguments give the same outcome."""
    return _Simulation(service).run(arrivals)


_Event = tuple[float, int, Callable[[float], None]]


class _Simulation:
    def __init__(self, service: Service) -> None:
        self.service = service
        self.gaps = Histogram()
        self.events: list[_Event] = []
        self.count = 0
        self.decode = [self._replica("decode", i, service.decode) for i in range(service.decode.replicas)]
        prefill = service.prefill
        self.prefill = [self._replica("prefill", i, prefill) for i in range(prefill.replicas)] if prefill else []
        for engine in self.prefill:
            engine.on_prefilled = partial(self._prefilled, engine)
        self.free_at = {engine.name: 0.0 for engine in (*self.decode, *self.prefill)}
        self.ready: deque[tuple[Job, Replica]] = deque()
        """Computed prompts that wait for blocks on a decode engine."""
        self.parked: list[Job] = []
        self.done: list[Job] = []
        self.now = 0.0
        self.retries = 0
        self.numbers = 0
        self.source: Iterator[Arrival] = iter(())

    def run(self, arrivals: Iterable[Arrival]) -> Outcome:
        self.source = iter(arrivals)
        for outage in self.service.outages:
            self._at(outage.start, partial(self._break, outage))
            self._at(outage.end, partial(self._mend, outage))
        for _ in range(self.service.concurrency or 1):
            self._next_arrival(0.0)
        while self.events:
            self.now, _, action = heapq.heappop(self.events)
            action(self.now)
        return self._outcome()

    def _at(self, time: float, action: Callable[[float], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (time, self.count, action))

    def _replica(self, phase: str, index: int, kind: Phase) -> Replica:
        return Replica(f"{phase}.{index}", kind.speed, kind.limits, self.gaps)

    def _next_arrival(self, now: float) -> None:
        arrival = next(self.source, None)
        if arrival is None:
            return
        closed = self.service.concurrency is not None
        time = now if closed else arrival.time
        self.numbers += 1
        job = Job(self.numbers, time, arrival.prompt, arrival.output, min(arrival.cached, arrival.prompt - 1))
        self._at(time, partial(self._arrive, job))

    def _arrive(self, job: Job, now: float) -> None:
        if self.service.concurrency is None:
            self._next_arrival(now)
        self._route(job, now)

    def _route(self, job: Job, now: float) -> None:
        """To the prefill engine with the fewest queued tokens, or locally: too short, or no prefill engine is up."""
        up = [engine for engine in self.prefill if engine.up]
        if up and job.prompt - job.cached >= self.service.remote_min_tokens:
            job.remote, job.waits_remote = True, True
            self._submit(min(up, key=_queued), job, now)
            self._at(now + self.service.prefill_timeout, partial(self._give_up, job))
        else:
            self._local(job, now)

    def _local(self, job: Job, now: float) -> None:
        job.remote = False
        up = [engine for engine in self.decode if engine.up]
        if up:
            self._submit(min(up, key=_load), job, now)
        else:
            self.parked.append(job)

    def _submit(self, engine: Replica, job: Job, now: float) -> None:
        engine.submit(job)
        self._wake(engine, now)

    def _wake(self, engine: Replica, now: float) -> None:
        end = engine.begin(now) if engine.busy_until < 0 else engine.interrupt(now)
        if end is not None:
            self._at(end, partial(self._end, engine, engine.version))

    def _end(self, engine: Replica, version: int, now: float) -> None:
        if version != engine.version or engine.busy_until < 0:
            return
        for job in engine.complete():
            self.done.append(job)
            if self.service.concurrency is not None:
                self._next_arrival(now)
        self._take_ready(now)
        if engine.busy_until < 0:
            self._wake(engine, now)

    def _give_up(self, job: Job, now: float) -> None:
        if not job.waits_remote or job.computed:
            return
        for engine in self.prefill:
            if job in engine.waiting:
                engine.waiting.remove(job)
                engine.queued_tokens -= job.context - job.cached
                job.waits_remote = False
                self._local(job, now)

    def _prefilled(self, engine: Replica, job: Job, now: float) -> None:
        job.waits_remote = False
        self.ready.append((job, engine))
        self._take_ready(now)

    def _take_ready(self, now: float) -> None:
        """Starts transfers in order while a decode engine has room."""
        while self.ready:
            job, source = self.ready[0]
            fitting = [engine for engine in self.decode if engine.up and engine.fits(job.context)]
            if not fitting:
                return
            self.ready.popleft()
            self._transfer(job, source, min(fitting, key=_load), now)

    def _transfer(self, job: Job, source: Replica, target: Replica, now: float) -> None:
        target.reserve(job)
        link = self.service.link
        if link is None:
            self._arrived(job, source, target, now)
            return
        start = max(now, self.free_at[source.name], self.free_at[target.name])
        end = start + link.seconds(job.prompt - job.cached)
        self.free_at[source.name] = self.free_at[target.name] = end - link.latency
        self._at(end, partial(self._arrived, job, source, target))

    def _arrived(self, job: Job, source: Replica, target: Replica, now: float) -> None:
        if source.up:
            source.release(job)
            self._wake(source, now)
        if not target.up:
            self._retry(job, now)
            return
        target.join(job)
        self._wake(target, now)

    def _break(self, outage: Outage, now: float) -> None:
        engine = self._named(outage)
        lost = engine.fail()
        lost += [job for job, source in self.ready if source is engine]
        self.ready = deque((job, source) for job, source in self.ready if source is not engine)
        for job in lost:
            self._retry(job, now)

    def _mend(self, outage: Outage, now: float) -> None:
        engine = self._named(outage)
        engine.up = True
        parked, self.parked = self.parked, []
        for job in parked:
            self._local(job, now)
        self._take_ready(now)

    def _retry(self, job: Job, now: float) -> None:
        """Another engine computes the prompt again, and the tokens the client already has with it."""
        job.retries += 1
        self.retries += 1
        job.computed, job.cached, job.waits_remote = 0, 0, False
        self._route(job, now)

    def _named(self, outage: Outage) -> Replica:
        return (self.prefill if outage.phase == "prefill" else self.decode)[outage.replica]

    def _outcome(self) -> Outcome:
        jobs = self.done
        start = min((job.arrival for job in jobs), default=0.0)
        end = max((job.finish for job in jobs), default=0.0)
        hop = self.service.request_seconds
        span = max(end - start, 1e-9)
        return Outcome(
            requests=len(jobs),
            seconds=end - start,
            ttft=tuple(_ttft(job, hop) for job in jobs),
            tpot=tuple(_tpot(job) for job in jobs if job.output > 1),
            finished=tuple((job.number, _ttft(job, hop), _tpot(job)) for job in jobs),
            gaps=self.gaps,
            output_tokens=sum(job.output for job in jobs),
            prompt_tokens=sum(job.prompt for job in jobs),
            remote=sum(job.remote for job in jobs),
            preempted=sum(engine.preempted for engine in self.decode),
            retries=self.retries,
            prefill_busy=_busy(self.prefill, span),
            decode_busy=_busy(self.decode, span),
        )


def _ttft(job: Job, hop: float) -> float:
    return job.first_token - job.arrival + (2 * hop if job.remote else hop)


def _tpot(job: Job) -> float:
    return (job.finish - job.first_token) / (job.output - 1) if job.output > 1 else 0.0


def _queued(engine: Replica) -> int:
    return engine.queued_tokens


def _load(engine: Replica) -> int:
    return engine.load


def _busy(engines: Sequence[Replica], span: float) -> float:
    return sum(engine.busy_seconds for engine in engines) / (span * len(engines)) if engines else 0.0

"""One simulated engine: continuous batching with chunked prefill, a KV limit and preemption by recomputation.

Decode steps in which nothing arrives, finishes or is preempted are taken together: with a linear step model the time
of k of them is a closed form. That makes the cost of a request some events, not its number of tokens.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tandem.plan.engine import EngineSpeed
from tandem.plan.simulate.histogram import Histogram


@dataclass(slots=True, eq=False)
class Job:
    """A request inside the simulation."""

    number: int
    arrival: float
    prompt: int
    output: int
    cached: int = 0
    first_token: float = -1.0
    finish: float = -1.0
    produced: int = 0
    """Answer tokens so far."""
    computed: int = 0
    """Prompt tokens computed so far; a preempted request computes its answer tokens again as well."""
    retries: int = 0
    remote: bool = False
    waits_remote: bool = False

    @property
    def context(self) -> int:
        """Tokens whose KV cache the request holds or has to compute before its next token."""
        return self.prompt + self.produced


@dataclass(frozen=True)
class Limits:
    """What an engine may hold and do in one step."""

    kv_tokens: int
    max_sequences: int
    batched_tokens: int


@dataclass
class Replica:
    """State of one engine. The cluster calls `begin` at `ready` times and `complete` at the ends it is given."""

    name: str
    speed: EngineSpeed
    limits: Limits
    gaps: Histogram
    on_prefilled: Callable[[Job, float], None] | None = None
    """Given for a prefill engine: what happens with a prompt when it is computed."""
    waiting: deque[Job] = field(default_factory=deque)
    up: bool = True
    busy_until: float = -1.0
    version: int = 0
    """Of the planned end of the step under way; an older one is ignored."""
    queued_tokens: int = 0
    """Prompt tokens that are waiting or being computed: what the router looks at."""
    used: int = 0
    preempted: int = 0
    busy_seconds: float = 0.0
    _filling: deque[Job] = field(default_factory=deque)
    _running: list[tuple[int, int, Job]] = field(default_factory=list)
    """Heap by the step in which a request ends."""
    _step: int = 0
    _context: int = 0
    _joining: list[Job] = field(default_factory=list)
    _reserved: int = 0
    _started: float = 0.0
    _first_pending: bool = False
    _planned: tuple[int, list[tuple[Job, int]]] = (0, [])

    @property
    def load(self) -> int:
        """Tokens of work ahead: prompts to compute, and one token for each running request."""
        return self.queued_tokens + len(self._running) + len(self._joining)

    def submit(self, job: Job) -> None:
        """A prompt to compute here."""
        self.queued_tokens += job.context - job.cached - job.computed
        self.waiting.append(job)

    def fits(self, tokens: int) -> bool:
        """True when a prefilled request of that many tokens can be taken in."""
        sequences = self._sequences() + len(self._joining)
        return self.used + tokens < self.limits.kv_tokens and sequences < self.limits.max_sequences

    def reserve(self, job: Job) -> None:
        """Takes the blocks of a prefilled request before its cache travels."""
        self.used += job.context
        self._reserved += 1

    def join(self, job: Job) -> None:
        """The cache has arrived: the request decodes from the next step on."""
        self._reserved -= 1
        self._joining.append(job)

    def release(self, job: Job) -> None:
        """Frees the blocks of a request whose cache was fetched."""
        self.used -= job.context

    def begin(self, now: float) -> float | None:
        """Plans the next step or steps from `now`; None when there is nothing to do, else when they end."""
        if not self.up:
            return None
        self._admit_joined()
        self._make_room()
        self._admit_waiting()
        chunks, pairs = self._chunks()
        sequences = len(self._running)
        if not chunks and not sequences:
            return None
        self._started, self.version = now, self.version + 1
        if chunks:
            tokens = sum(size for _, size in chunks)
            steps, seconds = 1, self.speed.step(tokens, pairs, sequences, self._context)
        else:
            steps = self._decode_steps(sequences)
            seconds = self._decode_seconds(steps, sequences)
        self._planned = (steps, chunks)
        self.busy_until = now + seconds
        return self.busy_until

    def interrupt(self, now: float) -> float | None:
        """Something arrived at `now`: a run of decode steps is cut at the next step boundary. Its new end, or None."""
        steps, chunks = self._planned
        if chunks or steps <= 1 or self.busy_until <= now:
            return None
        done = self._steps_until(now - self._started, steps)
        if done >= steps:
            return None
        self.version += 1
        self._planned = (done, [])
        self.busy_until = self._started + self._decode_seconds(done, len(self._running))
        return self.busy_until

    def complete(self) -> list[Job]:
        """The planned steps are over: tokens appear, requests end. Returns the finished ones."""
        steps, chunks = self._planned
        now, sequences = self.busy_until, len(self._running)
        self._planned, self.busy_until = (0, []), -1.0
        self.busy_seconds += now - self._started
        if sequences:
            self.gaps.add((now - self._started) / steps, steps * sequences)
        self._step += steps
        self._context += steps * sequences
        self.used += steps * sequences
        for _, _, job in self._running if steps and self._first_pending else ():
            if job.first_token < 0:
                job.first_token = self._started + (now - self._started) / steps
        self._first_pending = False
        done = self._finish(now)
        for job, size in chunks:
            self._computed(job, size, now, done)
        return done

    def fail(self) -> list[Job]:
        """The engine dies. Everything in it is handed back to be done elsewhere."""
        lost = [*self.waiting, *self._filling, *(job for _, _, job in self._running), *self._joining]
        for job in self._lost_progress():
            job.computed = 0
        self.up, self.version, self._planned, self.busy_until = False, self.version + 1, (0, []), -1.0
        self.waiting.clear()
        self._filling.clear()
        self._running.clear()
        self._joining.clear()
        self.used = self.queued_tokens = self._context = self._reserved = 0
        return lost

    def _lost_progress(self) -> list[Job]:
        for step, _, job in self._running:
            job.produced = max(0, job.output - (step - self._step))
        return list(self._filling)

    def _admit_joined(self) -> None:
        for job in self._joining:
            self._run(job)
            self._first_pending = True
        self._joining.clear()

    def _admit_waiting(self) -> None:
        """Takes prompts in while the next step has room for tokens of theirs."""
        limits = self.limits
        left = limits.batched_tokens - len(self._running) - sum(_remaining(job) for job in self._filling)
        while self.waiting and left > 0 and self._sequences() < limits.max_sequences:
            job = self.waiting[0]
            if self.used + job.context >= limits.kv_tokens and self._sequences():
                return
            self.used += job.context
            left -= _remaining(job)
            self._filling.append(self.waiting.popleft())

    def _sequences(self) -> int:
        return len(self._running) + len(self._filling) + self._reserved

    def _make_room(self) -> None:
        """Preempts until every running request has room for its next token."""
        while self.limits.kv_tokens - self.used < len(self._running) and len(self._running) > 1:
            self._preempt()

    def _chunks(self) -> tuple[list[tuple[Job, int]], float]:
        """Prompt tokens of the next step, first come first served, and the attention pairs they make."""
        left = self.limits.batched_tokens - len(self._running)
        chunks: list[tuple[Job, int]] = []
        pairs = 0.0
        for job in self._filling:
            if left <= 0:
                break
            before = job.cached + job.computed
            size = min(left, job.context - before)
            chunks.append((job, size))
            pairs += size * before + size * size / 2
            left -= size
        return chunks, pairs

    def _decode_steps(self, sequences: int) -> int:
        """How many steps can pass before a request ends or the KV cache is full."""
        room = max(1, (self.limits.kv_tokens - self.used) // sequences)
        return max(1, min(self._running[0][0] - self._step, room))

    def _decode_seconds(self, steps: int, sequences: int) -> float:
        """Of `steps` steps with a growing context: the first and the last averaged, as the model is linear."""
        first = self.speed.decode_step(sequences, self._context)
        last = self.speed.decode_step(sequences, self._context + (steps - 1) * sequences)
        return steps * (first + last) / 2

    def _steps_until(self, elapsed: float, steps: int) -> int:
        """Steps that are over at the first boundary at or after `elapsed`."""
        sequences = len(self._running)
        done = max(1, int(elapsed / (self._decode_seconds(steps, sequences) / steps)))
        while done > 1 and self._decode_seconds(done - 1, sequences) >= elapsed:
            done -= 1
        while done < steps and self._decode_seconds(done, sequences) < elapsed:
            done += 1
        return done

    def _preempt(self) -> None:
        """The latest request gives its blocks back and computes its tokens again later, as vLLM does."""
        index = max(range(len(self._running)), key=lambda i: self._running[i][1])
        step, _, job = self._running.pop(index)
        heapq.heapify(self._running)
        job.produced = job.output - (step - self._step)
        self._context -= job.context
        self.used -= job.context
        self.queued_tokens += job.context
        job.computed, job.cached = 0, 0
        self.preempted += 1
        self.waiting.appendleft(job)

    def _run(self, job: Job) -> None:
        heapq.heappush(self._running, (self._step + job.output - job.produced, job.number, job))
        self._context += job.context

    def _finish(self, now: float) -> list[Job]:
        done: list[Job] = []
        while self._running and self._running[0][0] <= self._step:
            _, _, job = heapq.heappop(self._running)
            job.produced = job.output
            self._context -= job.context
            self.used -= job.context
            job.finish = now
            done.append(job)
        return done

    def _computed(self, job: Job, size: int, now: float, done: list[Job]) -> None:
        """A chunk is over. With the last one the first token appears, here or, after the transfer, on decode."""
        job.computed += size
        self.queued_tokens -= size
        if job.cached + job.computed < job.context:
            return
        self._filling.remove(job)
        if self.on_prefilled is not None:
            self.on_prefilled(job, now)
            return
        job.produced += 1
        self.used += 1
        if job.first_token < 0:
            job.first_token = now
        if job.produced >= job.output:
            job.finish = now
            self.used -= job.context
            done.append(job)
        else:
            self._run(job)


def _remaining(job: Job) -> int:
    return job.context - job.cached - job.computed

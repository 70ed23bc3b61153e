"""Sends each case to both sides, and looks after each one whether the service still answers."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace

from tandem.bench.conform.case import COMPLETIONS, EMBEDDINGS, Agree, Case
from tandem.bench.conform.side import Exchange, Side
from tandem.facts.request_fields import endpoints
from tandem.measure.conformity import Answer, Difference, differences

# Reasons by which a prompt rightly stays on decode although the remote route was asked for.
_RIGHTLY_LOCAL = frozenset({"prompt_logits", "multimodal", "adapter", "no_prefix_cache", "refused"})

_ALIVE = {
    COMPLETIONS: Case(endpoint=COMPLETIONS, base={"model": "<model>", "prompt": "Still there?", "max_tokens": 1}),
    EMBEDDINGS: Case(endpoint=EMBEDDINGS, base={"model": "<model>", "input": "Still there?"}),
}
AFTERWARDS = "the next request"
"""Where a service differs that no longer answers as it should after a case."""
_PATIENCE = 3
"""Cases in a row after which the service did not answer, until the rest is given up."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One case by one route. No differences: it agreed."""

    case: Case
    route: str | None
    expected: Answer
    got: Exchange
    differences: tuple[Difference, ...]


@dataclass(frozen=True, kw_only=True)
class Sides:
    """What is compared with what, and how strictly: `exact` off compares status and shape only."""

    subject: Side
    reference: Side
    exact: bool = True


def served(cases: Sequence[Case], reference: Side) -> list[Case]:
    """The cases less those of endpoints that the reference does not have for its model, such as embeddings."""
    missing = {path for path in endpoints() if not reference.serves(path)}
    return [case for case in cases if case.endpoint not in missing or not case.fields]


def run(cases: Sequence[Case], sides: Sides, say: Callable[[str], None]) -> Iterator[Outcome]:
    """The outcome of each case by each route. Ends early when the service no longer answers."""
    runner = _Runner(sides)
    silent = 0
    with ThreadPoolExecutor(max_workers=2 * len(runner.routes)) as pool:
        for number, case in enumerate(_askable(cases, sides.subject)):
            say(f"{number + 1} of {len(cases)}: {case.method} {case.endpoint} {', '.join(case.fields)}")
            yield from (outcomes := runner.outcomes(case, number, pool))
            silent = silent + 1 if any(d.where == AFTERWARDS for d in outcomes[-1].differences) else 0
            if silent == _PATIENCE:
                return


class _Runner:
    """Asks both sides at once, one case at a time: what harms the service can be told."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self.routes = sides.subject.routes()
        self._alive = next(case for path, case in _ALIVE.items() if sides.reference.serves(path))

    def outcomes(self, case: Case, number: int, pool: Executor) -> list[Outcome]:
        """One outcome a route; the last also tells whether the service still answers."""
        marks = {route: f"{number} {route or 'any'}" for route in self.routes}
        got = [pool.submit(self._sides.subject.ask, case, mark, route) for route, mark in marks.items()]
        expected = self._expected(case, list(marks.values()), pool)
        outcomes = [self._outcome(case, *each) for each in zip(marks, expected, (g.result() for g in got), strict=True)]
        after = self._sides.subject.ask(self._alive, "", self.routes[number % len(self.routes)]).answer
        if after.status != 200:
            harm = Difference(AFTERWARDS, 200, after.status or after.body)
            outcomes[-1] = replace(outcomes[-1], differences=(harm, *outcomes[-1].differences))
        return outcomes

    def _expected(self, case: Case, marks: list[str], pool: Executor) -> list[Answer]:
        """The reference's answers; asked once where the marks make no difference."""
        if case.agree is Agree.REFUSED:
            return [_REFUSAL] * len(marks)
        bodies = {mark: case.body(mark, self._sides.reference.model) for mark in marks}
        asked = {body: pool.submit(self._sides.reference.ask, case, mark) for mark, body in bodies.items()}
        return [asked[bodies[mark]].result().answer for mark in marks]

    def _outcome(self, case: Case, route: str | None, expected: Answer, got: Exchange) -> Outcome:
        if case.agree is Agree.REFUSED:
            found = _unrefused(case, got.answer)
        elif case.agree is Agree.STATUS:
            found = tuple(differences(_status(expected), _status(got.answer), exact=True))
        else:
            exact = self._sides.exact and case.agree is Agree.ANSWER
            found = (*differences(expected, got.answer, exact=exact), *_detour(route, got))
        return Outcome(case=case, route=route, expected=expected, got=got, differences=found)


def _askable(cases: Sequence[Case], subject: Side) -> list[Case]:
    tandem = subject.is_tandem()
    return [case for case in cases if tandem or case.agree is not Agree.REFUSED]


_REFUSAL = Answer(status=400, body="refused: the field is the service's own")


def _status(answer: Answer) -> Answer:
    return Answer(status=answer.status)


def _unrefused(case: Case, got: Answer) -> tuple[Difference, ...]:
    error = got.body.get("error") if isinstance(got.body, dict) else None
    named = isinstance(error, dict) and any(error.get("param") == name for name in _sent_names(case))
    return () if got.status == 400 and named else (Difference("status", 400, got.status),)


def _sent_names(case: Case) -> set[str]:
    return {*case.sent, *(name for value in case.sent.values() if isinstance(value, dict) for name in value)}


def _detour(route: str | None, got: Exchange) -> tuple[Difference, ...]:
    """A prompt that was to be prefilled remotely and was not, because something failed on the way."""
    if route != "remote" or got.reason is None or got.reason in _RIGHTLY_LOCAL:
        return ()
    return (Difference("route", "remote", f"{got.route}: {got.reason}"),)

"""Sends each case to both sides, and looks after each one whether the service still answers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tandem.bench.conform.case import COMPLETIONS, EMBEDDINGS, Agree, Case
from tandem.bench.conform.side import Exchange, Side
from tandem.facts.request_fields import endpoints
from tandem.measure.conformity import Answer, Difference, differences

# Reasons by which a prompt rightly stays on decode although the remote route was asked for.
_RIGHTLY_LOCAL = frozenset({"prompt_logits", "multimodal", "adapter", "no_prefix_cache"})

_ALIVE = {
    COMPLETIONS: Case(endpoint=COMPLETIONS, base={"model": "<model>", "prompt": "Still there?", "max_tokens": 1}),
    EMBEDDINGS: Case(endpoint=EMBEDDINGS, base={"model": "<model>", "input": "Still there?"}),
}
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
    routes = sides.subject.routes()
    alive = next(case for path, case in _ALIVE.items() if sides.reference.serves(path))
    known: dict[bytes, Answer] = {}
    silent = 0
    for number, case in enumerate(_askable(cases, sides.subject)):
        say(f"{number + 1} of {len(cases)}: {case.method} {case.endpoint} {', '.join(case.fields)}")
        outcomes = [_outcome(case, number, route, sides, known) for route in routes]
        after = sides.subject.ask(alive, "", routes[number % len(routes)]).answer
        if after.status != 200:
            outcomes[-1] = _harmed(outcomes[-1], after)
        yield from outcomes
        silent = silent + 1 if after.status != 200 else 0
        if silent == _PATIENCE:
            return


def _askable(cases: Sequence[Case], subject: Side) -> list[Case]:
    tandem = subject.is_tandem()
    return [case for case in cases if tandem or case.agree is not Agree.REFUSED]


def _outcome(case: Case, number: int, route: str | None, sides: Sides, known: dict[bytes, Answer]) -> Outcome:
    mark = f"{number} {route or 'any'}"
    got = sides.subject.ask(case, mark, route)
    if case.agree is Agree.REFUSED:
        return Outcome(case=case, route=route, expected=_REFUSAL, got=got, differences=_unrefused(case, got.answer))
    expected = _expected(case, mark, sides.reference, known)
    exact = sides.exact and case.agree is Agree.ANSWER
    found = (*differences(expected, got.answer, exact=exact), *_detour(route, got))
    return Outcome(case=case, route=route, expected=expected, got=got, differences=found)


def _expected(case: Case, mark: str, reference: Side, known: dict[bytes, Answer]) -> Answer:
    """Asked once for each body, so that requests without a mark are not sent twice for nothing."""
    key = b"\n".join((case.name.encode(), case.body(mark, reference.model)))
    if key not in known:
        known[key] = reference.ask(case, mark).answer
    return known[key]


_REFUSAL = Answer(status=400, body="refused: the field is the service's own")


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


def _harmed(outcome: Outcome, after: Answer) -> Outcome:
    harm = Difference("the next request", 200, after.status or after.body)
    return Outcome(
        case=outcome.case,
        route=outcome.route,
        expected=outcome.expected,
        got=outcome.got,
        differences=(harm, *outcome.differences),
    )

"""From outcomes to one verdict a field."""

import json
from collections.abc import Iterable
from typing import Any

from tandem.bench.conform.case import Case
from tandem.bench.conform.runner import Outcome
from tandem.measure.conformity import Answer
from tandem.measure.field_verdict import FieldVerdict

ENDPOINT = "(endpoint)"
"""Stands for the endpoint itself: cases without fields."""

_WIDTH = 160


def field_verdicts(outcomes: Iterable[Outcome]) -> list[FieldVerdict]:
    """One verdict for each endpoint and field, in the order in which they were first tried."""
    grouped: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        for field in outcome.case.fields or (ENDPOINT,):
            grouped.setdefault((outcome.case.endpoint, field), []).append(outcome)
    return [_verdict(endpoint, field, found) for (endpoint, field), found in grouped.items()]


def _verdict(endpoint: str, field: str, outcomes: list[Outcome]) -> FieldVerdict:
    differing = [outcome for outcome in outcomes if outcome.differences]
    answered = [outcome for outcome in outcomes if outcome.expected.status == 200]
    shown = (differing or answered or outcomes)[0]
    expected, got = _told(shown)
    return FieldVerdict(
        endpoint=endpoint,
        field=field,
        requests=len(outcomes),
        agrees=not differing,
        sent=_cut(_sent(shown.case)),
        expected=expected,
        got=got,
    )


def _told(outcome: Outcome) -> tuple[str, str]:
    """Expected and got: the first difference, or the answers that agree."""
    way = f" ({outcome.route})" if outcome.route else ""
    if not outcome.differences:
        return brief(outcome.expected), brief(outcome.got.answer) + way
    first = outcome.differences[0]
    more = f"; {len(outcome.differences) - 1} more" if len(outcome.differences) > 1 else ""
    return _cut(f"{first.where}: {_short(first.expected)}"), _cut(f"{_short(first.got)}{more}{way}")


def brief(answer: Answer) -> str:
    """Status and what came with it, on one line."""
    body = answer.body
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        return _cut(f"{answer.status} {error.get('type')}: {error.get('message')}")
    return _cut(f"{answer.status} {_short(_content(body))}".rstrip())


def _content(body: Any) -> Any:
    """The text of an answer where it has one, else all of it."""
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        return body
    return [_text(choice) for choice in body["choices"]]


def _text(choice: dict[str, Any]) -> Any:
    message = choice.get("message") or choice.get("delta") or choice
    return message.get("tool_calls") or message.get("content") or message.get("text")


def _sent(case: Case) -> str:
    what = case.raw if case.raw is not None else _short(dict(case.sent))
    absent = f" without {', '.join(case.absent)}" if case.absent else ""
    return f"{'' if case.method == 'POST' else case.method} {what}{absent}".strip()


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"

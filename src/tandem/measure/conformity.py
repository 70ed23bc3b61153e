"""Whether two engines gave the same answer to the same request.

Ids, times and fingerprints are made anew for each answer and are masked, and so is what a cache happened to hold. Log
probabilities and embeddings may differ by TOLERANCE; everything else must be equal, or, where sampling was left to
chance, have the same JSON shape.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TOLERANCE = 1e-4
"""Nats. On the pinned CPU stack none of 23,363 log probabilities differed at all, by either route. Other kernels may
sum in another order: float32 keeps 24 bits (2**-24 = 6e-8 of a logit of tens is 1e-6), and a hundred times that is
still far below what any change of the prompt or of the KV cache makes."""

_MADE_ANEW = frozenset({"created", "created_at", "completed_at", "system_fingerprint", "sequence_number"})
_HISTORY = frozenset({"cached_tokens"})  # how much of a prompt an engine has seen before is its own history
_IDS = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NEAR = frozenset({"logprob", "token_logprobs", "top_logprobs", "prompt_logprobs", "embedding"})


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An HTTP answer. `body` is its JSON value, a folded stream, or text; `status` is 0 when there was no answer."""

    status: int
    content_type: str = ""
    body: Any = None


@dataclass(frozen=True)
class Difference:
    """One place where two answers differ; `where` is a path such as `choices[0].text`."""

    where: str
    expected: Any
    got: Any


def differences(expected: Answer, got: Answer, *, exact: bool) -> list[Difference]:
    """Where `got` differs from `expected`; with `exact` off, only status, content type and JSON shape count."""
    if expected.status != got.status:
        return [Difference("status", expected.status, got.status)]
    if expected.content_type != got.content_type:
        return [Difference("content type", expected.content_type, got.content_type)]
    if exact or expected.status >= 400:
        return list(_unequal("", "", expected.body, got.body))
    return _shape_differences(expected.body, got.body)


def _unequal(where: str, key: str, expected: Any, got: Any) -> Iterator[Difference]:
    if isinstance(expected, dict) and isinstance(got, dict):
        yield from _unequal_mappings(where, key, expected, got)
    elif isinstance(expected, list) and isinstance(got, list):
        yield from _unequal_lists(where, key, expected, got)
    elif not _same(key, expected, got):
        yield Difference(where, expected, got)


def _unequal_mappings(
    where: str, key: str, expected: Mapping[str, Any], got: Mapping[str, Any]
) -> Iterator[Difference]:
    if key in ("top_logprobs", "prompt_logprobs"):  # one position: candidate tokens and their log probabilities
        yield from _unequal_candidates(where, expected, got)
        return
    if expected.keys() != got.keys():
        yield Difference(f"{where} keys".strip(), sorted(expected), sorted(got))
        return
    for name in expected:
        yield from _unequal(f"{where}.{name}".removeprefix("."), name, expected[name], got[name])


def _unequal_lists(where: str, key: str, expected: Sequence[Any], got: Sequence[Any]) -> Iterator[Difference]:
    if len(expected) != len(got):
        yield Difference(f"{where} length", len(expected), len(got))
    elif key == "top_logprobs" and expected and _are_candidates([*expected, *got]):
        yield from _unequal_candidates(where, _by_token(expected), _by_token(got))
    else:
        for index, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from _unequal(f"{where}[{index}]", key, one, other)


def _are_candidates(items: Sequence[Any]) -> bool:
    return all(isinstance(item, dict) and "token" in item for item in items)


def _by_token(candidates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {candidate["token"]: candidate for candidate in candidates}


def _unequal_candidates(where: str, expected: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Difference]:
    """The last of the best tokens may be another one, when the two are as likely within the tolerance."""
    for token in [*expected, *(name for name in got if name not in expected)]:
        one = _logprob(expected[token]) if token in expected else min(map(_logprob, expected.values()), default=None)
        other = _logprob(got[token]) if token in got else min(map(_logprob, got.values()), default=None)
        if not _near(one, other) or not _described_alike(expected.get(token), got.get(token)):
            yield Difference(f"{where}[{token!r}]", expected.get(token), got.get(token))


def _described_alike(expected: Any, got: Any) -> bool:
    """Rank is left out: one token's rank among tens of thousands moves with the last digit of its logit."""
    if not isinstance(expected, dict) or not isinstance(got, dict):
        return True
    numbers = ("logprob", "rank")
    return all(expected[name] == got.get(name) for name in expected if name not in numbers)


def _logprob(candidate: Any) -> float:
    return float(candidate["logprob"] if isinstance(candidate, dict) else candidate)


def _same(key: str, expected: Any, got: Any) -> bool:
    if key in _MADE_ANEW | _HISTORY:
        return type(expected) is type(got)
    if isinstance(expected, str) and isinstance(got, str):
        return _without_ids(expected) == _without_ids(got)
    if key in _NEAR and isinstance(expected, (int, float)) and isinstance(got, (int, float)):
        return _near(expected, got)
    return type(expected) is type(got) and bool(expected == got)


def _near(expected: float | None, got: float | None) -> bool:
    return expected is not None and got is not None and math.isclose(expected, got, rel_tol=0.0, abs_tol=TOLERANCE)


def _without_ids(text: str) -> str:
    """Random ids replaced, so that what a client chose as an id still counts."""
    return _IDS.sub("<id>", text)


def _shape_differences(expected: Any, got: Any) -> list[Difference]:
    one, other = _shape(expected), _shape(got)
    lost = [Difference(path, "present", "absent") for path in sorted(one.keys() - other.keys())]
    new = [Difference(path, "absent", "present") for path in sorted(other.keys() - one.keys())]
    shared = [path for path in sorted(one.keys() & other.keys()) if one[path] and other[path]]
    kinds = [Difference(p, sorted(one[p]), sorted(other[p])) for p in shared if one[p] != other[p]]
    return lost + new + kinds


def _shape(value: Any) -> dict[str, set[str]]:
    """Every path of the value with its JSON types, over all items of a list. Null may stand for any type."""
    found: dict[str, set[str]] = {}
    for path, kind in _paths("", value):
        found.setdefault(path, set()).update(kind)
    return found


def _paths(where: str, value: Any) -> Iterator[tuple[str, set[str]]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _paths(f"{where}.{name}".removeprefix("."), item)
    elif isinstance(value, list):
        yield where, {"list"}
        for item in value:
            yield from _paths(f"{where}[]", item)
    else:
        yield where, _kind(value)


def _kind(value: Any) -> set[str]:
    if value is None:
        return set()
    return {"bool"} if isinstance(value, bool) else {"number"} if isinstance(value, (int, float)) else {"string"}

"""The runner sends each case by both routes, and tells every way in which a service can be worse than one engine."""

from collections.abc import Sequence
from typing import Any

import pytest

from tandem.bench.conform.case import EMBEDDINGS, Agree, Case, completion
from tandem.bench.conform.runner import AFTERWARDS, Outcome, Sides, run, served
from tandem.bench.conform.side import Side
from tandem.bench.conform.verdicts import field_verdicts
from tandem.core.errors import TandemError
from tandem.measure.field_verdict import conclusion
from tests.unit.bench.engines import Asked, Body, Engine, serving

PHASES: dict[str, Any] = {"prefill": {}, "decode": {}}
CASES = [completion("stop", stop="e"), completion("n", n=2), completion("seed", seed=1)]


def test_a_service_that_answers_as_the_engine_does_agrees_in_all() -> None:
    subject = Engine(phases=PHASES)
    outcomes = _run(CASES, subject)
    assert [outcome.differences for outcome in outcomes] == [()] * 6
    assert [outcome.route for outcome in outcomes] == ["remote", "local"] * 3
    assert conclusion(field_verdicts(outcomes)) == "3 of 3 fields agree"


def test_each_route_gets_a_prompt_of_its_own_and_the_engine_the_same_two() -> None:
    subject, reference = Engine(phases=PHASES), Engine()
    _run(CASES[:1], subject, reference)
    sent = {(asked.route, asked.body["prompt"][:10]) for asked in subject.asked if asked.body.get("stop")}
    assert sent == {("remote", "0 remote T"), ("local", "0 local Th")}
    asked = sorted(asked.body["prompt"][:10] for asked in reference.asked if asked.body.get("stop"))
    assert asked == ["0 local Th", "0 remote T"]


def test_without_two_phases_there_is_one_pass_and_no_forced_route() -> None:
    subject = Engine()
    outcomes = _run(CASES[:1], subject)
    assert [outcome.route for outcome in outcomes] == [None]
    assert {asked.route for asked in subject.asked} == {None}


def test_a_wrong_answer_on_one_route_is_told_with_its_route() -> None:
    def fault(asked: Asked, answer: Body) -> Body | None:
        wrong = asked.route == "remote" and "n" in asked.body
        return {**answer, "choices": [{"index": 0, "text": "of another prompt"}]} if wrong else None

    outcomes = _run(CASES, Engine(fault, phases=PHASES))
    [bad] = [outcome for outcome in outcomes if outcome.differences]
    assert (bad.case.fields, bad.route, bad.differences[0].where) == (("n",), "remote", "choices[0].text")
    verdicts = field_verdicts(outcomes)
    assert [(verdict.field, verdict.agrees) for verdict in verdicts] == [("stop", True), ("n", False), ("seed", True)]
    assert verdicts[1].got == "of another prompt (remote)"
    assert conclusion(verdicts) == "2 of 3 fields agree"


def test_a_request_after_which_the_service_fails_is_named() -> None:
    asked_for_n: list[Asked] = []

    def fault(asked: Asked, answer: Body) -> int | None:
        if "n" in asked.body:
            asked_for_n.append(asked)
            return None
        hurt = len(asked_for_n) == 2
        asked_for_n.clear()
        return 500 if hurt else None

    outcomes = _run(CASES, Engine(fault, phases=PHASES))
    [harmful] = [o for o in outcomes if any(d.where == AFTERWARDS for d in o.differences)]
    assert (harmful.case.fields, harmful.differences[0].got) == (("n",), 500)


def test_a_dead_service_ends_the_run_and_no_field_counts_as_agreeing() -> None:
    many = [completion("stop", stop=letter) for letter in "abcdefgh"]
    outcomes = _run(many, Engine(lambda asked, answer: 500, phases=PHASES))
    assert len(outcomes) == 6
    assert conclusion(field_verdicts(outcomes)) == "0 of 1 fields agree"


@pytest.mark.parametrize(
    ("reason", "agrees"), [("prefill_failed", False), ("breaker_open", False), ("prompt_logits", True)]
)
def test_a_failed_prefill_is_not_hidden_by_the_right_answer(reason: str, agrees: bool) -> None:
    outcomes = _run(CASES[:1], Engine(phases=PHASES, reason=reason))
    remote, local = outcomes
    assert (not remote.differences) is agrees
    assert not local.differences


def test_internal_fields_must_be_refused_by_name() -> None:
    sent = {"kv_transfer_params": {"remote_host": "192.0.2.1"}}
    case = Case(endpoint="/v1/completions", fields=("kv_transfer_params",), sent=sent, agree=Agree.REFUSED)
    passed_on = _run([case], Engine(phases=PHASES))
    assert [outcome.differences[0].where for outcome in passed_on] == ["status", "status"]
    assert _run([case], Engine()) == []  # only a Tandem has to


def test_only_the_status_counts_where_the_service_has_words_of_its_own() -> None:
    case = Case(endpoint="/v1/completions", sent={"prompt": "x"}, agree=Agree.STATUS)
    outcomes = _run([case], Engine(lambda asked, answer: {"other": 1}, phases=PHASES))
    assert [outcome.differences for outcome in outcomes] == [(), ()]


def test_shape_only_lets_other_tokens_pass() -> None:
    def fault(asked: Asked, answer: Body) -> Body:
        return {**answer, "choices": [{"index": 0, "text": "near tie"}]}

    assert all(outcome.differences for outcome in _run(CASES, Engine(fault, phases=PHASES)))
    assert not any(outcome.differences for outcome in _run(CASES, Engine(fault, phases=PHASES), exact=False))


def test_endpoints_that_the_engine_has_not_for_its_model_are_left_out() -> None:
    embedding = Case(endpoint=EMBEDDINGS, fields=("input",), base={"input": "The sea"})
    with serving(Engine()) as url:
        assert served([*CASES, embedding], Side(url)) == CASES
    with serving(Engine(missing=())) as url:
        assert served([*CASES, embedding], Side(url)) == [*CASES, embedding]


def test_a_url_where_nothing_answers_is_told() -> None:
    with pytest.raises(TandemError, match="does not answer"):
        Side("http://127.0.0.1:9/v1")


def _run(cases: Sequence[Case], subject: Engine, reference: Engine | None = None, **how: Any) -> list[Outcome]:
    with serving(subject) as url, serving(reference or Engine()) as against:
        return list(run(cases, Sides(subject=Side(url), reference=Side(against), **how), lambda step: None))

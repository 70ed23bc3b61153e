"""Every request field of the pinned vLLM is classified, by a case or by an exemption with its reason."""

from collections import Counter

import pytest

from tandem.bench.conform.case import MARK, MODEL, Agree, chat, completion
from tandem.bench.conform.catalogue import CASES, EXEMPT, unclassified
from tandem.facts.request_fields import endpoints, shapes


@pytest.mark.parametrize("endpoint", endpoints())
def test_every_field_is_classified(endpoint: str) -> None:
    assert unclassified(endpoint, list(shapes(endpoint))) == []


def test_a_field_that_nobody_classified_is_named() -> None:
    assert unclassified("/v1/completions", ["prompt", "brand_new"]) == ["brand_new"]
    assert unclassified("/tokenize", ["n"]) == ["n"]  # a case of another endpoint does not count


def test_cases_and_exemptions_name_fields_that_exist() -> None:
    known = {(endpoint, field) for endpoint in endpoints() for field in shapes(endpoint)}
    named = {(case.endpoint, field) for case in CASES for field in case.fields} | EXEMPT.keys()
    assert named - known == set()


def test_a_case_that_stands_for_a_field_sends_it_or_leaves_it_out_on_purpose() -> None:
    silent = [
        (case.name, field)
        for case in CASES
        for field in case.fields
        if field not in case.sent and field not in case.absent
    ]
    assert silent == []


def test_no_case_is_there_twice() -> None:
    counted = Counter(case.name for case in CASES)
    assert [name for name, count in counted.items() if count > 1] == []


def test_what_is_left_to_chance_is_the_exception() -> None:
    assert len([case for case in CASES if case.agree is Agree.SHAPE]) < 10


def test_the_mark_and_the_model_are_put_in_place() -> None:
    body = chat("stop", stop="e").body("7 remote", "tiny").decode()
    assert MARK not in body
    assert MODEL not in body
    assert "7 remote The keeper" in body
    assert '"model": "tiny"' in body


def test_a_field_can_be_null_or_absent() -> None:
    assert '"seed": null' in completion("seed", seed=None).body("", "tiny").decode()
    [case] = [case for case in CASES if case.absent == ("prompt",)]
    assert "prompt" not in case.body("", "tiny").decode()

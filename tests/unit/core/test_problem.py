"""One problem as a sentence and as data."""

import json

import pytest

from tandem.core.nearest import nearest
from tandem.core.problem import Problem


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (
            Problem(path="slo.ttft", found="unknown key", fix="Remove it.", file="s.yaml", line=3, allowed="a, b"),
            "s.yaml:3: slo.ttft: unknown key. Allowed: a, b. Remove it.",
        ),
        (Problem(path="slo", found="bad", fix="Mend it.", file="s.yaml"), "s.yaml: slo: bad. Mend it."),
        (Problem(path="", found="no mapping", fix=""), "no mapping."),
    ],
)
def test_the_sentence_leaves_out_what_is_not_known(problem: Problem, sentence: str) -> None:
    assert str(problem) == sentence


def test_as_data_it_keeps_every_part() -> None:
    problem = Problem(path="a", found="b", fix="c", file="d", line=5, allowed="e")
    data = json.loads(json.dumps(problem.as_json()))
    assert data == {"path": "a", "found": "b", "fix": "c", "file": "d", "line": 5, "allowed": "e"}
    assert Problem(**data) == problem


@pytest.mark.parametrize(
    ("name", "close"),
    [("max_model_length", "max_model_len"), ("dtipe", "dtype"), ("quite_another", None), ("", None)],
)
def test_the_nearest_name_must_be_near(name: str, close: str | None) -> None:
    assert nearest(name, ["max_model_len", "dtype", "seed"]) == close


def test_nothing_is_near_in_an_empty_list() -> None:
    assert nearest("a", []) is None

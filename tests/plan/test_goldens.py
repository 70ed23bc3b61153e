"""Specs in, plan.json and plan.txt out. UPDATE_GOLDENS=1 rewrites them and fails."""

import os
from pathlib import Path

import pytest

from tandem.plan.build import Circumstances
from tandem.report.plan_picture import plan_picture
from tandem.report.plan_text import plan_json, plan_text
from tandem.spec.loader import load_spec
from tests.plan.specs import plan_of

GOLDENS = Path(__file__).parents[1] / "goldens" / "plan"
CASES = sorted(path.name for path in GOLDENS.iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES)
def test_plan_is_as_it_was(case: str) -> None:
    folder = GOLDENS / case
    plan = plan_of(load_spec(folder / "spec.yaml"), Circumstances(seed=1, requests=500))
    found = {"plan.json": plan_json(plan), "plan.txt": plan_text(plan), "plan.svg": plan_picture(plan)}
    if os.environ.get("UPDATE_GOLDENS"):
        for name, text in found.items():
            (folder / name).write_text(text, encoding="utf-8")
        pytest.fail("goldens rewritten: look at the difference, then run without UPDATE_GOLDENS")
    for name, text in found.items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{case}/{name}"


def test_there_are_goldens() -> None:
    assert len(CASES) >= 3

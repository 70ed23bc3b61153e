"""The step model and the simulator against published measurements. Run with -s to see every point."""

import os
from pathlib import Path

import pytest

from tests.plan.closed_loop import Error, errors, median_error
from tests.plan.published import POINTS, Point

FIT = [point for point in POINTS if point.kind == "fit"]
HELD = [point for point in POINTS if point.kind == "held"]


def _print(title: str, found: list[Error]) -> None:
    print(f"\n{title}: {len(found)} numbers, median error {median_error(found):.1%}")
    for error in found:
        values = f"predicted {error.predicted:10.2f} ms  measured {error.measured:10.2f} ms"
        print(f"  {error.point.name:<58} {error.what}  {values}  {error.relative:+6.1%}")


def test_no_point_is_both_fitted_and_held_out() -> None:
    def keys(points: list[Point]) -> set[tuple[str, str]]:
        return {(p.name, what) for p in points for what in ("ttft", "tpot") if getattr(p, what) is not None}

    assert not keys(FIT) & keys(HELD)


def test_held_points_are_within_the_bound() -> None:
    found = errors(HELD)
    _print("held out", found)
    assert len(found) >= 100
    assert median_error(found) <= 0.20


@pytest.mark.parametrize("what", ["TTFT", "TPOT"])
def test_each_metric_alone_is_within_the_bound(what: str) -> None:
    found = [error for error in errors(HELD) if error.what == what]
    assert median_error(found) <= 0.20


@pytest.mark.parametrize("gpu", ["h100", "h200", "b200", "l4", "a100-40gb"])
def test_each_accelerator_alone_is_within_the_bound(gpu: str) -> None:
    found = errors([point for point in HELD if point.gpu == gpu])
    print(f"\n{gpu}: {len(found)} numbers, median error {median_error(found):.1%}")
    assert median_error(found) <= 0.20


def test_fitted_points_are_closer_than_the_bound() -> None:
    found = errors(FIT)
    _print("fitted", found)
    assert median_error(found) <= 0.15


PAGE = Path(__file__).parents[2] / "docs" / "plan-accuracy.md"
BEGIN, END = "<!-- points: begin -->", "<!-- points: end -->"


def _rows(found: list[Error]) -> list[str]:
    head = ["| model, GPU, prompt/answer x clients | | predicted ms | measured ms | error |", "|---|---|---|---|---|"]
    return head + [
        f"| {e.point.name} | {e.what} | {e.predicted:.1f} | {e.measured:.1f} | {e.relative:+.0%} |" for e in found
    ]


def _tables() -> str:
    parts: list[str] = []
    for title, points in (("Held out", HELD), ("Fitted", FIT)):
        for source in dict.fromkeys(point.source for point in points):
            found = errors([point for point in points if point.source == source])
            parts += [f"### {title}: {len(found)} numbers, median error {median_error(found):.0%}", "", source, ""]
            parts += [*_rows(found), ""]
    return "\n".join(parts)


def test_the_page_lists_every_point_with_its_error() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    found = errors(HELD)
    headline = f"Held out: {len(found)} numbers, median error {median_error(found):.1%}."
    expected = f"{before}{BEGIN}\n{headline}\n\n{_tables()}{END}{after}"
    if os.environ.get("UPDATE_GOLDENS"):
        PAGE.write_text(expected, encoding="utf-8")
        pytest.fail("page rewritten: look at the difference, then run without UPDATE_GOLDENS")
    assert text == expected

"""The step model and the simulator against published measurements. Run with -s to see every point."""

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

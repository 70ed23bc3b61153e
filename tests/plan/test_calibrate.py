"""A step model from timed steps."""

import json

import pytest

from tandem.core.errors import InputError
from tandem.plan.calibrate import TimedStep, fit_steps, read_steps
from tandem.plan.engine import EngineSpeed
from tests.plan.closed_loop import shape

SMOLLM = shape("embedded:smollm2-135m")
RATIO = SMOLLM.score_dim * SMOLLM.full_layers / SMOLLM.active_parameters
TRUE = EngineSpeed(base=0.02, experts=0, choice=0, token=8e-4, square=8e-4 * RATIO, context=3e-6, sliding=0, window=0,
                   sequence=0)  # fmt: skip
STEPS = [(64, 0, 0), (512, 0, 0), (1024, 0, 0), (0, 1, 200), (0, 4, 4000), (256, 2, 800)]


def timed(noise: float) -> list[TimedStep]:
    return [
        TimedStep(p, s, c, TRUE.step(p, p * p / 2, s, c) * (1 + noise * (-1) ** i)) for i, (p, s, c) in enumerate(STEPS)
    ]


def test_exact_times_give_the_exact_model() -> None:
    found = fit_steps(timed(0.0), SMOLLM)
    assert (found.base, found.token, found.context) == pytest.approx((TRUE.base, TRUE.token, TRUE.context), rel=1e-6)


def test_noisy_times_give_a_close_model() -> None:
    found = fit_steps(timed(0.05), SMOLLM)
    for p, s, c in STEPS:
        assert found.step(p, p * p / 2, s, c) == pytest.approx(TRUE.step(p, p * p / 2, s, c), rel=0.12)


def test_a_time_that_comes_out_negative_is_zero() -> None:
    steps = [
        TimedStep(64, 0, 0, 0.07),
        TimedStep(512, 0, 0, 0.4),
        TimedStep(0, 1, 100, 0.03),
        TimedStep(0, 1, 4000, 0.02),
    ]
    assert fit_steps(steps, SMOLLM).context == 0


def test_steps_are_read_from_json() -> None:
    rows = [vars_of(step) for step in timed(0.0)]
    assert read_steps(json.dumps({"steps": rows}), "m.json") == timed(0.0)


def vars_of(step: TimedStep) -> dict[str, float]:
    return {
        "prompt_tokens": step.prompt_tokens,
        "sequences": step.sequences,
        "context": step.context,
        "seconds": step.seconds,
    }


@pytest.mark.parametrize("text", ["[]", "{}", '{"steps": [{"seconds": 1}]}', "not json"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a list of timed steps"):
        read_steps(text, "m.json")


def test_too_few_steps_are_refused() -> None:
    text = json.dumps({"steps": [vars_of(timed(0.0)[0])] * 5})
    with pytest.raises(InputError, match="fewer than three different steps"):
        read_steps(text, "m.json")

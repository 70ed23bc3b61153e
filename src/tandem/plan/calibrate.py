"""A step model fitted to steps that were timed on the machine itself, for targets without a calibrated accelerator."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.facts.models import ModelShape
from tandem.plan.engine import EngineSpeed


@dataclass(frozen=True)
class TimedStep:
    """One engine step, or the mean of some equal ones."""

    prompt_tokens: int
    sequences: int
    """Decoding beside them."""
    context: int
    """Cached tokens of the decoding sequences together."""
    seconds: float
    cached: int = 0
    """Tokens before the prompt tokens."""

    @property
    def pairs(self) -> float:
        """Attention pairs of the prompt tokens."""
        return self.prompt_tokens * self.cached + self.prompt_tokens**2 / 2


def read_steps(text: str, file: str) -> list[TimedStep]:
    """Timed steps from JSON: `{"steps": [{"prompt_tokens": …, "sequences": …, "context": …, "seconds": …}, …]}`.

    Raises:
        InputError: not that form, or fewer than three different steps.
    """
    try:
        steps = [TimedStep(**row) for row in json.loads(text)["steps"]]
    except (ValueError, TypeError, KeyError) as error:
        problem = Problem(path="steps", file=file, found=f"{type(error).__name__}: {error}", fix="Measure again.")
        raise InputError(f"{file} is not a list of timed steps", problems=[problem]) from error
    if len({(s.prompt_tokens, s.sequences, s.context) for s in steps}) < 3:
        raise InputError(f"{file} has fewer than three different steps", fix="Time a prompt and two decode batches.")
    return steps


def fit_steps(steps: Sequence[TimedStep], shape: ModelShape) -> EngineSpeed:
    """Least squares of relative errors for base, token and context time; attention's square term runs at the rate of
    the other products, so it is not a fourth unknown.

    Raises:
        InputError: the steps do not tell base and token time apart.
    """
    ratio = shape.score_dim * shape.full_layers / max(1, shape.active_parameters)
    rows = [((1.0, s.prompt_tokens + s.sequences + ratio * s.pairs, float(s.context)), s.seconds) for s in steps]
    base, token, context = _non_negative(rows)
    if base <= 0 or token <= 0:
        raise InputError(
            "the timed steps do not tell the time of a step from that of a token",
            fix="Time prompts of different lengths and batches of different sizes.",
        )
    return EngineSpeed(
        base=base,
        experts=0.0,
        choice=0.0,
        token=token,
        square=ratio * token,
        context=context,
        sliding=0.0,
        window=shape.window,
        sequence=0.0,
    )


_Row = tuple[tuple[float, float, float], float]


def _non_negative(rows: Sequence[_Row]) -> tuple[float, float, float]:
    """The three times; one that comes out negative is set to zero and the others are fitted again."""
    free = [0, 1, 2]
    found = _solve(rows, free)
    while min(found) < 0:
        free.remove(found.index(min(found)))
        found = _solve(rows, free)
    return found[0], found[1], found[2]


def _solve(rows: Sequence[_Row], free: list[int]) -> list[float]:
    """Normal equations of Σ (x·t / seconds - 1)² over the unknowns in `free`, by Gauss and Jordan."""
    n = len(free)
    matrix = [[0.0] * (n + 1) for _ in range(n)]
    for features, seconds in rows:
        scaled = [features[i] / seconds for i in free]
        for i in range(n):
            for j in range(n):
                matrix[i][j] += scaled[i] * scaled[j]
            matrix[i][n] += scaled[i]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if abs(matrix[i][i]) < 1e-30:
            return [0.0, 0.0, 0.0]
        for k in range(n):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i], strict=True)]
    found = [0.0, 0.0, 0.0]
    for i, index in enumerate(free):
        found[index] = matrix[i][n] / matrix[i][i]
    return found

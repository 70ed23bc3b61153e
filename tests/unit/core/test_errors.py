"""The exception tree and its exit codes."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import tandem
from tandem.core import errors
from tandem.core.errors import DeadlineError, InputError, StaleError, TandemError
from tandem.core.problem import Problem

# serving runs inside Ray's processes, where no command ends with an exit code.
_ROOMS = [name for _, name, _ in pkgutil.walk_packages(tandem.__path__, "tandem.") if ".serving" not in name]


def _subclasses(of: type[TandemError]) -> set[type[TandemError]]:
    return {of}.union(*(_subclasses(below) for below in of.__subclasses__()))


def _public() -> dict[str, int]:
    for name in _ROOMS:
        importlib.import_module(name)
    ours = (kind for kind in _subclasses(TandemError) if kind.__module__.startswith("tandem."))
    return {kind.__name__: kind.exit_code for kind in ours if not kind.__name__.startswith("_")}


def test_each_error_has_the_exit_code_that_the_tree_draws() -> None:
    drawn = re.findall(r"^[ ├└─]*(\w+Error) .* exit (\d)$", errors.__doc__ or "", re.MULTILINE)
    assert _public() == {name: int(code) for name, code in drawn}


def test_no_two_errors_share_an_exit_code() -> None:
    codes = list(_public().values())
    assert sorted(codes) == sorted(set(codes))
    assert 0 not in codes


@pytest.mark.parametrize("kind", [TandemError, StaleError, DeadlineError])
def test_an_error_carries_its_fix_and_its_log(kind: type[TandemError]) -> None:
    error = kind("it failed", fix="Do this.", log=Path("/logs"))
    assert (str(error), error.message, error.fix, error.log) == ("it failed", "it failed", "Do this.", Path("/logs"))


def test_an_input_error_carries_all_problems() -> None:
    problems = [Problem(path="a", found="x", fix=""), Problem(path="b", found="y", fix="")]
    error = InputError("two", problems=problems)
    assert error.problems == tuple(problems)
    assert InputError("none").problems == ()

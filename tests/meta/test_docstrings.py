"""Every module says what it is for, and all arguments say what they are."""

import ast
from pathlib import Path

import pytest

from tests.meta.tree import SOURCE, functions, python_files

_FILES = python_files("src")


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_has_a_docstring(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    assert docstring[0] not in " \n"


def test_all_arguments_and_results_are_annotated() -> None:
    bare = [
        f"{path.relative_to(SOURCE)}:{function.lineno} {function.name}"
        for path in _FILES
        for function in functions(path)
        if function.returns is None or any(_bare(argument) for argument in _arguments(function))
    ]
    assert bare == []


def _arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    given = function.args
    stars = [star for star in (given.vararg, given.kwarg) if star is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def _bare(argument: ast.arg) -> bool:
    return argument.annotation is None and argument.arg not in ("self", "cls")

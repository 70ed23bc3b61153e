"""Small by budget: files of 500 lines at most, functions of ten lines for the most part."""

import ast
import statistics

from tests.meta.tree import ROOT, functions, python_files


def test_no_file_is_longer_than_500_lines() -> None:
    files = python_files("src", "tests", "scripts")
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {name: length for name, length in lengths.items() if length > 500} == {}


def test_functions_are_short() -> None:
    lengths = sorted(_lines(function) for path in python_files("src") for function in functions(path))
    p90 = statistics.quantiles(lengths, n=10)[-1]
    assert (statistics.median(lengths) <= 10, p90 <= 50) == (True, True), f"p50 {statistics.median(lengths)}, p90 {p90}"


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1

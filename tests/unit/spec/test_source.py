"""YAML text with the line of every key."""

import json

import pytest

from tandem.core.errors import InputError
from tandem.spec.source import Source, read_source

_TEXT = """\
# first line
model:
  source: folder

engine: {max_model_len: 4096,
         dtype: float32}
target:
  local:
    cores:
      - [0]
      - [1, 2]
"""


@pytest.fixture
def source() -> Source:
    return read_source(_TEXT, "spec.yaml")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("model",), 2),
        (("model", "source"), 3),
        (("engine", "max_model_len"), 5),
        (("engine", "dtype"), 6),
        (("target", "local", "cores", 0), 10),
        (("target", "local", "cores", 1, 1), 11),
    ],
)
def test_each_key_and_item_has_its_line(source: Source, path: tuple[str | int, ...], line: int) -> None:
    assert source.line(path) == line


def test_what_is_not_written_has_the_line_of_its_nearest_ancestor(source: Source) -> None:
    assert source.line(("target", "local", "port")) == 8
    assert source.line(("slo", "ttft_ms")) is None


def test_the_data_is_plain(source: Source) -> None:
    assert source.data == json.loads(json.dumps(source.data))
    assert type(source.data) is dict
    assert type(source.data["target"]["local"]["cores"]) is list
    assert {type(value) for value in source.data["engine"].values()} == {int, str}


def test_numbers_and_words_keep_their_yaml_types() -> None:
    data = read_source("{a: 1, b: 1.5, c: true, d: 'true', e: 0x10, f: null, 7: x}", "f").data
    assert data == {"a": 1, "b": 1.5, "c": True, "d": "true", "e": 16, "f": None, "7": "x"}
    assert {key: type(value) for key, value in data.items()}["c"] is bool


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_document_is_an_empty_mapping(text: str) -> None:
    assert read_source(text, "f").data == {}


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words", "5"])
def test_another_top_than_a_mapping_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="f is not a spec") as caught:
        read_source(text, "f")
    assert caught.value.problems[0].found == "the top of the file is not a mapping"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("model: {\n", 2),
        ("a: 1\nb: [1, 2\nc: 3\n", 3),
        ("a: 1\n\tb: 2\n", 2),
        ("a: 1\na: 2\n", 2),
        ("a: *nothing\n", 1),
    ],
)
def test_what_is_not_yaml_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InputError, match="f is not valid YAML") as caught:
        read_source(text, "f")
    [problem] = caught.value.problems
    assert (problem.file, problem.line) == ("f", line)
    assert problem.found

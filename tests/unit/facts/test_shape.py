"""Shapes refuse what pydantic's lax mode refuses."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tandem.facts import engine_args, serve_fields
from tandem.facts.shape import Shape

VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        -1,
        1.0,
        1.5,
        0.0,
        "",
        "1",
        "1.5",
        "1.0",
        " 2 ",
        "true",
        "Yes",
        "on",
        "t",
        "maybe",
        "nan",
    ),
    *([], [1], {}, {"a": 1}, "text"),
]
KINDS: dict[str, Any] = {"bool": bool, "int": int, "float": float, "str": str, "list": list, "dict": dict}


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_kind_takes_what_pydantic_takes(kind: str, value: Any) -> None:
    adapter = TypeAdapter(KINDS[kind])
    try:
        adapter.validate_python(value)
    except ValidationError:
        accepted = False
    else:
        accepted = True
    assert Shape(frozenset({kind})).mismatch(value) is not accepted


def test_bounds_and_choices() -> None:
    fraction = Shape(frozenset({"float"}), bounds={"gt": 0, "le": 1})
    assert [fraction.mismatch(value) for value in (0, 0.5, 1, 1.1)] == [True, False, False, True]
    word = Shape(frozenset({"choice:str", "null"}), choices=("a", "b"))
    assert [word.mismatch(value) for value in ("a", None, "c", 1)] == [False, False, True, True]
    assert "a, b" in word.allowed() and "> 0 and ≤ 1" in fraction.allowed()


def test_the_tables_know_what_they_must() -> None:
    assert {"max_model_len", "dtype", "kv_transfer_config", "enable_auto_tool_choice"} <= engine_args.names()
    assert "NixlConnector" in engine_args.connectors()
    assert "VLLM_NIXL_SIDE_CHANNEL_HOST" in engine_args.environment()
    assert serve_fields.model("llm_config").extra == "forbid"
    assert "build_pd_openai_app" in serve_fields.builders()
    assert {"A10", "L4", "H100"} <= serve_fields.accelerators()
    assert serve_fields.tpus() < serve_fields.accelerators()

"""The JSON schema of the spec."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tandem.spec.models import Spec
from tests.unit.cli.conftest import Cli


@pytest.fixture
def schema(cli: Cli) -> dict[str, Any]:
    outcome = cli("schema")
    assert (outcome.code, outcome.err) == (0, "")
    parsed: dict[str, Any] = json.loads(outcome.out)
    return parsed


def test_it_is_a_valid_schema(schema: dict[str, Any]) -> None:
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


def _fields(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in node.get("properties", {}).items():
        yield f"{path}.{name}", field
    for name, definition in node.get("$defs", {}).items():
        yield from _fields(definition, name)


def test_every_field_is_described(schema: dict[str, Any]) -> None:
    fields = dict(_fields(schema))
    assert len(fields) > 30
    assert [path for path, field in fields.items() if not field.get("description", "").strip()] == []


def test_it_knows_every_field_of_the_spec(schema: dict[str, Any]) -> None:
    assert list(schema["properties"]) == list(Spec.model_fields)


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"prefill": {"replicas": 2}, "decode": {"replicas": {"min": 1, "max": 3}}},
        {"pool": {"replicas": 1}, "engine": {"max_model_len": 4096}},
        {"target": {"local": {"kv_cache": "2GiB", "cores": [[0], [1]]}}},
        {"target": {"eks": {"region": "sa-east-1"}}, "transfer": {"backend": "libfabric", "over": "efa"}},
    ],
)
def test_it_accepts_what_the_models_accept(schema: dict[str, Any], spec: dict[str, Any]) -> None:
    Spec.model_validate(spec)
    jsonschema.validate(spec, schema)


@pytest.mark.parametrize(
    "spec",
    [
        {"modle": {}},
        {"transfer": {"backend": "nixl"}},
        {"prefill": {"replicas": 0}},
        {"target": {"local": {"port": 0}}},
        {"target": {"eks": {}}},
        {"slo": {"ttft_ms": "fast"}},
    ],
)
def test_it_refuses_what_the_models_refuse(schema: dict[str, Any], spec: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(spec, schema)


def test_it_is_the_same_on_every_call(cli: Cli, tmp_path: Path) -> None:
    assert cli("schema").out == cli("schema").out

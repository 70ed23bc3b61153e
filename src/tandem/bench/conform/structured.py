"""Answers held to a grammar, in every form that vLLM takes: https://docs.vllm.ai/en/stable/features/structured_outputs/."""

import json
from typing import Any

from tandem.bench.conform.case import Case, both, each

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"unit": {"enum": ["metre", "foot"]}, "deep": {"type": "boolean"}},
    "required": ["unit", "deep"],
    "additionalProperties": False,
}
_GRAMMAR = 'root ::= "select " column " from stones"\ncolumn ::= "height" | "age"'
_TAG = {
    "type": "structural_tag",
    "structures": [{"begin": "<unit>", "schema": _SCHEMA, "end": "</unit>"}],
    "triggers": ["<unit>"],
}
_NEW_TAG = {"type": "structural_tag", "format": {"type": "const_string", "value": "seven stones"}}


def _json_schema(**more: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "depth", "schema": _SCHEMA, **more}}


_RESPONSE_FORMAT: list[Case] = [
    *each("response_format", [{"type": "text"}, {"type": "json_object"}, None], max_tokens=24),
    *each("response_format", [_json_schema(), _json_schema(strict=True, description="A depth.")], max_tokens=40),
    *each("response_format", [_TAG, _NEW_TAG], max_tokens=24),
    *each("response_format", [_json_schema()], max_tokens=40, stream=True),
    *each("response_format", [_json_schema()], max_tokens=40, temperature=0.9, seed=3, n=2),
    *each("response_format", [{"type": "xml"}, {"type": "json_schema"}, {}, "json", {"type": "structural_tag"}]),
    *each("response_format", [{"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "no-type"}}}]),
]

_STRUCTURED_OUTPUTS: list[Case] = [
    *each("structured_outputs", [{"json": _SCHEMA}, {"json": json.dumps(_SCHEMA)}], max_tokens=40),
    *each("structured_outputs", [{"json": _SCHEMA, "disable_any_whitespace": True}], max_tokens=40),
    *each("structured_outputs", [{"json": _SCHEMA, "whitespace_pattern": " "}], max_tokens=40),
    *each("structured_outputs", [{"json_object": True}, {"regex": "[a-f]{4}-[0-9]{2}"}, {"grammar": _GRAMMAR}]),
    *each("structured_outputs", [{"choice": ["granite", "slate", "chalk"]}, {"choice": ["one"]}, None]),
    *each("structured_outputs", [{"structural_tag": json.dumps(_TAG)}], max_tokens=24),
    *each("structured_outputs", [{"choice": ["granite", "slate", "chalk"]}], stream=True),
    *each("structured_outputs", [{"regex": "[a-f]{4}-[0-9]{2}"}], temperature=1, seed=9, n=3),
    *each("structured_outputs", [{}, {"regex": "("}, {"choice": []}, {"grammar": "root = ="}, {"json": "{"}]),
    *each("structured_outputs", [{"regex": "a", "choice": ["a"]}, {"structural_tag": "{}"}, {"unknown": 1}, "a"]),
    *both(
        "structured_outputs",
        "response_format",
        structured_outputs={"regex": "[ab]+"},
        response_format={"type": "json_object"},
    ),
]

STRUCTURED = [*_RESPONSE_FORMAT, *_STRUCTURED_OUTPUTS]

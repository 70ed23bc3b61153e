"""Writes docs/spec.md from the models of the spec: `python scripts/spec_page.py`.

Keys, types, defaults and meanings come from the JSON schema that `tandem schema` prints, so the page cannot say
something else than the loader does. A test compares the page with what this script makes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tandem.core.units import format_bytes
from tandem.spec.models import Spec

TARGET = Path(__file__).parent.parent / "docs" / "spec.md"

Schema = Mapping[str, Any]

_INTRO = """\
# The spec

<!-- Made by scripts/spec_page.py from src/tandem/spec: do not edit by hand. -->

One YAML file says which model is served, by which engines, and where. Everything has a default: an empty file is a
valid spec. An unknown key is an error that names the line and the nearest key. All problems of a file are told at
once. `tandem schema` prints the same as JSON schema, for editors and CI.

This release starts the target `local` only. `tandem plan` works for `kubernetes` and `eks` too; `tandem up` refuses
them. What else is read but not used yet stands in [limits.md](limits.md#read-but-not-used-yet).
"""

# Heading, definition in the schema ("" is the root), in the order of the page.
_SECTIONS = (
    ("The file", ""),
    ("model", "Model"),
    ("prefill, decode, pool", "Phase"),
    ("transfer", "Transfer"),
    ("routing", "Routing"),
    ("slo", "Slo"),
    ("target", "Target"),
    ("target.local", "LocalTarget"),
    ("target.kubernetes", "KubernetesTarget"),
    ("target.eks", "EksTarget"),
    ("traffic", "Traffic"),
    ("managed_api", "ApiPrice"),
)

# Models that are short enough to stand in the type column.
_INLINE = {"Replicas": "{min, max}", "TokenLengths": "{p50, p95}"}

_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def page() -> str:
    """The whole page."""
    root = Spec.model_json_schema()
    definitions: Schema = root["$defs"]
    if forgotten := set(definitions) - {name for _, name in _SECTIONS} - set(_INLINE):
        raise LookupError(f"give these models a section in _SECTIONS: {', '.join(sorted(forgotten))}")
    parts = [_INTRO]
    for heading, name in _SECTIONS:
        parts.append("\n".join(_section(heading, definitions[name] if name else root)))
    return "\n".join(parts)


def _section(heading: str, schema: Schema) -> Iterator[str]:
    required = schema.get("required", ())
    yield f"## {heading}\n"
    yield f"{schema['description']}\n"
    yield "| key | type | default | meaning |"
    yield "|---|---|---|---|"
    for key, field in schema["properties"].items():
        default = "required" if key in required else _default(field)
        yield f"| `{key}` | {_type(field)} | {default} | {field['description']} |"
    yield ""


def _type(field: Schema) -> str:
    if _is_size(field):
        return "size, such as `2GiB`, or bytes"
    if "anyOf" in field:
        kinds = [_type(kind) for kind in field["anyOf"] if kind.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "$ref" in field:
        return _INLINE.get(field["$ref"].rpartition("/")[2], "section")
    if "enum" in field:
        return ", ".join(f"`{choice}`" for choice in field["enum"])
    if field["type"] == "array":
        return f"list of {_type(field['items'])}"
    return f"{_WORDS[field['type']]} {' and '.join(_bounds(field))}".rstrip()


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "mapping",
}


def _is_size(field: Schema) -> bool:
    """True for core.units.Bytes: the only type that takes a whole number or text."""
    return {kind.get("type") for kind in field.get("anyOf", ())} == {"integer", "string"}


def _bounds(field: Schema) -> Iterator[str]:
    for name, sign in _BOUNDS.items():
        if name in field:
            yield f"{sign} {field[name]:g}"


def _default(field: Schema) -> str:
    default = field.get("default")
    if isinstance(default, dict):
        return f"`{{{', '.join(f'{key}: {value}' for key, value in default.items())}}}`"
    if default is None or default == "":
        return "–"
    if _is_size(field):
        return f"`{format_bytes(default)}`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")

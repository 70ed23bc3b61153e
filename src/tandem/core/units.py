"""Quantities that people write with a unit, read once into numbers."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from tandem.core.sizes import GIB, KIB, MIB, format_bytes, parse_bytes

Bytes = Annotated[int, BeforeValidator(parse_bytes, json_schema_input_type=int | str), Field(ge=0)]

__all__ = ["GIB", "KIB", "MIB", "Bytes", "format_bytes", "parse_bytes"]

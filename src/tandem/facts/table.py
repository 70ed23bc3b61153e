"""Package data as plain mappings."""

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def read_table(name: str) -> dict[str, Any]:
    """The TOML file `data/<name>.toml` of this package."""
    text = resources.files("tandem.facts").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)

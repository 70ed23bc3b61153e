"""Generated tables that lie beside this file as JSON."""

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def load_table(name: str) -> dict[str, Any]:
    """The table `<name>.json` of this package, read once."""
    text = resources.files("tandem.facts").joinpath(f"{name}.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table

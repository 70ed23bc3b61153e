"""The request fields of the pinned vLLM's OpenAI endpoints, with their types and defaults.

The table is made from the installed vLLM by `scripts/request_fields.py`
(https://docs.vllm.ai/en/stable/serving/online_serving/openai_compatible_server/); a contract test holds it against
the pinned release.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tandem.facts.shape import Shape, read_shapes
from tandem.facts.tables import load_table

TABLE = "request_fields"


def version() -> str:
    """The vLLM release the table was made from."""
    return str(load_table(TABLE)["version"])


@cache
def endpoints() -> tuple[str, ...]:
    """The paths whose request bodies the table describes."""
    return tuple(load_table(TABLE)["endpoints"])


@cache
def shapes(endpoint: str) -> Mapping[str, Shape]:
    """Shape of each field of an endpoint's request body, over all forms that the body may have."""
    return read_shapes(load_table(TABLE)["endpoints"][endpoint]["fields"])


def default(endpoint: str, field: str) -> Any:
    """What vLLM takes when the field is left out; None too for required fields and for values made per request."""
    return load_table(TABLE)["endpoints"][endpoint]["fields"][field].get("default")

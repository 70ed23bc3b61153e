"""The engine arguments of the pinned vLLM, with their types and bounds.

The table is made from the installed vLLM by `scripts/engine_args.py`
(https://docs.vllm.ai/en/stable/configuration/engine_args/); a contract test holds it against the pinned release.
"""

from collections.abc import Mapping
from functools import cache

from tandem.facts.shape import Shape, read_shapes
from tandem.facts.tables import load_table

TABLE = "engine_args"


def version() -> str:
    """The vLLM release the table was made from."""
    return str(load_table(TABLE)["version"])


@cache
def shapes() -> Mapping[str, Shape]:
    """Shape of each argument of vLLM's AsyncEngineArgs."""
    return read_shapes(load_table(TABLE)["engine"])


@cache
def frontend_shapes() -> Mapping[str, Shape]:
    """Shape of each FrontendArgs field; Ray takes these in `engine_kwargs` as well."""
    return read_shapes(load_table(TABLE)["frontend"])


@cache
def transfer_shapes() -> Mapping[str, Shape]:
    """Shape of each KVTransferConfig field."""
    return read_shapes(load_table(TABLE)["transfer"])


@cache
def names() -> frozenset[str]:
    """What may stand in `engine_kwargs`: engine arguments, and the frontend arguments that Ray passes on."""
    return frozenset(shapes()) | frozenset(frontend_shapes())


@cache
def connectors() -> frozenset[str]:
    """KV connectors that vLLM registers by name."""
    return frozenset(load_table(TABLE)["connectors"])


@cache
def environment() -> frozenset[str]:
    """Environment variables that vLLM reads."""
    return frozenset(load_table(TABLE)["environment"])

"""The models that a Ray Serve config meets: which keys they know and of what type.

Made from the installed Ray by `scripts/serve_fields.py` (https://docs.ray.io/en/latest/serve/api/index.html);
a contract test holds it against the pinned release.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tandem.facts.shape import Shape, read_shapes
from tandem.facts.tables import load_table

TABLE = "serve_fields"


@dataclass(frozen=True)
class Model:
    """`extra` says what an unknown key meets: forbid (refused), ignore (dropped in silence), allow."""

    name: str
    extra: str
    fields: Mapping[str, Shape]


def version() -> str:
    """The Ray release the table was made from."""
    return str(load_table(TABLE)["version"])


@cache
def model(name: str) -> Model:
    """A model by the name the script gives it, such as `llm_config`."""
    entry = load_table(TABLE)["models"][name]
    return Model(name=name, extra=entry["extra"], fields=read_shapes(entry["fields"]))


@cache
def accelerators() -> frozenset[str]:
    """Values of `accelerator_type`. Ray reads A10 as A10G."""
    return frozenset(load_table(TABLE)["accelerators"]) | {"A10"}


@cache
def tpus() -> frozenset[str]:
    """The accelerator types that are TPUs."""
    return frozenset(load_table(TABLE)["tpus"])


@cache
def builders() -> frozenset[str]:
    """Builders in `ray.serve.llm`."""
    return frozenset(load_table(TABLE)["builders"])

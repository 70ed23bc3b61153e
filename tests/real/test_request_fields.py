"""The table of request fields is the pinned vLLM's. Needs the serving environment, no engine."""

import json
import subprocess
from pathlib import Path

import pytest

from tandem.facts.tables import load_table

pytestmark = pytest.mark.real

SCRIPT = Path(__file__).parents[2] / "scripts" / "request_fields.py"


def test_the_table_is_what_the_pinned_vllm_accepts(python: Path, tmp_path: Path) -> None:
    made = tmp_path / "request_fields.json"
    subprocess.run([str(python), str(SCRIPT), str(made)], check=True, capture_output=True)
    assert json.loads(made.read_text()) == load_table("request_fields"), f"run {SCRIPT.name} and classify what is new"

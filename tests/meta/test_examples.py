"""Every file under examples/ can be used as it is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tandem.facts.engine_args import names
from tandem.spec.loader import load_spec
from tests.meta.pages import ROOT

EXAMPLES = sorted((ROOT / "examples").rglob("*.y*ml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=[file.name for file in EXAMPLES])
def test_example_specs_load(file: Path) -> None:
    load_spec(file, names())


def test_the_examples_show_each_way_of_the_local_target() -> None:
    specs = [load_spec(file, names()) for file in EXAMPLES]
    local = [spec for spec in specs if spec.target.kind == "local"]
    ways = {(spec.disaggregated, spec.transfer.backend) for spec in local}
    assert {(True, "ucx"), (True, "libfabric"), (False, "ucx")} <= ways


def test_the_openai_example_starts() -> None:
    command = [sys.executable, str(ROOT / "examples" / "chat_openai.py"), "--help"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "--route" in done.stdout

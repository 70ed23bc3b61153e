"""`tandem render` as people run it: files, exit codes, what is told."""

import subprocess
import sys
from pathlib import Path

from tests.meta.pages import ROOT
from tests.render.bundles import bundle_of

EXAMPLE = ROOT / "examples" / "eks-qwen3.5-9b.yaml"


def _render(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tandem", "render", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def test_the_example_becomes_the_golden_bundle(tmp_path: Path) -> None:
    done = _render(EXAMPLE, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    files = {str(p.relative_to(tmp_path / "out")): p.read_text() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert files == bundle_of("eks-qwen3.5-9b").files
    assert "README.md" in done.stdout


def test_an_edited_folder_exits_3_and_force_overwrites(tmp_path: Path) -> None:
    _render(EXAMPLE, "-o", tmp_path)
    (tmp_path / "cluster.yaml").write_text("mine\n")
    refused = _render(EXAMPLE, "-o", tmp_path)
    assert refused.returncode == 3
    assert "cluster.yaml" in refused.stderr
    assert (tmp_path / "cluster.yaml").read_text() == "mine\n"
    assert _render(EXAMPLE, "-o", tmp_path, "--force").returncode == 0
    assert "eksctl.io" in (tmp_path / "cluster.yaml").read_text()


def test_a_spec_without_a_zone_says_how_to_find_one(tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("model: {source: Qwen/Qwen3-8B}\ntarget: {eks: {region: eu-west-1}}\n")
    refused = _render(file, "-o", tmp_path / "out")
    assert refused.returncode == 2
    assert "aws ec2 describe-instance-type-offerings --region eu-west-1" in refused.stderr
    assert not (tmp_path / "out").exists()
    assert _render(file, "-o", tmp_path / "out", "--zone", "eu-west-1b").returncode == 0


def test_a_local_spec_has_no_files(tmp_path: Path) -> None:
    refused = _render(ROOT / "examples" / "local.yaml", "-o", tmp_path / "out")
    assert refused.returncode == 2
    assert "tandem up" in refused.stderr

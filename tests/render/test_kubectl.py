"""The real kubectl reads every rendered manifest and knows every option in the README, without a cluster."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.render.bundles import CASES, bundle_of, documents

KUBECTL = Path(sys.executable).with_name("kubectl")


def _names(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """`annotate --local` is the one that parses any object, custom ones too, and asks no server."""
    file = folder / "object.yaml"
    file.write_text(text, encoding="utf-8")
    command = [str(KUBECTL), "annotate", "--local", "--filename", str(file), "read=yes", "--output", "name"]
    environment = {"HOME": str(folder), "KUBECONFIG": str(folder / "none")}
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env=environment)


@pytest.mark.parametrize("case", CASES)
def test_kubectl_reads_every_manifest(case: str, tmp_path: Path) -> None:
    made = bundle_of(case)
    for path in [path for path in made.files if path.startswith(("kubernetes/", "monitoring/"))]:
        read = _names(made.files[path], tmp_path)
        assert read.returncode == 0, read.stderr
        told = [line.rpartition("/")[2] for line in read.stdout.splitlines()]
        assert told == [document["metadata"]["name"] for document in documents(made, path)], path


def test_kubectl_refuses_what_is_no_object(tmp_path: Path) -> None:
    assert _names("apiVersion: v1\nmetadata: {name: x}\n", tmp_path).returncode != 0


@pytest.mark.parametrize("case", CASES)
def test_the_readmes_commands_are_shell(case: str) -> None:
    done = subprocess.run(
        ["bash", "-n"], input=_commands(case), check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("case", CASES)
def test_kubectl_knows_the_readmes_options(case: str) -> None:
    joined = _commands(case).replace("\\\n", " ")
    used = {(verb, option) for line in joined.splitlines() for verb, option in _kubectl_options(line)}
    assert {verb for verb, _ in used} >= {"apply", "wait", "port-forward", "delete"}
    unknown = [(verb, option) for verb, option in sorted(used) if option not in _help(verb)]
    assert unknown == []


def _commands(case: str) -> str:
    return "\n".join(re.findall(r"```sh\n(.*?)```", bundle_of(case).files["README.md"], re.DOTALL))


def _kubectl_options(line: str) -> list[tuple[str, str]]:
    """(verb, long option) of each kubectl call; what stands after ` -- ` belongs to the pod's command."""
    calls = re.findall(r"kubectl ([a-z-]+)([^|)]*)", line)
    return [(verb, option) for verb, rest in calls for option in re.findall(r" (--[a-z-]+)", rest.split(" -- ")[0])]


@cache
def _help(verb: str) -> str:
    words = [verb, "secret", "generic"] if verb == "create" else [verb]
    shown = [
        subprocess.run([str(KUBECTL), *what], capture_output=True, text=True, check=True, timeout=60).stdout
        for what in ([*words, "--help"], ["options"])
    ]
    return "".join(shown)

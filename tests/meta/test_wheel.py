"""The wheel in an environment of its own, with nothing but the dependencies that its metadata names.

The dependencies come from the environment of the tests, so that no index is asked.
"""

import json
import subprocess
import sys
import zipfile
from email.parser import Parser
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import tandem
from tests.meta.tree import ROOT, SOURCE

_STACK = ("ray", "vllm", "torch", "psutil", "uv")
_IMPORT_ALL = """
import importlib, importlib.util, json, pkgutil, sys, tandem
missing, imported = {}, []
for _, name, _ in pkgutil.walk_packages(tandem.__path__, "tandem.", onerror=lambda name: None):
    if name.startswith("tandem.serving"):
        continue
    try:
        importlib.import_module(name)
        imported.append(name)
    except ModuleNotFoundError as error:
        missing[name] = error.name
print(json.dumps({"file": tandem.__file__, "missing": missing, "imported": imported, "all": sorted(sys.modules),
                  "there": [name for name in sys.argv[1:] if importlib.util.find_spec(name)]}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def light(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an environment with the wheel and its dependencies, without extras."""
    folder = tmp_path_factory.mktemp("light")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "uv", "pip", "install", "-q", "--no-cache", "--offline", "--no-deps"]
    subprocess.run([*install, "--python", str(python), str(wheel)], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    for needed in _closure(_requirements(wheel)):
        _link(distribution(needed), packages)
    return folder / "bin"


def _requirements(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode()).get_all("Requires-Dist") or []


def _closure(requirements: list[str]) -> set[str]:
    """Names of the distributions that these requirements bring, without extras."""
    found: set[str] = set()
    waiting = _names(requirements)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _names(distribution(name).requires or [])
    return found


def _names(requirements: list[str]) -> list[str]:
    parsed = [Requirement(text) for text in requirements]
    return [r.name for r in parsed if r.marker is None or r.marker.evaluate({"extra": ""})]


def _link(needed: object, packages: Path) -> None:
    assert isinstance(needed, PathDistribution)
    for top in {file.parts[0] for file in needed.files or () if file.parts[0] not in ("..", "__pycache__")}:
        link = packages / top
        if not link.exists():
            link.symlink_to(Path(str(needed.locate_file(top))))


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    package = {
        str(path.relative_to(SOURCE))
        for path in (SOURCE / "tandem").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == package


def test_its_name_carries_the_version(wheel: Path) -> None:
    assert wheel.name == f"tandem_llm-{tandem.__version__}-py3-none-any.whl"


def _run(light: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(light / command[0]), *command[1:]], capture_output=True, text=True, check=False, cwd=light
    )


def test_help_and_schema_work(light: Path) -> None:
    help_text, schema = _run(light, "tandem", "--help"), _run(light, "tandem", "schema")
    assert (help_text.returncode, schema.returncode) == (0, 0), help_text.stderr + schema.stderr
    assert "Commands:" in help_text.stdout
    assert json.loads(schema.stdout)["title"] == "Spec"


def test_every_room_but_the_local_target_is_importable(light: Path) -> None:
    outcome = _run(light, "python", "-I", "-c", _IMPORT_ALL, *_STACK)
    assert outcome.returncode == 0, outcome.stderr
    told = json.loads(outcome.stdout)
    assert Path(told["file"]).is_relative_to(light.parent)
    assert told["there"] == []
    assert set(told["missing"].values()) == {"psutil"}
    assert [name for name in told["missing"] if not name.startswith(("tandem.apply.local.", "tandem.cli."))] == []
    assert {"tandem.cli.main", "tandem.cli.schema", "tandem.cli.chat", "tandem.spec.loader"} <= set(told["imported"])
    assert {name.partition(".")[0] for name in told["all"]} & set(_STACK) == set()


def test_a_verb_of_the_local_target_says_what_to_install(light: Path) -> None:
    outcome = _run(light, "tandem", "up")
    assert outcome.returncode == 2
    assert outcome.stderr.splitlines() == [
        "tandem: `tandem up` needs psutil",
        "  Install it with: pip install 'tandem-llm[local]'",
    ]


def test_chat_needs_no_local_target(light: Path) -> None:
    outcome = _run(light, "tandem", "chat", "--url", "http://127.0.0.1:9/v1", "Hello?")
    assert outcome.returncode == 1
    assert "does not answer" in outcome.stderr

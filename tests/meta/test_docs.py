"""The pages say what the code does: specs load, commands exist, links lead somewhere, generated parts are fresh."""

import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

import tandem
from tandem.cli.main import cli
from tandem.facts.engine_args import names
from tandem.spec.loader import parse_spec
from tandem.spec.models import Spec
from tests.meta.pages import PAGES, ROOT, anchors, blocks, commands, links

DOCS = ROOT / "docs"
every_page = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])


def test_the_spec_page_is_what_its_script_makes() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "spec_page.py"))["page"]()
    assert (DOCS / "spec.md").read_text(encoding="utf-8") == made, "run: python scripts/spec_page.py"


def test_every_key_of_the_spec_has_a_meaning() -> None:
    schema = Spec.model_json_schema()
    models: dict[str, Any] = {"Spec": schema, **schema["$defs"]}
    silent = [
        f"{model}.{key}"
        for model, told in models.items()
        for key, field in told.get("properties", {}).items()
        if not field.get("description")
    ]
    assert silent == []


@every_page
def test_yaml_blocks_are_specs(page: Path) -> None:
    for block in blocks(page, "yaml"):
        parse_spec(block, str(page), names())


@every_page
def test_verbs_and_their_options_exist(page: Path) -> None:
    context = click.Context(cli)
    for command in commands(page):
        for verb, rest in re.findall(r"(?:^|[\s/\"(])tandem ([a-z]+)\b([^|;]*)", command):
            found = cli.get_command(context, verb)
            assert found is not None, f"{page.name}: no such verb: {command}"
            known = {"--help", *(option for parameter in found.params for option in parameter.opts)}
            assert set(re.findall(r"(?<=\s)--[a-z][a-z-]*", rest)) <= known, f"{page.name}: {command}"


@every_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {target for command in commands(page) for target in re.findall(r"^make ([a-z-]+)", command)}
    assert named <= targets


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in links(page):
        target = (page.parent / path) if path else page
        assert target.exists(), f"{page.name}: {path}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {path}#{anchor}"


def test_rooms_stand_in_the_architecture_as_in_the_import_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    layers = [re.findall(r"\w+", layer) for layer in contract["layers"]]
    rows = re.findall(r"^\| (`.+?) \|", (DOCS / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE)
    told = [re.findall(r"\w+", row) for row in rows]
    outside = [[room] for room in contract["exhaustive_ignores"] if not room.startswith("_")]
    assert told == [*layers, *outside]


def test_cited_decisions_exist() -> None:
    there = {page.name[:4] for page in (DOCS / "adr").glob("*.md")}
    sources = [ROOT / "pyproject.toml", *PAGES, *(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    cited = {number for source in sources for number in re.findall(r"ADR (\d{4})", source.read_text(encoding="utf-8"))}
    assert cited
    assert cited <= there


def test_decisions_have_one_form_and_stand_in_the_index() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    pages = sorted((DOCS / "adr").glob("*.md"))
    assert [page.name[:4] for page in pages] == [f"{number:04}" for number in range(1, len(pages) + 1)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], page.name
        assert text.startswith(f"# {page.name[:4]}: ")
        assert f"(adr/{page.name})" in index


def test_explained_messages_are_messages_of_the_code() -> None:
    chapter = (DOCS / "local.md").read_text(encoding="utf-8").partition("## When it does not start")[2]
    messages = re.findall(r"^\| `([^`]+)` \|", chapter, re.MULTILINE)
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    parts = [(message, part.strip(" :()")) for message in messages for part in message.split("…")]
    unknown = [message for message, part in parts if len(part) > 3 and part not in code]
    assert len(messages) > 15
    assert unknown == []


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)[0] == tandem.__version__

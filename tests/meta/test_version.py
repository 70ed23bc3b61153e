"""One version, wherever it is written."""

import re
import tomllib

import tandem
from tests.meta.tree import ROOT


def test_the_changelog_begins_with_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## \[?v?(\d+\.\d+\.\d+[\w.+-]*)", text, re.MULTILINE)
    assert latest is not None
    assert latest[1] == tandem.__version__


def test_the_package_carries_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == tandem.__version__

"""The YAML inside an article: the block that starts at `applications:` and ends at the first blank line."""

import re
from pathlib import Path

from tests.shared import shared

_BLOCK = re.compile(r"^applications:\n(?:[ \t].*\n?)+", re.MULTILINE)
_EC2_TYPE = re.compile(r"\bg\d\w*\.\d*xlarge\b")


def articles() -> list[Path]:
    """Every article of the shared folder, whether it carries YAML or not."""
    return sorted(shared("seeds").glob("*.txt"))


def yaml_of(article: Path) -> str | None:
    """The Serve config in an article, None when it has none."""
    match = _BLOCK.search(article.read_text(encoding="utf-8"))
    return match[0] if match else None


def node_of(article: Path) -> str:
    """The EC2 type that the article runs its engines on."""
    match = _EC2_TYPE.search(article.read_text(encoding="utf-8"))
    assert match, f"{article} names no EC2 type"
    return match[0]

"""The pages of the project, and what stands in them."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

_FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of a page in these languages."""
    return [body for language, body in _FENCE.findall(page.read_text(encoding="utf-8")) if language in languages]


def inline_code(page: Path) -> list[str]:
    """Every text between single backticks, outside of fenced blocks."""
    return _INLINE.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))


def commands(page: Path) -> Iterator[str]:
    """Lines that a reader may type: of shell blocks, without comments, and inline code."""
    for block in blocks(page, "sh", "console"):
        for line in block.splitlines():
            yield line.removeprefix("$ ").partition(" #")[0]
    yield from inline_code(page)


def links(page: Path) -> list[tuple[str, str]]:
    """(path, anchor) of each link that stays in the project; either may be empty."""
    return _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    headings = _HEADING.findall(_FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}

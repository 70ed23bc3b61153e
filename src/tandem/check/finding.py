"""What a rule is, what it finds, and the edits that mend it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tandem.spec.reading import dotted
from tandem.spec.source import KeyPath

if TYPE_CHECKING:
    from tandem.check.subject import Subject

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True)
class Put:
    """Sets a key, or adds it (and the mappings above it) when it is not there."""

    path: KeyPath
    value: Any


@dataclass(frozen=True)
class Drop:
    """Removes a key."""

    path: KeyPath


@dataclass(frozen=True)
class Move:
    """Takes a key with all that is below it to another place, or gives it another name."""

    path: KeyPath
    to: KeyPath


Edit = Put | Drop | Move


@dataclass(frozen=True)
class Hit:
    """One place where a rule applies. `fix` and `severity` replace the rule's own when they are given."""

    path: KeyPath
    found: str
    edits: tuple[Edit, ...] = ()
    fix: str = ""
    severity: Severity | None = None


@dataclass(frozen=True)
class Rule:
    """One thing that can be wrong. `why` says what happens if it stays, `sources` are public pages that say so."""

    id: str
    title: str
    severity: Severity
    why: str
    fix: str
    sources: tuple[str, ...]
    find: Callable[["Subject"], Iterable[Hit]]


@dataclass(frozen=True)
class Finding:
    """A rule's hit in a file, with all that a reader needs to mend it."""

    id: str
    severity: Severity
    title: str
    file: str
    path: str
    line: int | None
    found: str
    why: str
    sources: tuple[str, ...]
    fix: str
    edits: tuple[Edit, ...] = field(default=(), compare=False)

    def as_json(self) -> dict[str, object]:
        """The finding as plain data; `fixable` says whether `--fix` mends it."""
        return {
            "id": self.id,
            "severity": self.severity,
            "title": self.title,
            "file": self.file,
            "path": self.path,
            "line": self.line,
            "found": self.found,
            "why": self.why,
            "sources": list(self.sources),
            "fix": self.fix,
            "fixable": bool(self.edits),
        }


def finding(rule: Rule, hit: Hit, file: str, line: int | None) -> Finding:
    """A Finding from a rule and its hit."""
    return Finding(
        id=rule.id,
        severity=hit.severity or rule.severity,
        title=rule.title,
        file=file,
        path=dotted(hit.path),
        line=line,
        found=hit.found,
        why=rule.why,
        sources=rule.sources,
        fix=hit.fix or rule.fix,
        edits=hit.edits,
    )

"""One thing that is wrong with an input, told so that it can be mended without a search."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Where (file, line, dotted path), what was found, what is allowed, and what to do."""

    path: str
    found: str
    fix: str
    file: str = ""
    line: int | None = None
    allowed: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        head = ": ".join(part for part in (place, self.path, self.found) if part)
        allowed = f" Allowed: {self.allowed}." if self.allowed else ""
        return f"{head}.{allowed} {self.fix}".rstrip()

    def as_json(self) -> dict[str, object]:
        """The problem as plain data, keys in a fixed order."""
        return asdict(self)

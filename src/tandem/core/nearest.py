"""The name that a mistyped one was probably meant to be."""

import difflib
from collections.abc import Iterable


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The closest of `allowed` to `name`, or None when none is close."""
    close = difflib.get_close_matches(name, list(allowed), n=1, cutoff=0.6)
    return close[0] if close else None

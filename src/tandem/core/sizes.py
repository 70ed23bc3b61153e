"""Sizes in bytes, from text and to text, without pydantic: what only reads files starts a fifth of a second sooner."""

import re

KIB = 1024
MIB = 1024**2
GIB = 1024**3

_SIZE = re.compile(r"^\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[KMGT]i?B?|B)?\s*$", re.IGNORECASE)
_FACTOR = {"": 1, "B": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_BINARY = {"KI": 1024, "MI": 1024**2, "GI": 1024**3, "TI": 1024**4}


def parse_bytes(value: object) -> int:
    """Bytes from `1073741824`, `1GiB`, `1Gi` or `1.5 GB`; Kubernetes' and the SI spellings.

    Raises:
        ValueError: the text is not a size.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.match(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a size such as 2GiB, 512Mi or a number of bytes")
    unit = (match["unit"] or "").upper().removesuffix("B")
    return int(float(match["number"]) * {**_FACTOR, **_BINARY}[unit])


def format_bytes(size: float) -> str:
    """A size for people, in binary units: `1.5 GiB`."""
    for limit, unit in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= limit:
            return f"{size / limit:.1f} {unit}"
    return f"{size:.0f} B"

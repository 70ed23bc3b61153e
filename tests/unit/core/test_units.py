"""Sizes, written and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.core.units import GIB, KIB, MIB, format_bytes, parse_bytes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (0, 0),
        ("0", 0),
        ("7B", 7),
        ("1k", 1000),
        ("1Ki", 1024),
        ("1KiB", 1024),
        ("2 GiB", 2 * GIB),
        ("2Gi", 2 * GIB),
        ("2GB", 2 * 1000**3),
        ("1.5MiB", 3 * MIB // 2),
        (" 3tib ", 3 * 1024 * GIB),
    ],
)
def test_kubernetes_and_si_spellings(text: object, size: int) -> None:
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "1 PiB", "1,5GiB", "-1", "1 GiB B", "1e9", True, None, 1.5, [1]])
def test_what_is_no_size_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="a size such as"):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1023, "1023 B"), (KIB, "1.0 KiB"), (1536, "1.5 KiB"), (5 * MIB, "5.0 MiB"), (2.25 * GIB, "2.2 GiB")],
)
def test_a_size_for_people(size: float, text: str) -> None:
    assert format_bytes(size) == text


@given(st.integers(0, 2**50))
def test_what_is_written_for_people_reads_back_close(size: int) -> None:
    assert abs(parse_bytes(format_bytes(size)) - size) <= max(1, 0.05 * size)

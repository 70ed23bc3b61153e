"""What the CPU can do."""

from pathlib import Path

import pytest

from tandem.apply.local.machine import cpu_flags, native_dtype

_X86 = """\
processor\t: 0
vendor_id\t: GenuineIntel
flags\t\t: fpu vme avx2 avx512f avx512_bf16
bugs\t\t: spectre_v1

processor\t: 1
flags\t\t: fpu
"""
_ARM = "processor\t: 0\nBogoMIPS\t: 2100.00\nFeatures\t: fp asimd bf16 i8mm\n"


@pytest.mark.parametrize(
    ("text", "flags"),
    [(_X86, {"fpu", "vme", "avx2", "avx512f", "avx512_bf16"}), (_ARM, {"fp", "asimd", "bf16", "i8mm"}), ("", set())],
)
def test_flags_are_the_first_cores(tmp_path: Path, text: str, flags: set[str]) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(text, encoding="utf-8")
    assert cpu_flags(file) == flags


def test_a_system_without_the_file_has_no_flags(tmp_path: Path) -> None:
    assert cpu_flags(tmp_path / "none") == set()


def test_this_machine_has_some() -> None:
    assert cpu_flags()


@pytest.mark.parametrize(
    ("flags", "dtype"),
    [
        ({"avx512_bf16"}, "bfloat16"),
        ({"amx_bf16", "fpu"}, "bfloat16"),
        ({"bf16"}, "bfloat16"),
        ({"avx512f", "avx2"}, "float32"),
        (set(), "float32"),
    ],
)
def test_bfloat16_needs_its_instructions(flags: set[str], dtype: str) -> None:
    assert native_dtype(flags) == dtype

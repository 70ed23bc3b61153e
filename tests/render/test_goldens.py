"""Specs in, whole bundles out. UPDATE_GOLDENS=1 rewrites them and fails."""

import os
import shutil

import pytest

from tests.render.bundles import CASES, GOLDENS, bundle_of


@pytest.mark.parametrize("case", CASES)
def test_the_bundle_is_as_it_was(case: str) -> None:
    folder, files = GOLDENS / case / "bundle", bundle_of(case).files
    if os.environ.get("UPDATE_GOLDENS"):
        shutil.rmtree(folder, ignore_errors=True)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        pytest.fail("goldens rewritten: look at the difference, then run without UPDATE_GOLDENS")
    there = {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.is_file()}
    assert there == files


def test_the_cases_cover_the_targets() -> None:
    assert len(CASES) >= 4


@pytest.mark.parametrize("case", CASES)
def test_the_same_spec_gives_the_same_bytes(case: str) -> None:
    assert bundle_of(case) == bundle_of(case)

"""The rules as a whole: complete, told apart, documented, and each seen red and green."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

from tandem.check import rules
from tandem.check.registry import all_rules, rule_by_id
from tandem.spec.keys import SPEC_KEYS
from tandem.spec.models import Spec
from tests.unit.check import (
    test_engine_rules,
    test_environment_rules,
    test_pod_rules,
    test_structure_rules,
    test_transfer_rules,
)

ROOT = Path(__file__).parents[3]
CASES = [
    case
    for module in (
        test_structure_rules,
        test_transfer_rules,
        test_engine_rules,
        test_pod_rules,
        test_environment_rules,
    )
    for case in module.CASES
]


def test_at_least_sixty_rules_each_seen_red_and_green() -> None:
    ids = {rule.id for rule in all_rules()}
    assert len(ids) >= 60
    assert ids == {case.rule for case in CASES}


def test_one_rule_per_file_with_its_id_in_the_name() -> None:
    for module in pkgutil.iter_modules(rules.__path__):
        rule = importlib.import_module(f"{rules.__name__}.{module.name}").RULE
        assert module.name.split("_")[0] == rule.id.lower()


def test_ids_are_told_apart_and_in_order() -> None:
    ids = [rule.id for rule in all_rules()]
    assert ids == sorted(set(ids))
    assert rule_by_id("td102") is not None
    assert rule_by_id("TD999") is None


def test_every_rule_says_why_how_and_where() -> None:
    for rule in all_rules():
        assert len(rule.why) > 40, rule.id
        assert rule.fix.endswith("."), rule.id
        assert rule.sources and all(source.startswith("https://") for source in rule.sources), rule.id


def test_no_two_rules_say_the_same() -> None:
    for field in ("title", "why"):
        values = [getattr(rule, field) for rule in all_rules()]
        assert len(values) == len(set(values)), field


def test_the_rules_page_has_not_drifted(tmp_path: Path) -> None:
    made = tmp_path / "rules.md"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "rules_page.py"), str(made)], check=True)
    assert made.read_text(encoding="utf-8") == (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_spec_keys_are_the_models_fields() -> None:
    assert set(Spec.model_fields) == SPEC_KEYS

"""All rules, found by going through the package that holds them, in the order of their ids."""

import importlib
import pkgutil
from functools import cache

from tandem.check import rules as package
from tandem.check.finding import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule once. A file of the package without a RULE is a mistake and raises AttributeError."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = (importlib.import_module(f"{package.__name__}.{name}").RULE for name in names)
    return tuple(sorted(found, key=lambda rule: rule.id))


def rule_by_id(rule_id: str) -> Rule | None:
    """The rule with this id, in any case of letters, or None."""
    return next((rule for rule in all_rules() if rule.id == rule_id.upper()), None)

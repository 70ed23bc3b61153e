"""Writes docs/rules.md from the rules. A test fails when the page is not what this writes."""

import sys
from pathlib import Path

from tandem.check.finding import Rule
from tandem.check.registry import all_rules
from tandem.facts.versions import PINNED_NIXL, PINNED_RAY, PINNED_VLLM

TARGET = Path(__file__).parent.parent / "docs" / "rules.md"

GROUPS = {
    "TD0": "What Ray, vLLM and Kubernetes refuse or drop",
    "TD1": "The transfer of the KV cache",
    "TD2": "The two phases against each other",
    "TD3": "The engine against the model",
    "TD4": "The transport against the instance type",
    "TD5": "The pods against the nodes",
    "TD6": "Versions against each other",
    "TD7": "Environment variables",
    "TD8": "Security and privacy",
}


def page() -> str:
    """The whole page."""
    lines = [
        "# Rules of `tandem check`",
        "",
        "Made by `scripts/rules_page.py`; do not edit. "
        f"{len(all_rules())} rules, held against Ray {PINNED_RAY}, vLLM {PINNED_VLLM} and NIXL {PINNED_NIXL}. "
        "`tandem explain TD102` prints one of them.",
    ]
    for prefix, title in GROUPS.items():
        lines += ["", f"## {title}"]
        for rule in all_rules():
            if rule.id.startswith(prefix):
                lines += _section(rule)
    return "\n".join(lines) + "\n"


def _section(rule: Rule) -> list[str]:
    links = " · ".join(f"<{source}>" for source in rule.sources)
    return ["", f"### {rule.id}: {rule.title}", "", f"*{rule.severity}.* {rule.why}", "", f"Fix: {rule.fix}", "", links]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(exist_ok=True)
    target.write_text(page(), encoding="utf-8")

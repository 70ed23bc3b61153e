"""Findings as text, JSON, SARIF 2.1.0 and GitHub annotations. Formats only."""

import json
from collections.abc import Iterable
from typing import Any

from tandem import __version__
from tandem.check.change import Change
from tandem.check.finding import SEVERITIES, Finding, Rule
from tandem.check.registry import all_rules
from tandem.check.run import Report

_SARIF_LEVEL = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB_LEVEL = {"error": "error", "warning": "warning", "info": "notice"}


def as_text(report: Report) -> str:
    """For people: place, what was found, why it matters, what to do, where to read it."""
    blocks = [_text_block(found) for found in report.findings]
    blocks += [f"note: {note}" for note in report.notes]
    return "\n\n".join([*blocks, _summary(report)])


def as_json(report: Report) -> str:
    """For programs: every finding with all its fields."""
    data = {
        "files": list(report.files),
        "findings": [found.as_json() for found in report.findings],
        "notes": list(report.notes),
        "counts": {severity: report.count(severity) for severity in SEVERITIES},
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def as_sarif(report: Report) -> str:
    """For code scanning: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html."""
    used = {found.id for found in report.findings}
    rules = [rule for rule in all_rules() if rule.id in used]
    order = {rule.id: index for index, rule in enumerate(rules)}
    driver = {"name": "tandem check", "version": __version__, "rules": [_sarif_rule(rule) for rule in rules]}
    run = {"tool": {"driver": driver}, "results": [_sarif_result(found, order) for found in report.findings]}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def as_github(report: Report) -> str:
    """Workflow commands that GitHub shows at the lines of a pull request."""
    return "\n".join(_github(found) for found in report.findings)


def change_as_text(change: Change) -> str:
    """What an edit does, for people."""
    lines = [_HEADLINE[change.effect]]
    if change.gpu_nodes:
        lines[0] += f" It needs {_nodes(change.gpu_nodes)} ({change.gpus} GPUs) on top of what runs."
    for step in change.steps:
        place = f"line {step.line}: " if step.line else ""
        lines.append(f"  {step.effect:8} {place}{step.path}: {step.told}")
    return "\n".join(lines)


def rule_as_text(rule: Rule) -> str:
    """The long form of a rule."""
    head = f"{rule.id} ({rule.severity}): {rule.title}"
    return "\n".join([head, "", rule.why, "", f"Fix: {rule.fix}", "", *rule.sources])


FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif, "github": as_github}

_HEADLINE = {
    "none": "Nothing has to be restarted.",
    "scale": "In place: engines are added or removed, the others run on.",
    "restart": "In place: engines are restarted.",
    "replace": "Not in place: a new cluster or new nodes stand beside the old ones until they are ready.",
    "ignored": "The edit has no effect on what runs.",
}


def _text_block(found: Finding) -> str:
    place = f"{found.file}:{found.line}" if found.line else found.file
    head = f"{place}: {found.severity} {found.id}: {found.title}"
    lines = [head, f"  {found.path}: {found.found}", f"  why: {found.why}", f"  fix: {found.fix}{_fixable(found)}"]
    return "\n".join([*lines, *(f"  see: {source}" for source in found.sources)])


def _fixable(found: Finding) -> str:
    return " (--fix does it)" if found.edits else ""


def _summary(report: Report) -> str:
    counts = [f"{report.count(severity)} {severity}" for severity in SEVERITIES if report.count(severity)]
    files = "1 file" if len(report.files) == 1 else f"{len(report.files)} files"
    return f"{files}: {', '.join(counts) or 'nothing found'}"


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    links = "\n".join(f"- {source}" for source in rule.sources)
    return {
        "id": rule.id,
        "name": rule.title,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.fix, "markdown": f"{rule.why}\n\n{rule.fix}\n\n{links}"},
        "helpUri": rule.sources[0],
        "defaultConfiguration": {"level": _SARIF_LEVEL[rule.severity]},
    }


def _sarif_result(found: Finding, order: dict[str, int]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": found.file}}
    physical["region"] = {"startLine": found.line or 1}
    location = {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": found.path}]}
    return {
        "ruleId": found.id,
        "ruleIndex": order[found.id],
        "level": _SARIF_LEVEL[found.severity],
        "message": {"text": f"{found.title}: {found.found}. {found.fix}"},
        "locations": [location],
    }


def _github(found: Finding) -> str:
    fields = {"file": found.file, "line": str(found.line or 1), "title": f"{found.id}: {found.title}"}
    head = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in fields.items())
    return f"::{_GITHUB_LEVEL[found.severity]} {head}::{_escaped(f'{found.path}: {found.found}. {found.fix}', '')}"


def _escaped(value: str, more: Iterable[str]) -> str:
    """GitHub reads these in percent encoding; commas and colons too inside a property."""
    for character in ("%", "\r", "\n", *more):
        value = value.replace(character, f"%{ord(character):02X}")
    return value


def _nodes(count: int) -> str:
    return "1 more GPU node" if count == 1 else f"{count} more GPU nodes"

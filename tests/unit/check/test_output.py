"""Findings for people and programs."""

import json

from tandem.check.registry import all_rules
from tandem.check.run import check_text
from tandem.report.findings import FORMATS, as_github, as_json, as_sarif, as_text, rule_as_text
from tests.unit.check.examples import serve

REPORT = check_text(serve("PT|engine_id: prefill\nPT|kv_port: 1\nPE|trust_remote_code: true"), "a,b:c.yaml")
CLEAN = check_text(serve("PX|backends: [UCX]\nDX|backends: [UCX]"), "clean.yaml")


def test_text_has_place_reason_fix_and_source() -> None:
    text = as_text(REPORT)
    finding = next(one for one in REPORT.findings if one.id == "TD105")
    assert f"a,b:c.yaml:{finding.line}: error TD105" in text
    assert finding.why in text and finding.fix in text and finding.sources[0] in text
    assert "(--fix does it)" in text
    assert text.endswith("1 file: 1 error, 1 warning, 1 info")
    assert as_text(CLEAN) == "1 file: nothing found"


def test_json_has_every_field() -> None:
    data = json.loads(as_json(REPORT))
    assert data["counts"] == {"error": 1, "warning": 1, "info": 1}
    assert {"id", "severity", "file", "path", "line", "found", "why", "sources", "fix", "fixable"} <= set(
        data["findings"][0]
    )


def test_sarif_points_at_lines_and_rules() -> None:
    run = json.loads(as_sarif(REPORT))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == len(REPORT.findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1
    assert json.loads(as_sarif(CLEAN))["runs"][0]["results"] == []


def test_github_annotations_are_escaped() -> None:
    lines = as_github(REPORT).splitlines()
    assert len(lines) == len(REPORT.findings)
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert all("file=a%2Cb%3Ac.yaml" in line for line in lines)
    assert as_github(CLEAN) == ""


def test_every_rule_has_a_long_form() -> None:
    for rule in all_rules():
        text = rule_as_text(rule)
        assert rule.why in text and rule.sources[-1] in text


def test_all_formats_are_offered() -> None:
    assert set(FORMATS) == {"text", "json", "sarif", "github"}

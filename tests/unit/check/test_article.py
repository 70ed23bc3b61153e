"""The published example: what is wrong with it is told with path and line, and --fix makes it healthy."""

from tandem.check.finding import Finding
from tandem.check.fix import fix_text
from tandem.check.run import check_text
from tandem.check.subject import Surroundings
from tests.unit.check.article import articles, node_of, yaml_of

EXPECTED = {
    "TD101": "kv_transfer_config",
    "TD102": "kv_role",
    "TD105": "engine_id",
    "TD106": "kv_load_failure_policy",
    "TD401": "backends",
}


def published() -> list[tuple[str, str, str]]:
    """Name, YAML and EC2 type of each article that carries a config."""
    found = [(path.name, text, node_of(path)) for path in articles() if (text := yaml_of(path))]
    assert found, "no article carries YAML"
    return found


def test_an_article_without_yaml_is_seen_as_such() -> None:
    without = [path.name for path in articles() if yaml_of(path) is None]
    assert all("applications:" not in path.read_text(encoding="utf-8") for path in articles() if path.name in without)


def test_each_fault_is_told_for_both_phases_with_path_and_line() -> None:
    for name, text, node in published():
        findings = check_text(text, name, Surroundings(node=node)).findings
        lines = text.splitlines()
        for rule, key in EXPECTED.items():
            found = [one for one in findings if one.id == rule]
            assert {_phase(one) for one in found} == {"prefill_config", "decode_config"}, (name, rule)
            assert all(one.path.endswith(key) for one in found)
            for one in found:
                assert one.line
                written = lines[one.line - 1]
                assert key in written or "kv_transfer_config" in written, (rule, written)


def test_fixed_it_has_no_finding_left_and_every_change_is_told() -> None:
    for name, text, node in published():
        around = Surroundings(node=node)
        fixed, changes = fix_text(text, name, around)
        report = check_text(fixed, name, around)
        assert report.findings == () and report.notes == ()
        assert set(EXPECTED) <= {change.rule for change in changes}
        untouched = {"model_loading_config", "max_model_len", "gpu_memory_utilization: 0.90", "deployment_config"}
        for line in text.splitlines():
            if any(word in line for word in untouched):
                assert line in fixed.splitlines()


def test_the_phases_are_not_mixed_up() -> None:
    for name, text, node in published():
        fixed, _ = fix_text(text, name, Surroundings(node=node))
        prefill, decode = fixed.split("decode_config:")
        assert "kv_producer" in prefill and "kv_consumer" not in prefill
        assert "kv_consumer" in decode and "kv_producer" not in decode


def _phase(finding: Finding) -> str:
    return finding.path.split(".")[3]

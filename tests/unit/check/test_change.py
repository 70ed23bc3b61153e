"""What an edit will replace, by KubeRay's and Serve's own rules."""

import pytest

from tandem.check.change import Change, compare
from tandem.report.findings import change_as_text
from tandem.spec.manifest import read_text
from tests.unit.check.examples import manifest, serve, spec


def between(old: str, new: str) -> Change:
    """The change from one text to another."""
    return compare(read_text(old, "old.yaml")[0], read_text(new, "new.yaml")[0])


def test_no_edit_does_nothing() -> None:
    assert between(manifest(), manifest()) == Change("none", ())


@pytest.mark.parametrize(
    "overlay",
    [
        "WC|image: rayproject/ray-llm:2.60.1-py312-cu130",
        "WC|env: [{name: A, value: '1'}]",
        "C|rayVersion: 2.60.1",
        "HC|resources.limits.memory: 16Gi",
    ],
)
def test_an_edit_of_the_cluster_builds_a_second_one(overlay: str) -> None:
    change = between(manifest(), manifest(overlay))
    assert change.effect == "replace"
    assert (change.gpu_nodes, change.gpus) == (2, 2)
    assert all(step.line for step in change.steps)


@pytest.mark.parametrize("overlay", ["WP|tolerations: [{operator: Exists}]", "C|upgradeStrategy: {type: Recreate}"])
def test_what_kuberay_leaves_out_of_its_hash_replaces_nothing(overlay: str) -> None:
    assert between(manifest(), manifest(overlay)).effect == "none"


def test_more_workers_are_added_in_place() -> None:
    change = between(manifest(), manifest("W|replicas: 5\nW|maxReplicas: 5"))
    assert change.effect == "scale"
    assert (change.gpu_nodes, change.gpus) == (3, 3)


def test_a_new_worker_group_is_added_in_place() -> None:
    pod = "{name: w, resources: {limits: {nvidia.com/gpu: 4}}}"
    group = f"{{groupName: b, replicas: 1, template: {{spec: {{containers: [{pod}]}}}}}}"
    change = between(manifest(), manifest(f"C|workerGroupSpecs.1: {group}"))
    assert change.effect == "scale"
    assert (change.gpu_nodes, change.gpus) == (1, 4)


def test_the_serve_config_is_updated_in_place() -> None:
    change = between(manifest(), manifest("", "PE|max_model_len: 8192"))
    assert change.effect == "restart"
    assert change.gpu_nodes == 0
    assert between(serve(), serve("P|deployment_config.num_replicas: 2")).effect == "scale"


def test_upgrade_strategy_none_ignores_the_edit() -> None:
    none = "spec.upgradeStrategy: {type: None}"
    change = between(manifest(none), manifest(none + "\nC|rayVersion: 2.60.1"))
    assert change.effect == "ignored"


def test_http_options_are_read_at_start_only() -> None:
    assert between(serve(), serve("http_options: {port: 9000}")).effect == "ignored"


@pytest.mark.parametrize(
    ("overlay", "effect", "nodes"),
    [
        ("decode: {replicas: 3}", "scale", 0),
        ("engine.max_model_len: 8192", "restart", 0),
        ("target.eks.decode_node: p5en.48xlarge", "replace", 2),
        ("target.eks.region: us-east-1", "replace", 3),
        ("slo: {itl_ms: 80}", "none", 0),
    ],
)
def test_a_spec(overlay: str, effect: str, nodes: int) -> None:
    change = between(spec(), spec(overlay))
    assert (change.effect, change.gpu_nodes) == (effect, nodes)


def test_another_kind_of_file_is_a_replacement() -> None:
    assert between(serve(), manifest()).effect == "replace"


def test_the_text_says_how_many_nodes() -> None:
    text = change_as_text(between(manifest(), manifest("C|rayVersion: 2.60.1")))
    assert "2 more GPU nodes (2 GPUs)" in text
    assert "spec.rayClusterConfig.rayVersion" in text

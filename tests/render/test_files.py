"""What the rendered files promise: where engines go, what pods may do, who reaches whom."""

import json
import re
from typing import Any

import pytest

from tandem.core.errors import InputError
from tandem.facts.engine_args import names
from tandem.render.bundle import MANIFEST, bundle, digest, edited
from tandem.render.deployment import OWN_IMAGE, Options, resolve
from tandem.render.files import render
from tandem.spec.loader import load_spec
from tandem.spec.models import Spec
from tests.meta.pages import ROOT
from tests.render.bundles import (
    CASES,
    bundle_of,
    documents,
    objects,
    pods,
    ray_service,
    rendered,
    serve_args,
)

every_case = pytest.mark.parametrize("case", CASES)
EKS = "target: {eks: {region: eu-west-1, zone: eu-west-1c%s}}\nmodel: {source: Qwen/Qwen3-8B}\n"


@every_case
def test_each_phase_is_pinned_to_its_own_worker_group(case: str) -> None:
    made = bundle_of(case)
    groups = ray_service(made)["spec"]["rayClusterConfig"]["workerGroupSpecs"]
    args = serve_args(made)
    for group in groups:
        name = group["groupName"]
        offered = json.loads(json.loads(group["rayStartParams"]["resources"]))  # the shell takes the outer quotes
        assert offered == {name: 1}
        assert args[f"{name}_config"]["placement_group_config"]["bundle_per_worker"] == {"GPU": 1, name: 0.001}


@every_case
def test_the_pods_have_the_gpus_that_the_engines_need(case: str) -> None:
    made = bundle_of(case)
    for group in ray_service(made)["spec"]["rayClusterConfig"]["workerGroupSpecs"]:
        config = serve_args(made)[f"{group['groupName']}_config"]
        deployment = config["deployment_config"]
        engines = deployment.get("num_replicas") or deployment["autoscaling_config"]["max_replicas"]
        limit = int(group["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"])
        assert group["replicas"] * limit >= engines * config["engine_kwargs"]["tensor_parallel_size"]
        assert group["rayStartParams"]["num-gpus"] == str(limit)


@pytest.mark.parametrize("name", ["eks-qwen3.5-9b", "eks-p5-llama-3.3-70b", "kubernetes"])
def test_examples_that_are_not_local_can_be_rendered(name: str) -> None:
    made = render(load_spec(ROOT / "examples" / f"{name}.yaml", names()), Options())
    assert set(pods(made)) == {"head", "prefill", "decode"}


def test_four_gpu_engines_share_a_node_of_eight() -> None:
    made = resolve(Spec.model_validate(_p5(decode=3)), Options())
    assert [(p.phase, p.pods, p.gpus, p.efa) for p in made.phases] == [("prefill", 1, 4, 32), ("decode", 2, 8, 32)]


@every_case
def test_no_container_is_privileged_or_writes_its_root(case: str) -> None:
    for pod in pods(bundle_of(case)).values():
        for container in [*pod["containers"], *pod.get("initContainers", [])]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True
            assert security["allowPrivilegeEscalation"] is False
            assert security["capabilities"]["drop"] == ["ALL"]
            assert "privileged" not in security


def test_only_a_pod_that_locks_memory_for_efa_is_root() -> None:
    efa = pods(bundle_of("eks-qwen3.5-9b"))
    assert efa["decode"]["containers"][0]["securityContext"]["capabilities"]["add"] == ["IPC_LOCK"]
    for pod in (efa["head"], *pods(bundle_of("kubernetes-tcp")).values()):
        assert pod["containers"][0]["securityContext"]["runAsNonRoot"] is True


def test_privileged_is_a_setting() -> None:
    made = rendered(EKS % ", privileged: true" + "transfer: {backend: libfabric}\n")
    assert pods(made)["prefill"]["containers"][0]["securityContext"]["privileged"] is True
    assert "privileged" not in pods(made)["head"]["containers"][0]["securityContext"]


@every_case
def test_nothing_is_published(case: str) -> None:
    for path, document in objects(bundle_of(case)):
        assert document["kind"] != "Ingress", path
        assert "LoadBalancer" not in json.dumps(document), path
        assert "NodePort" not in json.dumps(document), path


@every_case
def test_telemetry_is_off_and_hubs_are_offline(case: str) -> None:
    for pod in pods(bundle_of(case)).values():
        env = {one["name"]: one.get("value") for one in pod["containers"][0]["env"]}
        assert env["RAY_USAGE_STATS_ENABLED"] == "0"
        assert (env["VLLM_NO_USAGE_STATS"], env["DO_NOT_TRACK"], env["HF_HUB_OFFLINE"]) == ("1", "1", "1")


@every_case
def test_the_policy_selects_every_pod_and_lets_only_them_reach_ray(case: str) -> None:
    made = bundle_of(case)
    [policy] = documents(made, "kubernetes/30-network-policy.yaml")
    wanted = policy["spec"]["podSelector"]["matchLabels"].items()
    cluster = ray_service(made)["spec"]["rayClusterConfig"]
    for group in [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]:
        assert wanted <= group["template"]["metadata"]["labels"].items()
    open_to_all_ports = [rule["from"] for rule in policy["spec"]["ingress"] if "ports" not in rule]
    assert open_to_all_ports == [[{"podSelector": policy["spec"]["podSelector"]}]]


def test_a_model_in_the_image_needs_no_way_out_and_no_download() -> None:
    made = bundle_of("kubernetes-pool")
    [policy] = documents(made, "kubernetes/30-network-policy.yaml")
    assert "ipBlock" not in json.dumps(policy)
    assert "initContainers" not in pods(made)["pool"]
    assert serve_args(made)["pool_config"]["model_loading_config"]["model_source"] == "/models/mine"


@pytest.mark.parametrize(
    ("transfer", "variables"),
    [
        ("{backend: libfabric, over: efa}", {"FI_PROVIDER": "efa"}),
        ("{backend: libfabric}", {"FI_PROVIDER": "efa"}),
        ("{backend: libfabric, over: tcp}", {"FI_PROVIDER": "tcp"}),
        ("{backend: ucx, over: tcp}", {"UCX_TLS": "tcp,cuda_copy"}),
        ("{backend: ucx}", {}),
    ],
)
def test_the_carrier_of_the_kv_cache(transfer: str, variables: dict[str, str]) -> None:
    pod = pods(rendered(EKS % "" + f"transfer: {transfer}\n"))["decode"]["containers"][0]
    env = {one["name"]: one["value"] for one in pod["env"] if one["name"] in ("FI_PROVIDER", "UCX_TLS")}
    assert env == variables
    assert ("vpc.amazonaws.com/efa" in pod["resources"]["limits"]) == (env.get("FI_PROVIDER") == "efa")


@pytest.mark.parametrize(
    ("written", "market"),
    [
        ("", {}),
        (", capacity: spot", {"spot": True}),
        (
            ", capacity: capacity-reservation, capacity_reservation_id: cr-1",
            {"capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-1"}}},
        ),
        (
            ", capacity: capacity-block, capacity_reservation_id: cr-1",
            {
                "capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-1"}},
                "instanceMarketOptions": {"marketType": "capacity-block"},
            },
        ),
    ],
)
def test_how_gpu_nodes_are_bought(written: str, market: dict[str, Any]) -> None:
    [cluster] = documents(rendered(EKS % written), "cluster.yaml")
    system, *gpu = cluster["managedNodeGroups"]
    keys = ("spot", "capacityReservation", "instanceMarketOptions")
    assert [{key: group[key] for key in keys if key in group} for group in (system, *gpu)] == [{}, market, market]


def test_gpu_nodes_are_in_one_zone_and_private() -> None:
    [cluster] = documents(bundle_of("eks-qwen3.5-9b"), "cluster.yaml")
    assert {tuple(group["availabilityZones"]) for group in cluster["managedNodeGroups"]} == {("us-east-1b",)}
    assert all(group["privateNetworking"] and group["volumeEncrypted"] for group in cluster["managedNodeGroups"])
    assert len(set(cluster["availabilityZones"])) == 2


@every_case
def test_node_selectors_match_labels_of_the_node_groups(case: str) -> None:
    made = bundle_of(case)
    if "cluster.yaml" not in made.files:
        assert all("nodeSelector" not in pod for pod in pods(made).values())
        return
    groups = {group["name"]: group for group in documents(made, "cluster.yaml")[0]["managedNodeGroups"]}
    for name, pod in pods(made).items():
        group = groups["system" if name == "head" else name]
        labels = {**group["labels"], "node.kubernetes.io/instance-type": group["instanceType"]}
        assert pod["nodeSelector"].items() <= labels.items()


@every_case
def test_budgets_never_block_a_lone_prefill_pod(case: str) -> None:
    made = bundle_of(case)
    counts = {g["groupName"]: g["replicas"] for g in ray_service(made)["spec"]["rayClusterConfig"]["workerGroupSpecs"]}
    budgets = documents(made, "kubernetes/50-disruption-budgets.yaml")
    kept = {b["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]: b["spec"] for b in budgets}
    assert kept["head"]["minAvailable"] == 1
    assert ("prefill" in kept) == (counts.get("prefill", 1) > 1)


@every_case
def test_the_readme_names_only_files_that_are_there(case: str) -> None:
    made = bundle_of(case)
    named = set(re.findall(r"(?:[a-z]+/)?[a-z0-9-]+\.yaml", made.files["README.md"]))
    assert named <= set(made.files)
    assert {path for path in made.files if path.startswith("kubernetes/")} <= named


@every_case
def test_the_readme_puts_the_own_image_in_place(case: str) -> None:
    made = bundle_of(case)
    own = OWN_IMAGE in made.files["kubernetes/40-rayservice.yaml"]
    assert (f"s|{OWN_IMAGE}|$IMAGE|" in made.files["README.md"]) == own


def test_the_manifest_holds_every_file_and_finds_edits() -> None:
    made = bundle_of("kubernetes-tcp")
    recorded = json.loads(made.files[MANIFEST])["files"]
    assert set(recorded) == set(made.files) - {MANIFEST}
    assert edited(made.files[MANIFEST], made.files) == []
    assert edited(made.files[MANIFEST], {**made.files, "README.md": "mine\n"}) == ["README.md"]


def test_a_manifest_that_is_none() -> None:
    with pytest.raises(ValueError, match="not a manifest"):
        edited("[]", {})


def test_files_are_ordered_whatever_the_order_given() -> None:
    assert bundle({"b": "1", "a": "2"}) == bundle({"a": "2", "b": "1"})
    assert digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("sections", "paths"),
    [
        ({"target": {"kubernetes": {}}}, ["model.source"]),
        ({"target": {"kubernetes": {}}, "model": {"source": "s3://bucket/x"}}, ["model.source"]),
        ({"target": {"local": {}}, "model": {"source": "Qwen/Qwen3-8B"}}, ["target"]),
        ({"target": {"eks": {"region": "eu-west-1"}}}, ["model.source", "target.eks.zone"]),
        ({"target": {"eks": {"region": "eu-west-1", "zone": "us-east-1a"}}}, ["model.source", "target.eks.zone"]),
        (
            {
                "model": {"source": "Qwen/Qwen3-8B"},
                "engine": {"tensor_parallel_size": 2},
                "target": {"eks": {"region": "eu-west-1", "zone": "eu-west-1a"}},
            },
            ["prefill node", "decode node"],
        ),
        (
            {
                "model": {"source": "Qwen/Qwen3-8B"},
                "decode": {"engine": {"pipeline_parallel_size": 2}},
                "transfer": {"backend": "libfabric"},
                "target": {"eks": {"region": "eu-west-1", "zone": "eu-west-1a", "prefill_node": "g6.xlarge"}},
            },
            ["prefill node", "decode.engine.pipeline_parallel_size"],
        ),
    ],
)
def test_what_cannot_be_rendered_is_told_at_once(sections: dict[str, Any], paths: list[str]) -> None:
    with pytest.raises(InputError) as raised:
        render(Spec.model_validate(sections), Options())
    assert [problem.path for problem in raised.value.problems] == paths
    assert all(problem.fix for problem in raised.value.problems)


def _p5(decode: int) -> dict[str, Any]:
    eks = {"region": "us-west-2", "zone": "us-west-2a", "prefill_node": "p5.48xlarge", "decode_node": "p5.48xlarge"}
    return {
        "model": {"source": "meta-llama/Llama-3.3-70B-Instruct"},
        "engine": {"tensor_parallel_size": 4},
        "decode": {"replicas": decode},
        "transfer": {"backend": "libfabric"},
        "target": {"eks": eks},
    }

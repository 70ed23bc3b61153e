"""Versions, EC2 types and manifest keys against the sources they were taken from."""

from tandem.facts import engine_args, rayservice, serve_fields
from tandem.facts.efa import efa_sibling, gpu_type
from tandem.facts.hybrid import is_hybrid
from tandem.facts.versions import (
    AFTER_KUBERAY_1_4,
    PINNED_RAY,
    PINNED_VLLM,
    parse_version,
    ray_in_image,
    vllm_of_ray,
)
from tests.shared import shared

_CLUSTER = ("rayClusterConfig", "properties")
_WORKER = (*_CLUSTER, "workerGroupSpecs", "items", "properties")
_POD = (*_WORKER, "template", "properties", "spec", "properties")
_LEVELS = {
    "spec": (),
    "cluster": _CLUSTER,
    "head": (*_CLUSTER, "headGroupSpec", "properties"),
    "worker": _WORKER,
    "pod": _POD,
    "container": (*_POD, "containers", "items", "properties"),
}


def crd(release: str) -> dict[str, set[str]]:
    """The keys of each level in a release's RayService CRD. By indentation: a YAML parser needs 15 s for a megabyte."""
    text = shared("schemas", f"kuberay-v{release}-rayservices-crd.yaml").read_text(encoding="utf-8")
    lines = text.split("\n    name: v1\n")[1].split("\n    name: v1alpha1\n")[0].splitlines()
    base = ("schema", "openAPIV3Schema", "properties", "spec", "properties")
    return {name: _children(lines, (*base, *path)) for name, path in _LEVELS.items()}


def _children(lines: list[str], path: tuple[str, ...]) -> set[str]:
    """Keys below `path`; the first of `path` stands at the indentation of the first line."""
    stack: list[tuple[int, str]] = []
    found: set[str] = set()
    for line in lines:
        key, colon, _ = line.strip().partition(":")
        indent = len(line) - len(line.lstrip())
        if not colon or not key or " " in key or key.startswith("-"):
            continue
        stack = [(depth, name) for depth, name in stack if depth < indent]
        if tuple(name for _, name in stack) == path:
            found.add(key)
        stack.append((indent, key))
    return found


def test_manifest_keys_are_the_crds() -> None:
    newest, oldest = crd("1.7.0"), crd("1.4.0")
    tables = {
        "spec": rayservice.SPEC,
        "cluster": rayservice.CLUSTER,
        "head": rayservice.HEAD,
        "worker": rayservice.WORKER,
        "pod": rayservice.POD,
        "container": rayservice.CONTAINER,
    }
    for level, known in tables.items():
        assert known == newest[level] | oldest[level], level
    added = {f"spec.{key}" for key in newest["spec"] - oldest["spec"]}
    added |= {f"spec.rayClusterConfig.{key}" for key in newest["cluster"] - oldest["cluster"]}
    assert added - {"spec.rayClusterConfig.upgradeStrategy"} == AFTER_KUBERAY_1_4


def test_efa_types_are_those_of_the_device_plugin() -> None:
    listed = shared("schemas", "efa-device-plugin-chart-values.yaml").read_text(encoding="utf-8")
    older = shared("schemas", "efa-device-plugin.yaml").read_text(encoding="utf-8")
    for name in (
        "g4dn.8xlarge",
        "g5.8xlarge",
        "g6.8xlarge",
        "gr6.8xlarge",
        "g7e.8xlarge",
        "p5.4xlarge",
        "p6-b200.48xlarge",
    ):
        known = gpu_type(name)
        assert known and known.efa
        assert f"- {name}\n" in listed
        assert known.in_old_plugin_list == (f"- {name}\n" in older), name
    for name in ("g6.xlarge", "g5.4xlarge"):
        known = gpu_type(name)
        assert known and not known.efa and f"- {name}\n" not in listed
    assert efa_sibling("g6.xlarge") == "g6.8xlarge"
    assert gpu_type("t3.micro") is None


def test_gpudirect() -> None:
    types = {name: gpu_type(name) for name in ("g6.8xlarge", "g6e.8xlarge", "p5.48xlarge", "g7e.8xlarge")}
    assert [known and known.gpudirect for known in types.values()] == [False, False, True, None]


def test_versions() -> None:
    assert ray_in_image("rayproject/ray-llm:2.52.0-py311-cu128") == "2.52.0"
    assert ray_in_image("public.ecr.aws/deep-learning-containers/ray:serve-llm-cuda-v1.0") == "2.58.0"
    assert ray_in_image("example.com/own:1.0.0") is None
    assert vllm_of_ray("2.58.0") == "0.26.0" and vllm_of_ray("2.1.0") is None
    low, high = parse_version("1.4.2"), parse_version("v1.10.0-rc1")
    assert low and high and low < high
    assert parse_version("latest") is None
    assert (engine_args.version(), serve_fields.version()) == (PINNED_VLLM, PINNED_RAY)
    assert vllm_of_ray(PINNED_RAY) == PINNED_VLLM


def test_hybrid_families() -> None:
    assert all(
        map(is_hybrid, ("Qwen/Qwen3.5-9B", "qwen3.5-9b", "Qwen/Qwen3-Next-80B-A3B-Instruct", "ai21labs/Jamba-v0.1"))
    )
    assert not any(map(is_hybrid, ("Qwen/Qwen3-8B", "Qwen/Qwen2.5-7B", "meta-llama/Llama-3.1-8B", "/models/local")))

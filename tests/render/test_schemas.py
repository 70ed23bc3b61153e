"""Rendered files against the schemas of eksctl, KubeRay and Kubernetes, the chart's keys, and `tandem check`."""

import copy
import json
from functools import cache
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
from ruamel.yaml import YAML

from tandem.check.finding import Severity
from tandem.check.run import check_path
from tandem.check.subject import Surroundings
from tests.render.bundles import CASES, GOLDENS, bundle_of, documents, objects, ray_service
from tests.shared import shared

every_case = pytest.mark.parametrize("case", CASES)
KUBERNETES = "1.35"


@every_case
def test_cluster_yaml_is_eksctls(case: str) -> None:
    bundle = bundle_of(case)
    for document in documents(bundle, "cluster.yaml") if "cluster.yaml" in bundle.files else []:
        _eksctl_validator().validate(document)


def test_eksctls_schema_refuses_a_misspelt_key() -> None:
    [document] = documents(bundle_of("eks-qwen3.5-9b"), "cluster.yaml")
    broken = copy.deepcopy(document)
    broken["managedNodeGroups"][1]["efaenabled"] = True
    with pytest.raises(jsonschema.ValidationError):
        _eksctl_validator().validate(broken)


@every_case
@pytest.mark.parametrize("release", ["v1.4.0", "v1.7.0"])
def test_the_ray_service_is_kuberays(case: str, release: str) -> None:
    _kuberay_validator(release).validate(ray_service(bundle_of(case)))


@every_case
def test_kuberay_1_7_knows_every_key(case: str) -> None:
    """A CRD drops what it does not know without a word, so no key may be unknown."""
    schema = _kuberay_schema("v1.7.0")
    assert list(_unknown(ray_service(bundle_of(case)), schema, "")) == []


def test_an_unknown_key_would_be_found() -> None:
    service = ray_service(bundle_of("kubernetes-tcp"))
    service["spec"]["rayClusterConfig"]["workerGroupSpecs"][0]["template"]["spec"]["nodeSelectors"] = {}
    assert list(_unknown(service, _kuberay_schema("v1.7.0"), "")) != []


@every_case
def test_kubernetes_objects_are_valid(case: str) -> None:
    for _, document in objects(bundle_of(case)):
        if "." not in document["apiVersion"] or document["apiVersion"].endswith("k8s.io/v1"):
            kubernetes_validate.validate(document, KUBERNETES, strict=True)


@every_case
def test_pod_templates_are_valid_pods(case: str) -> None:
    cluster = ray_service(bundle_of(case))["spec"]["rayClusterConfig"]
    for group in [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]:
        pod = {"apiVersion": "v1", "kind": "Pod", **group["template"]}
        kubernetes_validate.validate({**pod, "metadata": {"name": "one"}}, KUBERNETES, strict=True)


@every_case
def test_helm_values_are_keys_of_the_chart(case: str) -> None:
    [values] = documents(bundle_of(case), "helm/kuberay-operator.yaml")
    text = shared("schemas", "kuberay-v1.7.0-chart-values.yaml").read_text(encoding="utf-8")
    known = set(YAML(typ="safe").load(text)) | {"watchNamespace"}  # in the chart's file as a comment
    assert "# watchNamespace:" in text
    assert set(values) <= known


@every_case
def test_check_finds_nothing_above_info(case: str) -> None:
    file = GOLDENS / case / "bundle" / "kubernetes" / "40-rayservice.yaml"
    report = check_path(file, Surroundings(kuberay="1.7.0"))
    above: tuple[Severity, ...] = ("error", "warning")
    assert [f"{finding.id}: {finding.found}" for finding in report.findings if finding.severity in above] == []


@cache
def _eksctl_validator() -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(json.loads(shared("schemas", "eksctl-schema.json").read_text(encoding="utf-8")))


@cache
def _kuberay_schema(release: str) -> dict[str, Any]:
    text = shared("schemas", f"kuberay-{release}-rayservices-crd.yaml").read_text(encoding="utf-8")
    versions = YAML(typ="safe").load(text)["spec"]["versions"]
    schema: dict[str, Any] = next(v for v in versions if v["name"] == "v1")["schema"]["openAPIV3Schema"]
    return schema


def _kuberay_validator(release: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(_kuberay_schema(release))


def _unknown(value: Any, schema: dict[str, Any], path: str) -> Any:
    if isinstance(value, dict) and "properties" in schema:
        for key, item in value.items():
            if key in schema["properties"]:
                yield from _unknown(item, schema["properties"][key], f"{path}.{key}")
            elif not schema.get("x-kubernetes-preserve-unknown-fields") and path != ".metadata":
                yield f"{path}.{key}"
    elif isinstance(value, list):
        for item in value:
            yield from _unknown(item, schema.get("items", {}), f"{path}[]")

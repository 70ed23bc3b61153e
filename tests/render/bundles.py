"""The golden bundles, and how a spec beside them is rendered."""

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tandem.facts.engine_args import names
from tandem.render.bundle import Bundle
from tandem.render.deployment import Options
from tandem.render.files import render
from tandem.spec.loader import load_spec, parse_spec

GOLDENS = Path(__file__).parents[1] / "goldens" / "render"
CASES = sorted(path.name for path in GOLDENS.iterdir() if path.is_dir())


def golden_spec(case: str) -> Path:
    """The spec of a case."""
    return GOLDENS / case / "spec.yaml"


def bundle_of(case: str) -> Bundle:
    """The bundle that the spec of a case gives now."""
    return render(load_spec(golden_spec(case), names()), Options())


def rendered(text: str, **options: str) -> Bundle:
    """The bundle of a spec given as text."""
    return render(parse_spec(text, "spec.yaml", names()), Options(**options))


def documents(bundle: Bundle, path: str) -> list[dict[str, Any]]:
    """The YAML documents of one file."""
    return list(YAML(typ="safe").load_all(bundle.files[path]))


def objects(bundle: Bundle) -> list[tuple[str, dict[str, Any]]]:
    """Every Kubernetes object of a bundle, with its file."""
    paths = [path for path in bundle.files if path.startswith(("kubernetes/", "monitoring/"))]
    return [(path, document) for path in paths for document in documents(bundle, path)]


def ray_service(bundle: Bundle) -> dict[str, Any]:
    """The RayService."""
    return documents(bundle, "kubernetes/40-rayservice.yaml")[0]


def pods(bundle: Bundle) -> dict[str, dict[str, Any]]:
    """Pod specs by group: head and the phases."""
    cluster = ray_service(bundle)["spec"]["rayClusterConfig"]
    workers = {group["groupName"]: group["template"]["spec"] for group in cluster["workerGroupSpecs"]}
    return {"head": cluster["headGroupSpec"]["template"]["spec"], **workers}


def serve_args(bundle: Bundle) -> dict[str, Any]:
    """The arguments of the application in serveConfigV2."""
    config = YAML(typ="safe").load(ray_service(bundle)["spec"]["serveConfigV2"])
    args: dict[str, Any] = config["applications"][0]["args"]
    return args

"""500 random mistakes in each kind of file never crash check, whatever shape they leave the data in."""

from typing import Any

import pytest

from tandem.check.fix import fix_text
from tandem.check.run import check_document, check_text
from tandem.check.subject import Surroundings
from tandem.core.errors import InputError
from tandem.spec.manifest import Document, Kind
from tandem.spec.source import Source, parse_documents, plain
from tandem.spec.translate import translate_text
from tests.unit.check.examples import dumped, manifest, serve, spec, workload
from tests.unit.check.mutations import mutations

COUNT = 500
FIXED = 40
AROUND = Surroundings(node="g6.8xlarge", kuberay="1.4.0")


def parsed(text: str) -> Any:
    """Plain data; the Serve config of a manifest unfolded, as check sees it."""
    data = plain(parse_documents(text, "x")[0])
    if isinstance(data.get("spec"), dict) and "serveConfigV2" in data["spec"]:
        data["spec"]["serveConfigV2"] = plain(parse_documents(data["spec"]["serveConfigV2"], "x")[0])
    return data


@pytest.mark.parametrize(
    ("kind", "text"),
    [("serve", serve()), ("spec", spec()), ("rayservice", manifest()), ("workload", workload())],
)
def test_no_mistake_crashes_check(kind: Kind, text: str) -> None:
    paths = {"serve": (), "rayservice": ("spec", "serveConfigV2")}
    for mutation in mutations(parsed(text), COUNT, seed=20261130):
        source = Source("x.yaml", mutation.data, {})
        document = Document(kind, source, serve_path=paths.get(kind), embedded=kind == "rayservice")
        check_document(document, AROUND)


def test_no_mistake_crashes_fix_or_translation() -> None:
    for mutation in mutations(parsed(serve()), FIXED, seed=5):
        text = dumped(mutation.data)
        fixed, _ = fix_text(text, "x.yaml", AROUND)
        assert isinstance(check_text(fixed, "x.yaml").findings, tuple)
        try:
            translate_text(text, "x.yaml")
        except InputError as error:
            assert error.problems or error.message


@pytest.mark.parametrize("value", [None, [], "text", 7, True, [[]], {"a": None}])
def test_any_value_at_the_top_is_read(value: Any) -> None:
    for key in ("applications", "model", "engine", "target", "prefill", "transfer"):
        check_text(dumped({key: value, "applications" if key != "applications" else "http_options": value}), "x.yaml")

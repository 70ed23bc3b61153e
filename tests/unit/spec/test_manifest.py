"""Files as people have them: what they are, and where each key stands."""

from pathlib import Path

import pytest

from tandem.core.errors import InputError
from tandem.spec.manifest import read_path, read_text
from tandem.spec.source import read_source
from tests.unit.check.examples import manifest, serve, spec, workload


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (serve(), "serve"),
        (spec(), "spec"),
        (manifest(), "rayservice"),
        (workload(), "workload"),
        ("apiVersion: v1\nkind: Secret\n", "other"),
        (serve().replace("applications:", "aplications:"), "serve"),
        ("{}\n", "spec"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert read_text(text, "x")[0].kind == kind


def test_lines_inside_the_embedded_serve_config() -> None:
    text = manifest()
    document = read_text(text, "x")[0]
    path = ("spec", "serveConfigV2", "applications", 0, "args", "decode_config", "engine_kwargs", "dtype")
    line = document.source.line(path)
    assert line and text.splitlines()[line - 1].strip() == "dtype: bfloat16"
    later = document.source.line(("spec", "rayClusterConfig", "rayVersion"))
    assert later and "rayVersion" in text.splitlines()[later - 1]


def test_a_serve_config_in_quotes_points_at_its_key() -> None:
    text = 'apiVersion: ray.io/v1\nkind: RayService\nspec:\n  serveConfigV2: "applications: [{name: a}]"\n'
    document = read_text(text, "x")[0]
    assert document.source.line(("spec", "serveConfigV2", "applications", 0, "name")) == 4


def test_merge_keys_and_anchors_have_lines() -> None:
    text = "engine: &base\n  dtype: bfloat16\nprefill:\n  engine:\n    <<: *base\n    seed: 1\n"
    source = read_source(text, "x")
    assert source.data["prefill"]["engine"] == {"seed": 1, "dtype": "bfloat16"}
    assert source.line(("prefill", "engine", "dtype")) is not None


def test_lines_count_from_the_top_of_the_file_in_later_documents() -> None:
    text = "apiVersion: v1\nkind: Secret\n---\n" + serve()
    line = read_text(text, "x")[1].source.line(("applications",))
    assert line == 4


@pytest.mark.parametrize("text", ["a: [1\n", "a: b: c\n", "a: 1\na: 2\n", "- 2024-99-99\n", "\t\n"])
def test_what_is_not_yaml_is_told_with_its_file(text: str) -> None:
    with pytest.raises(InputError) as raised:
        read_text(text, "broken.yaml")
    assert "broken.yaml" in raised.value.message


def test_a_folder_without_anything_known_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("image: x\n")
    with pytest.raises(InputError):
        read_path(tmp_path)

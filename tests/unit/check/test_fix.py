"""`--fix` changes what it says and nothing else: comments, quotes, order and indentation stay."""

import random
from typing import Any

import pytest

from tandem.check.finding import Drop, Edit, Move, Put
from tandem.check.fix import apply_edit, describe, fix_text
from tandem.check.run import check_text
from tandem.check.yaml_text import drop, put
from tandem.spec.manifest import Document, read_text
from tandem.spec.reading import at
from tandem.spec.source import KeyPath, parse_documents, plain
from tests.unit.check.examples import manifest, serve
from tests.unit.check.mutations import mutations

COMMENTED = """\
# The service of the search team.
applications:
- name: chat   # one model
  import_path: ray.serve.llm:build_pd_openai_app
  args:
    prefill_config:
      model_loading_config: {model_id: "qwen3-8b", model_source: 'Qwen/Qwen3-8B'}
      engine_kwargs:
        # fits beside the KV cache
        gpu_memory_utilization: 0.90
      # the transfer
      kv_transfer_config:
        # pull, not push
        kv_connector: NixlConnector
        kv_role: kv_both   # old name
        # told by operations
        engine_id: prefill
        # EFA
        kv_connector_extra_config: {backends: ["LIBFABRIC"]}   # both sides

      deployment_config: {num_replicas: 1}
    decode_config:
      model_loading_config: {model_id: "qwen3-8b", model_source: 'Qwen/Qwen3-8B'}
      engine_kwargs:
        gpu_memory_utilization: 0.90
        kv_transfer_config: {kv_connector: NixlConnector, kv_role: kv_both, engine_id: decode,
          kv_connector_extra_config: {backends: ["LIBFABRIC"]}}
      deployment_config: {num_replicas: 1}
# end
"""


def test_comments_stay_and_only_told_lines_change() -> None:
    fixed, changes = fix_text(COMMENTED)
    assert check_text(fixed).findings == ()
    kept = (
        "# The service",
        "# one model",
        "# fits beside",
        "# pull, not push",
        "# EFA",
        "# both sides",
        "# end",
        "# old name",
    )
    assert all(comment in fixed for comment in kept)
    assert "model_id: \"qwen3-8b\", model_source: 'Qwen/Qwen3-8B'" in fixed
    assert "gpu_memory_utilization: 0.90" in fixed
    assert {change.rule for change in changes} == {"TD101", "TD102", "TD105", "TD106"}
    assert all(change.line for change in changes)


def test_a_second_run_has_nothing_to_do() -> None:
    fixed, _ = fix_text(COMMENTED)
    assert fix_text(fixed) == (fixed, [])


def test_a_healthy_file_is_not_touched() -> None:
    assert fix_text(serve()) == (serve(), [])


def test_the_serve_config_inside_a_manifest_is_fixed_in_place() -> None:
    text = manifest("", "PT|engine_id: prefill\nPT|kv_role: kv_both")
    fixed, changes = fix_text(text)
    assert {change.rule for change in changes} == {"TD102", "TD105"}
    assert "serveConfigV2: |" in fixed
    assert check_text(fixed).findings == ()
    outside = [line for line in text.splitlines() if "kv_role" not in line and "engine_id" not in line]
    assert [line for line in fixed.splitlines() if "kv_role" not in line] == outside


def test_other_documents_of_the_file_are_left_alone() -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: hf}   # untouched\n"
    text = secret + "---\n" + manifest("W|rayStartParams: {num-gpus: 1}")
    fixed, _ = fix_text(text)
    assert fixed.startswith(secret)
    assert check_text(fixed).findings == ()


def test_an_edit_without_a_place_is_refused() -> None:
    document = read_text(serve(), "x")[0]
    assert apply_edit(serve(), document, Drop(("applications", 5))) is None
    assert apply_edit(serve(), document, Put(("applications", "name", "x"), 1)) is None
    assert apply_edit(serve(), document, Move(("nothing",), ("something",))) is None


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("a: 1\n", ("b",), 2, "a: 1\nb: 2\n"),
        ("a:\n  b: 1\n# end\n", ("a", "c"), "x", "a:\n  b: 1\n  c: x\n# end\n"),
        ("a: {b: 1}\n", ("a", "c"), 2, "a: {b: 1, c: 2}\n"),
        ("a: {}\n", ("a", "c"), 2, "a: { c: 2 }\n"),
        ("a:\nb: 1\n", ("a", "c"), 2, "a: { c: 2 }\nb: 1\n"),
        ("a: 1\n", ("b", "c", "d"), "1", 'a: 1\nb:\n  c:\n    d: "1"\n'),
        ("a: [1, 2]\n", ("a", 1), 3, "a: [1, 3]\n"),
        ("a: 'x'  # why\n", ("a",), "yes", 'a: "yes"  # why\n'),
        ("a: 1", ("b",), 2, "a: 1\nb: 2"),
        ("a:\n  b: |\n    text\n", ("a", "c"), 2, "a:\n  b: |\n    text\n  c: 2\n"),
    ],
)
def test_put(text: str, path: KeyPath, value: Any, expected: str) -> None:
    assert put(text, path, value) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("a: 1\nb: 2\n", ("a",), "b: 2\n"),
        ("a: {b: 1, c: 2}\n", ("a", "b"), "a: {c: 2}\n"),
        ("a: {b: 1, c: 2}\n", ("a", "c"), "a: {b: 1}\n"),
        ("a: {b: 1}\n", ("a", "b"), "a: {}\n"),
        ("a:\n  b: 1\n", ("a", "b"), "a: {}\n"),
        ("a:\n  - x\n  - y\n", ("a", 0), "a:\n  - y\n"),
        ("a:\n- x: 1\n  y: 2\n", ("a", 0, "x"), "a:\n- y: 2\n"),
        ("a:\n  b:\n    c: 1\n  # about d\n  d: 2\n", ("a", "b"), "a:\n  # about d\n  d: 2\n"),
    ],
)
def test_drop(text: str, path: KeyPath, expected: str) -> None:
    assert drop(text, path) == expected


def test_an_edit_never_changes_anything_else() -> None:
    """Random edits on random files: each either has exactly its effect on the data, or is refused."""
    chance = random.Random(7)
    base = plain(parse_documents(COMMENTED, "x")[0])
    made = 0
    for mutation in mutations(base, 60, seed=3):
        document = Document("serve", read_text(COMMENTED, "x")[0].source, serve_path=())
        edit = _random_edit(base, mutation.told, chance)
        changed = apply_edit(COMMENTED, document, edit)
        if changed is not None:
            made += 1
            comments = sum(line.count("#") for line in COMMENTED.splitlines())
            after = sum(line.count("#") for line in changed.splitlines())
            lost = comments - after
            # What stands in a mapping or list that is replaced or removed goes with it; a line takes its own comment.
            if not isinstance(at(base, edit.path), (dict, list)):
                assert lost <= (1 if isinstance(edit, Drop) else 0), (describe(edit), changed)
    assert made > 30


def _random_edit(data: Any, told: str, chance: random.Random) -> Edit:
    words = told.removeprefix("moved ").removeprefix("renamed ").split()[0]
    path: KeyPath = tuple(int(part) if part.isdigit() else part for part in words.split("."))
    kind = chance.choice(("put", "drop", "move"))
    if kind == "put":
        return Put((*path[:-1], "added"), {"a": [1, 2]}) if chance.random() < 0.5 else Put(path, "changed")
    if kind == "drop":
        return Drop(path)
    assert at(data, path) is not None
    return Move(path, (*path[:-1], "moved")) if chance.random() < 0.5 else Move(path, ("moved", path[-1]))

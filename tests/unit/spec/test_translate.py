"""What people already have becomes a spec, and every correction is told."""

from pathlib import Path

import pytest

from tandem.core.errors import InputError
from tandem.facts import engine_args
from tandem.spec.translate import load_any, translate_text
from tests.unit.check.article import articles, yaml_of
from tests.unit.check.examples import manifest, serve, spec


def told(text: str) -> str:
    """All corrections in one text."""
    return "\n".join(str(correction) for correction in translate_text(text).corrections)


def test_a_spec_is_taken_as_it_is() -> None:
    translation = translate_text(spec())
    assert translation.corrections == ()
    assert translation.spec.model.source == "Qwen/Qwen3-8B"


def test_a_serve_config() -> None:
    result = translate_text(serve("PE|max_num_seqs: 8\nD|deployment_config.num_replicas: 3")).spec
    assert result.model.id == "qwen3-8b"
    assert result.engine == {"max_model_len": 4096, "dtype": "bfloat16", "gpu_memory_utilization": 0.9}
    assert result.prefill and result.decode
    assert result.prefill.engine == {"max_num_seqs": 8}
    assert (result.decode.replicas.min, result.decode.replicas.max) == (3, 3)
    assert (result.transfer.backend, result.transfer.lease_seconds) == ("libfabric", 60)
    assert result.target.kind == "local"


def test_the_published_example_as_it_is() -> None:
    published = [text for path in articles() if (text := yaml_of(path))]
    assert published
    for text in published:
        translation = translate_text(text, "article.yaml", engine_args.names())
        assert translation.spec.model.source == "Qwen/Qwen3.5-9B"
        assert translation.spec.transfer.backend == "libfabric"
        assert translation.spec.engine["max_model_len"] == 4096
        assert translation.spec.disaggregated
        corrected = "\n".join(str(one) for one in translation.corrections)
        assert corrected.count("read as if it stood in engine_kwargs") == 2
        assert corrected.count("'kv_both' is not used") == 2
        assert "'prefill' is not used" in corrected and "'decode' is not used" in corrected
        assert corrected.count("kv_load_failure_policy: missing") == 2
        assert all(one.line for one in translation.corrections)


def test_with_a_local_model_in_place_of_the_big_one(tmp_path: Path) -> None:
    for text in filter(None, (yaml_of(path) for path in articles())):
        file = tmp_path / "service.yaml"
        file.write_text(text.replace("Qwen/Qwen3.5-9B", "embedded:smollm2-135m"))
        assert load_any(file).spec.model.source == "embedded:smollm2-135m"


def test_one_pool() -> None:
    args = "A|args: {llm_configs: [{model_loading_config: {model_id: a/b}}]}"
    result = translate_text(serve(f"A|import_path: ray.serve.llm:build_openai_app\n{args}")).spec
    assert result.pool is not None and not result.disaggregated
    assert result.model.source == "a/b"


def test_a_manifest_becomes_a_kubernetes_target() -> None:
    result = translate_text(manifest()).spec
    assert result.target.kubernetes is not None
    assert result.target.kubernetes.namespace == "inference"
    assert result.target.kubernetes.image == "rayproject/ray-llm:2.60.0-py312-cu130"


def test_autoscaling_becomes_a_range() -> None:
    scaling = "P|deployment_config: {autoscaling_config: {min_replicas: 0, max_replicas: 4}}"
    result = translate_text(serve(scaling)).spec
    assert result.prefill and (result.prefill.replicas.min, result.prefill.replicas.max) == (1, 4)
    assert "at least 1 replica" in told(serve(scaling))


def test_what_is_dropped_is_told() -> None:
    corrections = told(
        serve("P|accelerator_type: L4\nPE|distributed_executor_backend: ray\nA|runtime_env: {}\nPT|kv_port: 1")
    )
    for word in ("accelerator_type", "distributed_executor_backend", "runtime_env", "kv_port"):
        assert f"{word}: dropped" in corrections


@pytest.mark.parametrize(
    ("overlay", "path"),
    [
        ("D|model_loading_config.model_source: a/b", "decode_config.model_loading_config"),
        ("PT|kv_connector: MooncakeConnector", "kv_transfer_config.kv_connector"),
        ("DX|backends: [UCX]", "kv_transfer_config"),
        ("PX|backends: [POSIX]\nDX|backends: [POSIX]", "backends"),
        ("PE|max_modle_len: 1", "max_modle_len"),
        ("A|args.decode_config: null", "applications.0"),
    ],
)
def test_what_a_spec_cannot_say_is_a_problem_with_its_line(overlay: str, path: str) -> None:
    with pytest.raises(InputError) as raised:
        translate_text(serve(overlay), "x.yaml", engine_args.names())
    problem = next(one for one in raised.value.problems if one.path.endswith(path))
    assert problem.line and problem.fix


def test_two_models_in_a_file_are_refused() -> None:
    two = "{model_loading_config: {model_id: a}}, {model_loading_config: {model_id: b}}"
    with pytest.raises(InputError):
        translate_text(serve(f"A|args: {{llm_configs: [{two}]}}"))

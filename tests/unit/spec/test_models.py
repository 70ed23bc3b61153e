"""Defaults and shapes of a spec."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from tandem.spec.models import EMBEDDED_SOURCE, Phase, Replicas, Spec


def _spec(**sections: Any) -> Spec:
    return Spec.model_validate(sections)


def test_nothing_written_is_one_prefill_and_one_decode_on_this_machine() -> None:
    spec = _spec()
    assert (spec.model.source, spec.model.id) == (EMBEDDED_SOURCE, "smollm2-135m")
    assert list(spec.phases()) == ["prefill", "decode"]
    assert all(phase == Phase() for phase in spec.phases().values())
    assert (spec.disaggregated, spec.target.kind, spec.transfer.backend) == (True, "local", "ucx")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("Qwen/Qwen3.5-9B", "qwen3.5-9b"),
        ("/data/models/Llama/", "llama"),
        ("s3://bucket/prefix/Mistral-7B", "mistral-7b"),
        ("embedded:smollm2-135m", "smollm2-135m"),
    ],
)
def test_the_name_is_the_last_part_of_the_source(source: str, name: str) -> None:
    assert _spec(model={"source": source}).model.id == name


def test_a_name_that_is_given_is_kept() -> None:
    assert _spec(model={"source": "a/B", "id": "Chat"}).model.id == "Chat"


@pytest.mark.parametrize("pool", [{}, {"replicas": 2}])
def test_a_pool_stands_alone(pool: dict[str, Any]) -> None:
    spec = _spec(pool=pool)
    assert (list(spec.phases()), spec.disaggregated) == (["pool"], False)


def test_a_key_with_nothing_after_it_means_its_defaults() -> None:
    assert _spec(pool=None) == _spec(pool={})
    assert _spec(prefill=None, decode=None) == _spec()


@pytest.mark.parametrize("phase", ["prefill", "decode"])
def test_a_pool_beside_a_phase_is_refused(phase: str) -> None:
    with pytest.raises(ValidationError, match="remove one of the two"):
        _spec(pool={}, **{phase: {}})


@pytest.mark.parametrize(
    ("written", "replicas", "fixed"),
    [
        (1, Replicas(min=1, max=1), True),
        (3, Replicas(min=3, max=3), True),
        ({"min": 2, "max": 5}, Replicas(min=2, max=5), False),
        ({"max": 4}, Replicas(min=1, max=4), False),
        ({}, Replicas(min=1, max=1), True),
    ],
)
def test_replicas_are_a_number_or_a_range(written: object, replicas: Replicas, fixed: bool) -> None:
    phase = Phase.model_validate({"replicas": written})
    assert (phase.replicas, phase.replicas.fixed) == (replicas, fixed)


@pytest.mark.parametrize("written", [0, -1, True, "2", 1.0, None, {"min": 0}, {"min": 2, "max": 1}])
def test_other_replicas_are_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        Phase.model_validate({"replicas": written})


def test_a_phase_overrides_the_common_engine_arguments() -> None:
    spec = _spec(engine={"dtype": "bfloat16", "seed": 1}, decode={"engine": {"seed": 2, "max_num_seqs": 8}})
    assert spec.engine_args("prefill") == {"dtype": "bfloat16", "seed": 1}
    assert spec.engine_args("decode") == {"dtype": "bfloat16", "seed": 2, "max_num_seqs": 8}


def test_a_spec_is_not_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        _spec().slo.ttft_ms = 1  # type: ignore[misc]  # what is refused here


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"pool": {"replicas": {"min": 1, "max": 3}}},
        {"target": {"eks": {"region": "sa-east-1"}}, "engine": {"dtype": "bfloat16"}},
        {"target": {"kubernetes": {}}, "transfer": {"backend": "libfabric", "over": "efa"}},
    ],
)
def test_a_spec_reads_back_what_it_writes(sections: dict[str, Any]) -> None:
    spec = Spec.model_validate(sections)
    assert Spec.model_validate(json.loads(spec.model_dump_json())) == spec

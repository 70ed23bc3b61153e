"""Tandem's own builder with one pool: Ray has no model of its arguments, so its keys are held against ours."""

from typing import Any

import pytest
from ruamel.yaml import YAML

from tandem.check.run import check_text
from tandem.check.subject import Surroundings
from tandem.spec.translate import translate_text
from tests.unit.check.examples import dumped


def _pool(**more: Any) -> str:
    pool = {
        "model_loading_config": {"model_id": "mine", "model_source": "/models/mine"},
        "engine_kwargs": {"max_model_len": 4096},
        "deployment_config": {"num_replicas": 2},
    }
    args = {"pool_config": pool, "tandem": {"remote_min_tokens": 256}, **more}
    app = {"name": "tandem", "import_path": "tandem.serving:build_app", "route_prefix": "/", "args": args}
    return dumped({"applications": [app]})


def _found(text: str) -> list[str]:
    return [finding.id for finding in check_text(text, "serve.yaml", Surroundings()).findings]


def test_a_pool_is_complete_without_two_phases() -> None:
    assert _found(_pool()) == []


@pytest.mark.parametrize("key", ["llm_configs", "pool_configs"])
def test_an_unknown_key_beside_the_pool(key: str) -> None:
    assert "TD001" in _found(_pool(**{key: {}}))


def test_a_wrong_key_inside_the_pool() -> None:
    text = _pool()
    data = YAML(typ="safe").load(text)
    data["applications"][0]["args"]["pool_config"]["engine_kwarg"] = {}
    assert "TD001" in _found(dumped(data))


def test_it_reads_as_a_spec_with_a_pool() -> None:
    spec = translate_text(_pool()).spec
    assert spec.pool is not None
    assert (spec.model.id, spec.pool.replicas.max, spec.disaggregated) == ("mine", 2, False)

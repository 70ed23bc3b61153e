"""The `tandem:` section of the application arguments."""

from typing import Any

import pytest
from pydantic import ValidationError

from tandem.render.serve_config import serve_config
from tandem.serving.options import TandemOptions
from tandem.serving.orchestrator import Policy
from tandem.spec.models import Spec


def test_the_policy_takes_what_routes_sequences() -> None:
    options = TandemOptions(remote_min_tokens=0, prefill_timeout_seconds=1.5, prefill_attempts=4)
    assert options.policy() == Policy(remote_min_tokens=0, prefill_timeout_seconds=1.5, prefill_attempts=4)


def test_the_defaults_are_the_orchestrators() -> None:
    assert TandemOptions().policy() == Policy()


def test_what_render_writes_is_accepted() -> None:
    spec = Spec.model_validate({"routing": {"remote_min_tokens": 7, "prefill_timeout_seconds": 2}})
    section = serve_config(spec, "folder", {})["applications"][0]["args"]["tandem"]
    policy = TandemOptions.model_validate(section).policy()
    assert (policy.remote_min_tokens, policy.prefill_timeout_seconds) == (7, 2.0)


def test_the_specs_defaults_are_the_same() -> None:
    section = serve_config(Spec.model_validate({}), "folder", {})["applications"][0]["args"]["tandem"]
    assert TandemOptions.model_validate(section) == TandemOptions()


@pytest.mark.parametrize(
    "section",
    [
        {"remote_min_token": 1},
        {"remote_min_tokens": -1},
        {"prefill_timeout_seconds": 0},
        {"prefill_attempts": 0},
        {"progress_delay_us": -1},
    ],
)
def test_a_typo_or_an_impossible_value_is_refused(section: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(section))):
        TandemOptions.model_validate(section)


def test_every_option_is_described() -> None:
    assert all(field.description for field in TandemOptions.model_fields.values())

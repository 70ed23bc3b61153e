"""The environment of a local service."""

from pathlib import Path
from typing import Any

import pytest

from tandem.apply.local.environ import carrier, service_environment
from tandem.core.errors import InputError
from tandem.spec.models import Transfer

_RUN = Path("/state/runs/one")


def _transfer(**given: Any) -> Transfer:
    return Transfer.model_validate(given)


@pytest.mark.parametrize(
    ("given", "carries"),
    [
        ({}, "shm"),
        ({"over": "tcp"}, "tcp"),
        ({"over": "shm"}, "shm"),
        ({"backend": "libfabric"}, "tcp"),
        ({"backend": "libfabric", "over": "tcp"}, "tcp"),
    ],
)
def test_what_carries_the_cache(given: dict[str, Any], carries: str) -> None:
    assert carrier(_transfer(**given)) == carries


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"over": "efa"}, "shm, tcp"),
        ({"over": "rdma"}, "shm, tcp"),
        ({"backend": "libfabric", "over": "efa"}, "tcp"),
        ({"backend": "libfabric", "over": "shm"}, "tcp"),
    ],
)
def test_what_this_machine_does_not_have_is_refused(given: dict[str, Any], allowed: str) -> None:
    with pytest.raises(InputError, match="the transfer cannot run on this machine") as caught:
        carrier(_transfer(**given))
    [problem] = caught.value.problems
    assert (problem.path, problem.allowed) == ("transfer.over", allowed)
    assert repr(given["over"]) in problem.found


def test_the_callers_environment_is_kept_but_for_what_would_lead_astray() -> None:
    given = {
        "PATH": "/bin",
        "RAY_ADDRESS": "10.0.0.1:6379",
        "PYTHONHOME": "/x",
        "VIRTUAL_ENV": "/v",
        "RAY_AUTH_TOKEN": "t",
    }
    environment = service_environment(given, _transfer(), _RUN)
    assert environment["PATH"] == "/bin"
    assert not {"RAY_ADDRESS", "PYTHONHOME", "VIRTUAL_ENV", "RAY_AUTH_TOKEN"} & environment.keys()


def test_what_is_ours_wins() -> None:
    given = {"PYTHONPATH": "/elsewhere", "HF_HUB_OFFLINE": "0", "UCX_TLS": "all", "RAY_USAGE_STATS_ENABLED": "1"}
    environment = service_environment(given, _transfer(), _RUN)
    assert environment["PYTHONPATH"] == "/state/runs/one/python"
    assert (environment["HF_HUB_OFFLINE"], environment["RAY_USAGE_STATS_ENABLED"]) == ("1", "0")
    assert environment["UCX_TLS"] == "sm,self,tcp"


def test_ray_demands_the_runs_token() -> None:
    environment = service_environment({}, _transfer(), _RUN)
    assert (environment["RAY_AUTH_MODE"], environment["RAY_AUTH_TOKEN_PATH"]) == ("token", "/state/runs/one/ray-token")


@pytest.mark.parametrize("over", ["shm", "tcp"])
def test_ucx_stays_on_loopback(over: str) -> None:
    environment = service_environment({}, _transfer(over=over), _RUN)
    assert environment["UCX_NET_DEVICES"] == "lo"
    assert ("sm" in environment["UCX_TLS"].split(",")) == (over == "shm")


def test_libfabric_gets_no_ucx_settings() -> None:
    environment = service_environment({}, _transfer(backend="libfabric"), _RUN)
    assert not [name for name in environment if name.startswith("UCX_")]


def test_the_callers_mapping_is_not_changed() -> None:
    given = {"RAY_ADDRESS": "x"}
    service_environment(given, _transfer(), _RUN)
    assert given == {"RAY_ADDRESS": "x"}

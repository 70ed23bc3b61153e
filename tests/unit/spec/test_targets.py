"""Where a spec runs."""

from typing import Any

import pytest
from pydantic import ValidationError

from tandem.spec.targets import EksTarget, KubernetesTarget, LocalTarget, Target


def _target(written: dict[str, Any]) -> Target:
    return Target.model_validate(written)


@pytest.mark.parametrize("written", [{}, {"local": {}}, {"local": None}])
def test_this_machine_is_the_default(written: dict[str, Any]) -> None:
    target = _target(written)
    assert (target.kind, target.local) == ("local", LocalTarget())


def test_the_endpoint_is_on_loopback_unless_said_otherwise() -> None:
    assert (LocalTarget().host, LocalTarget().port, LocalTarget().kv_cache) == ("127.0.0.1", 8000, 1024**3)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ({"kubernetes": {}}, "kubernetes"),
        ({"kubernetes": None}, "kubernetes"),
        ({"eks": {"region": "sa-east-1"}}, "eks"),
        ({"local": None, "kubernetes": {"namespace": "llm"}, "eks": None}, "kubernetes"),
    ],
)
def test_the_kind_is_the_one_that_is_written(written: dict[str, Any], kind: str) -> None:
    target = _target(written)
    assert target.kind == kind
    assert getattr(target, kind) is not None


def test_a_cluster_target_has_no_local_part() -> None:
    target = _target({"kubernetes": {}})
    assert (target.local, target.eks, target.kubernetes) == (None, None, KubernetesTarget())


@pytest.mark.parametrize(
    "written",
    [
        {"local": {}, "kubernetes": {}},
        {"local": {}, "eks": {"region": "x"}},
        {"kubernetes": {}, "eks": {"region": "x"}},
    ],
)
def test_two_targets_are_refused(written: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="one target, not 2: keep one of " + ", ".join(written)):
        _target(written)


def test_a_region_is_needed_on_aws() -> None:
    with pytest.raises(ValidationError, match="region"):
        _target({"eks": {}})


@pytest.mark.parametrize("capacity", ["capacity-reservation", "capacity-block"])
def test_a_reservation_needs_its_id(capacity: str) -> None:
    with pytest.raises(ValidationError, match=f"{capacity} needs capacity_reservation_id"):
        EksTarget.model_validate({"region": "x", "capacity": capacity})
    given = {"region": "x", "capacity": capacity, "capacity_reservation_id": "cr-0123456789abcdef0"}
    assert EksTarget.model_validate(given).capacity == capacity


@pytest.mark.parametrize("capacity", ["on-demand", "spot"])
def test_other_capacity_needs_none(capacity: str) -> None:
    assert EksTarget.model_validate({"region": "x", "capacity": capacity}).capacity_reservation_id is None


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("2GiB", 2 * 1024**3),
        ("512Mi", 512 * 1024**2),
        ("1.5 GB", 1_500_000_000),
        (1073741824, 1024**3),
        ("64k", 64_000),
    ],
)
def test_sizes_are_written_with_a_unit(written: object, size: int) -> None:
    assert LocalTarget.model_validate({"kv_cache": written}).kv_cache == size


@pytest.mark.parametrize("written", ["", "GiB", "1 PiB", "-1GiB", -1, True, None, [1]])
def test_what_is_no_size_is_refused(written: object) -> None:
    with pytest.raises(ValidationError):
        LocalTarget.model_validate({"kv_cache": written})

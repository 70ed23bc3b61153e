"""Cores and memory of the engines."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.apply.local.layout import ENGINE_BYTES, SERVICE_BYTES, check_memory, spread_cores
from tandem.core.errors import InputError
from tandem.core.units import GIB, MIB
from tandem.spec.models import Spec

_WEIGHTS = 300 * MIB


def _spec(**sections: Any) -> Spec:
    return Spec.model_validate(sections)


@pytest.mark.parametrize(
    ("cores", "prefill", "decode"),
    [
        ([0, 1], "0", "1"),
        ([0, 1, 2], "0", "1,2"),
        ([0, 1, 2, 3], "0,1", "2,3"),
        ([4, 6, 8, 10, 12], "4,6", "8,10,12"),
        ([3], "3", "3"),
    ],
)
def test_two_engines_share_the_cores(cores: list[int], prefill: str, decode: str) -> None:
    assert spread_cores(_spec(), cores) == {"prefill": [prefill], "decode": [decode]}


def test_each_replica_has_its_own_list() -> None:
    spec = _spec(prefill={"replicas": {"min": 1, "max": 2}}, decode={"replicas": 1})
    assert spread_cores(spec, range(6)) == {"prefill": ["0,1", "2,3"], "decode": ["4,5"]}


def test_a_pool_takes_them_all() -> None:
    assert spread_cores(_spec(pool={}), [0, 1, 2]) == {"pool": ["0,1,2"]}


def test_with_fewer_cores_than_engines_they_take_turns() -> None:
    spec = _spec(prefill={"replicas": 2}, decode={"replicas": 3})
    assert spread_cores(spec, [0, 1]) == {"prefill": ["0", "1"], "decode": ["0", "1", "0"]}


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 24))
def test_no_core_is_given_twice_or_left_out_when_there_are_enough(prefill: int, decode: int, spare: int) -> None:
    spec = _spec(prefill={"replicas": prefill}, decode={"replicas": decode})
    cores = list(range(prefill + decode + spare))
    spread = spread_cores(spec, cores)
    shares = [share.split(",") for phase in ("prefill", "decode") for share in spread[phase]]
    assert [int(core) for share in shares for core in share] == cores
    assert [len(share) for share in shares] == sorted(len(share) for share in shares)
    assert len(shares[-1]) - len(shares[0]) <= 1


def test_the_users_own_lists_come_first() -> None:
    spec = _spec(target={"local": {"cores": [[7], [0, 2]]}})
    assert spread_cores(spec, [0, 1]) == {"prefill": ["7"], "decode": ["0,2"]}


def test_too_few_lists_are_told() -> None:
    spec = _spec(prefill={"replicas": 2}, target={"local": {"cores": [[0], [1]]}})
    with pytest.raises(InputError, match="the cores do not fit the engines") as caught:
        spread_cores(spec, [0, 1])
    [problem] = caught.value.problems
    assert (problem.path, problem.found) == ("target.local.cores", "2 core lists for 3 engines")


def _needed(engines: int, kv_cache: int) -> int:
    return SERVICE_BYTES + engines * (ENGINE_BYTES + _WEIGHTS + kv_cache)


@pytest.mark.parametrize(
    ("sections", "engines"),
    [({}, 2), ({"pool": {}}, 1), ({"prefill": {"replicas": {"min": 1, "max": 3}}, "decode": {"replicas": 2}}, 5)],
)
def test_memory_that_is_just_enough_is_enough(sections: dict[str, Any], engines: int) -> None:
    check_memory(_spec(**sections), _WEIGHTS, _needed(engines, GIB))
    with pytest.raises(InputError, match="too little memory on this machine"):
        check_memory(_spec(**sections), _WEIGHTS, _needed(engines, GIB) - 1)


def test_the_cache_counts_as_the_whole_gib_that_vllm_takes() -> None:
    spec = _spec(target={"local": {"kv_cache": "1100MiB"}})
    check_memory(spec, _WEIGHTS, _needed(2, 2 * GIB))
    with pytest.raises(InputError):
        check_memory(spec, _WEIGHTS, _needed(2, 2 * GIB) - 1)


def test_a_cache_that_fits_is_named() -> None:
    spec = _spec(target={"local": {"kv_cache": "8GiB"}})
    with pytest.raises(InputError) as caught:
        check_memory(spec, _WEIGHTS, _needed(2, 3 * GIB) + 5 * MIB)
    [problem] = caught.value.problems
    assert problem.path == "target.local.kv_cache"
    assert problem.found == "2 engines need about 20.7 GiB, 10.7 GiB is available"
    assert problem.fix == "Set kv_cache to 3GiB or less."
    check_memory(_spec(target={"local": {"kv_cache": "3GiB"}}), _WEIGHTS, _needed(2, 3 * GIB) + 5 * MIB)


@pytest.mark.parametrize("room", [-GIB, 0, GIB - 1])
def test_without_room_for_a_cache_fewer_engines_are_advised(room: int) -> None:
    with pytest.raises(InputError) as caught:
        check_memory(_spec(pool={}), _WEIGHTS, _needed(1, 0) + room)
    assert caught.value.problems[0].fix == "Use fewer engines or a smaller model."

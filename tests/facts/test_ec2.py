"""Rows of the EC2 table and of the price lists."""

import pytest

from tandem.core.errors import InputError
from tandem.core.units import GIB
from tandem.facts.accelerators import accelerator, accelerators
from tandem.facts.ec2 import instance_type, instance_types
from tandem.facts.prices import price
from tandem.facts.table import read_table
from tandem.plan.efficiency import efficiency


def test_g6_8xlarge_is_one_l4_with_one_efa_interface_and_no_gpudirect() -> None:
    row = instance_type("g6.8xlarge")
    assert row.gpu is not None
    assert (row.gpu.name, row.gpus, row.efa_interfaces, row.gpudirect_rdma) == ("l4", 1, 1, False)
    assert row.memory == 128 * GIB
    assert row.network == 25e9 / 8


@pytest.mark.parametrize("name", ["p4d.24xlarge", "p5.48xlarge", "p5en.48xlarge", "p6-b200.48xlarge"])
def test_gpudirect_types(name: str) -> None:
    assert instance_type(name).gpudirect_rdma


def test_every_row_is_complete() -> None:
    for name, row in instance_types().items():
        assert row.vcpu > 0, name
        assert row.memory > 0, name
        assert row.network > 0, name
        assert row.ebs_bandwidth > 0, name
        if row.gpu is not None:
            assert row.gpus > 0, name
            assert row.gpu_memory > 0, name


def test_every_accelerator_has_a_source_and_an_efficiency() -> None:
    for name, row in accelerators().items():
        assert row.source.startswith("https://"), name
        assert row.bandwidth > 0, name
        assert 0 < efficiency(name).memory < 1, name


def test_unknown_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(InputError) as error:
        instance_type("g6.8xlagre")
    assert "g6.8xlarge" in error.value.fix
    with pytest.raises(InputError) as error:
        accelerator("h10")
    assert "h100" in error.value.fix


def test_every_price_list_has_region_date_and_source() -> None:
    for row in read_table("prices")["lists"]:
        assert row["region"]
        assert row["read"].startswith("2026-")
        assert row["source"].startswith("https://")


def test_a_price_that_is_not_known_is_none_and_the_users_own_wins() -> None:
    assert price("g6.8xlarge", "sa-east-1") is None
    known = price("g6.8xlarge", "us-east-1")
    assert known is not None
    assert known.amount == 2.0144
    own = price("g6.8xlarge", "us-east-1", {"g6.8xlarge": 1.5})
    assert own is not None
    assert (own.amount, own.source) == (1.5, "set by the user")

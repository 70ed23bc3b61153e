"""On-demand prices, each with its region, date and source. What is not in the table is unknown, never estimated."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tandem.facts.table import read_table

EKS_CONTROL_PLANE = "eks-control-plane"
NAT_GATEWAY = "nat-gateway"
EBS_GP3 = "ebs-gp3"
EGRESS = "egress"
EXTRAS = (EKS_CONTROL_PLANE, NAT_GATEWAY, EBS_GP3, EGRESS)
"""What is paid beside the nodes. Units: hour, hour, GB and month, GB."""


@dataclass(frozen=True)
class Price:
    """A price in US dollars per `unit`: hour, GB, or GB-month."""

    item: str
    amount: float
    unit: str
    region: str
    read: str
    source: str


def price(item: str, region: str, own: Mapping[str, float] | None = None) -> Price | None:
    """Price of an instance type or of one of EXTRAS in a region; None when nobody has told it.

    Args:
        own: the user's own prices by item; they win over the table.
    """
    if own and item in own:
        return Price(item, own[item], _unit(item), region, "", "set by the user")
    return _prices().get((region, item))


@cache
def _prices() -> dict[tuple[str, str], Price]:
    found: dict[tuple[str, str], Price] = {}
    for row in read_table("prices")["lists"]:
        for item, amount in row["prices"].items():
            key = (row["region"], item)
            found[key] = Price(item, float(amount), row["unit"], row["region"], row["read"], row["source"])
    return found


def _unit(item: str) -> str:
    return {EGRESS: "GB", EBS_GP3: "GB-month"}.get(item, "hour")

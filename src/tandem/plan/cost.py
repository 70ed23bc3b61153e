"""What it costs: an hour of everything that is paid, and a million tokens of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from tandem.facts.prices import EBS_GP3, EGRESS, EKS_CONTROL_PLANE, NAT_GATEWAY, Price, price
from tandem.plan.quantity import Book
from tandem.spec.traffic import ApiPrice

HOURS_PER_MONTH = 730
NODE_VOLUME_GB = 200
"""Root volume of a GPU node: images of 20 GB and the weights."""
BYTES_PER_TOKEN = 600
"""One streamed answer token as a server-sent event of the OpenAI API, and its share of headers. An assumption."""

UNKNOWN = "price unknown: set it in the spec under prices, or pass --price {item}=AMOUNT"


@dataclass(frozen=True)
class Nodes:
    """What is rented: instance types with their number."""

    region: str
    types: Mapping[str, int]
    own: Mapping[str, float]


def hourly_cost(book: Book, nodes: Nodes, output_tokens_per_second: float) -> float | None:
    """Enters the dollars an hour by part; None when a price is unknown, with the item named in the quantity's rule."""
    paths = [_node(book, nodes, name, count) for name, count in nodes.types.items()]
    total_nodes = sum(count for count in nodes.types.values())
    gigabytes = output_tokens_per_second * BYTES_PER_TOKEN * 3600 / 1e9
    paths += [
        _part(book, nodes, EKS_CONTROL_PLANE, "cost.control_plane", 1, "one cluster"),
        _part(book, nodes, NAT_GATEWAY, "cost.nat_gateway", 1, "one NAT gateway"),
        _part(
            book,
            nodes,
            EBS_GP3,
            "cost.storage",
            total_nodes * NODE_VOLUME_GB / HOURS_PER_MONTH,
            f"{total_nodes} volumes of {NODE_VOLUME_GB} GB, a month of 730 hours",
        ),
        _part(book, nodes, EGRESS, "cost.traffic_out", gigabytes, f"{gigabytes:.3f} GB of answers an hour"),
    ]
    values = [book.quantities[path].value for path in paths]
    known = [value for value in values if isinstance(value, int | float)]
    partial = book.put("cost.known_per_hour", sum(known), "USD/h", "the parts whose price is known", paths)
    if len(known) == len(values):
        return book.put("cost.per_hour", partial, "USD/h", "nodes, control plane, NAT, storage, traffic", paths)
    missing = [path for path, value in zip(paths, values, strict=True) if value is None]
    book.note("cost.per_hour", None, "USD/h", f"unknown: no price for {', '.join(missing)}", paths)
    return None


def token_cost(
    book: Book, name: str, per_hour: float, input_per_second: float, output_per_second: float, inputs: tuple[str, ...]
) -> None:
    """Enters dollars per million input tokens and per million output tokens at `name` load.

    One price for both is split by the time an engine spends on each kind, told in `cost.prefill_share`.
    """
    share = book.quantities["cost.prefill_share"].value
    prefill = per_hour * float(share) if isinstance(share, int | float) else per_hour / 2
    rule = "USD/h × share of prefill ÷ input tokens an hour"
    book.put(
        f"cost.{name}.per_million_input",
        prefill / input_per_second / 3600 * 1e6,
        "USD",
        rule,
        ["cost.known_per_hour", "cost.prefill_share", *inputs],
    )
    rule = "USD/h × share of decode ÷ output tokens an hour"
    book.put(
        f"cost.{name}.per_million_output",
        (per_hour - prefill) / output_per_second / 3600 * 1e6,
        "USD",
        rule,
        ["cost.known_per_hour", "cost.prefill_share", *inputs],
    )


def break_even(book: Book, api: ApiPrice, per_hour: float, input_mean: float, output_mean: float) -> None:
    """Enters the request rate from which on the own service is cheaper than the managed API."""
    request = (input_mean * api.input_per_million + output_mean * api.output_per_million) / 1e6
    book.put(
        "cost.api.per_request",
        request,
        api.currency,
        "mean tokens × the API's prices",
        ["traffic.input_mean", "traffic.output_mean"],
        ["prices of the managed API as set by the user"],
    )
    hourly = per_hour * api.per_usd
    book.put("cost.api.own_per_hour", hourly, f"{api.currency}/h", f"USD/h × {api.per_usd:g}", ["cost.known_per_hour"])
    if request > 0:
        rate = hourly / request / 3600
        book.put(
            "cost.api.break_even",
            rate,
            "requests/s",
            "own cost an hour ÷ API cost of a request ÷ 3600",
            ["cost.api.own_per_hour", "cost.api.per_request"],
        )


def node_price(nodes: Nodes, name: str) -> Price | None:
    """An hour of one node; None when unknown."""
    return price(name, nodes.region, nodes.own)


def _node(book: Book, nodes: Nodes, name: str, count: int) -> str:
    return _part(book, nodes, name, f"cost.nodes.{name}", count, f"{count} × {name}")


def _part(book: Book, nodes: Nodes, item: str, path: str, amount: float, what: str) -> str:
    found = price(item, nodes.region, nodes.own)
    if found is None:
        book.note(path, None, "USD/h", f"{what}: {UNKNOWN.format(item=item)}")
        return path
    told = f" in {found.region}, {found.read}" if found.read else ""
    rule = f"{what} at {found.amount:g} USD/{found.unit}{told}"
    book.put(path, amount * found.amount, "USD/h", rule, sources=[found.source])
    return path

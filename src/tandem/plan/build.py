"""Spec and facts in, Plan out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf, isfinite

from tandem.facts.models import ModelShape
from tandem.facts.prices import price
from tandem.plan.cost import Nodes, break_even, hourly_cost, token_cost
from tandem.plan.efficiency import REQUEST_SECONDS
from tandem.plan.engine import EngineSpeed
from tandem.plan.kv import transfer_bytes
from tandem.plan.load import Demand, Prediction, Transfer
from tandem.plan.machines import Machine, machines
from tandem.plan.quantity import Book, Quantity
from tandem.plan.ratio import Offer, Options, Targets, best_goodput, capacity, pool_offer, split_offer, untuned_pool
from tandem.plan.rehearse import rehearse
from tandem.plan.simulate.workload import Arrival, Lengths
from tandem.plan.transfer import transfer_path
from tandem.plan.verdict import Verdict, decide
from tandem.spec.models import Spec
from tandem.spec.traffic import Traffic

CHAT_TRACE = "https://arxiv.org/abs/2311.18677"
"""Median prompt and answer of Azure's conversation service, 1020 and 129 tokens: Splitwise, figure 3."""
MOST_COMPARED = 8
"""Engines in the comparison of goodput a dollar and in the picture."""


@dataclass(frozen=True)
class Plan:
    """What would run, each number with its reason. Two plans from the same arguments are equal."""

    model: str
    target: str
    quantities: Mapping[str, Quantity]
    verdict: Verdict | None
    """None when no speed is known, as on a machine that nobody has timed."""
    offers: tuple[Offer, ...]
    """Every small split and pool with its prediction: the points of the picture."""
    chosen: Offer | None
    """What the spec asks for."""
    notes: tuple[str, ...] = ()

    def value(self, path: str) -> float | None:
        """The number at `path`; None when it is unknown or not a number."""
        found = self.quantities[path].value if path in self.quantities else None
        return float(found) if isinstance(found, int | float) else None


@dataclass(frozen=True)
class Circumstances:
    """What a plan needs beside the spec and the facts."""

    node: str | None = None
    """EC2 type of the GPU nodes of an existing cluster."""
    region: str | None = None
    """Where prices are looked up when the target does not say."""
    prices: Mapping[str, float] = field(default_factory=dict)
    """Own prices; they win over those of the spec."""
    measured: EngineSpeed | None = None
    """The step model of this machine."""
    trace: Sequence[Arrival] = ()
    """Requests in place of the distributions of the spec."""
    seed: int | None = None
    """Given: the plan is rehearsed in the simulator with this seed."""
    requests: int = 5000
    """Requests of the rehearsal, when there is no trace."""


def make_plan(spec: Spec, shape: ModelShape, circumstances: Circumstances | None = None) -> Plan:
    """The plan for `spec` and the model of `shape`.

    Raises:
        InputError: the nodes cannot run the engines, or are unknown.
    """
    given = circumstances or Circumstances()
    book = Book()
    demand = _demand(book, spec.traffic, given.trace)
    found = machines(book, spec, shape, given.node, given.measured)
    options = _options(book, spec, shape, found, demand, given)
    notes = _notes(found)
    if options is None:
        return Plan(shape.name, spec.target.kind, book.quantities, None, (), None, notes)
    verdict = decide(options, spec.traffic.goal, _longest(found))
    chosen = _asked(book, spec, options)
    _recommend(book, options, verdict)
    _money(book, spec, found, options, chosen, given)
    offers = (*_compared(options), *(offer for offer in (verdict.split, verdict.pool, chosen) if offer))
    if given.seed is not None:
        rehearse(book, spec, found, options, chosen, given.trace, given.seed, given.requests)
    return Plan(shape.name, spec.target.kind, book.quantities, verdict, _distinct(offers), chosen, notes)


def _demand(book: Book, traffic: Traffic, trace: Sequence[Arrival]) -> Demand:
    told = "traffic" if traffic.model_fields_set else "default: no traffic in the spec"
    source = [] if traffic.model_fields_set else [CHAT_TRACE]
    prompts = Lengths(traffic.input_tokens.p50, traffic.input_tokens.p95)
    outputs = Lengths(traffic.output_tokens.p50, traffic.output_tokens.p95)
    rate, cached = traffic.requests_per_second, traffic.cached_share
    if trace:
        told, source = f"{len(trace):,} requests of the trace", []
        prompts, outputs = _quantiles([a.prompt for a in trace]), _quantiles([a.output for a in trace])
        rate = len(trace) / max(trace[-1].time, 1e-9)
        cached = sum(a.cached for a in trace) / sum(a.prompt for a in trace)
    for name, lengths in (("input", prompts), ("output", outputs)):
        book.put(f"traffic.{name}_p50", lengths.p50, "tokens", told, sources=source)
        book.put(f"traffic.{name}_p95", lengths.p95, "tokens", told, sources=source)
        book.put(
            f"traffic.{name}_mean",
            lengths.mean,
            "tokens",
            "log-normal through p50 and p95: p50 · exp(σ²/2)",
            [f"traffic.{name}_p50", f"traffic.{name}_p95"],
        )
    book.put("traffic.rate", rate, "requests/s", told)
    book.put("traffic.cached_share", cached, "", told)
    return Demand(rate, prompts, outputs, cached, traffic.burstiness)


def _quantiles(values: list[int]) -> Lengths:
    ordered = sorted(values)
    return Lengths(ordered[(len(ordered) - 1) // 2], ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))])


def _options(
    book: Book, spec: Spec, shape: ModelShape, found: Mapping[str, Machine], demand: Demand, given: Circumstances
) -> Options | None:
    prefill = found.get("prefill") or found["pool"]
    decode = found.get("decode") or found["pool"]
    first, second = prefill.engines, decode.engines
    if first is None or second is None or not (prefill.fit.fits and decode.fit.fits):
        return None
    shared = max(prefill.engines_per_node, decode.engines_per_node)
    path = transfer_path(book, spec.transfer.over, prefill.instance, decode.instance, shared)
    token, sequence = transfer_bytes(shape, decode.settings.kv_element_bytes)
    book.put(
        "transfer.bytes_per_token",
        token,
        "bytes",
        "cached elements of all layers × bytes of one",
        sources=[shape.source],
    )
    book.put("transfer.bytes_per_sequence", sequence, "bytes", "state of the linear layers", sources=[shape.source])
    transfer = Transfer(token, sequence, path.bytes_per_second, path.latency)
    median = demand.new_tokens()
    book.put(
        "transfer.median_seconds",
        transfer.seconds(median),
        "s",
        f"{median:,} tokens alone on the path",
        ["transfer.bytes_per_token", "transfer.bytes_per_sequence", "transfer.bytes_per_second"],
    )
    return Options(
        prefill=first,
        decode=second,
        pool=second,
        transfer=transfer,
        demand=demand,
        targets=Targets(spec.slo.ttft_ms / 1e3, spec.slo.itl_ms / 1e3),
        prefill_cost=_weight(spec, prefill, given),
        decode_cost=_weight(spec, decode, given),
        request_seconds=REQUEST_SECONDS,
    )


def _weight(spec: Spec, machine: Machine, given: Circumstances) -> float:
    """Dollars an hour of one engine's share of a node, or its GPUs when the price is unknown."""
    if machine.instance is None:
        return 1.0
    own = {**spec.prices, **given.prices}
    told = price(machine.instance.name, _region(spec, given), own)
    return told.amount / machine.engines_per_node if told else float(machine.settings.tensor_parallel)


def _region(spec: Spec, given: Circumstances) -> str:
    return given.region or (spec.target.eks.region if spec.target.eks else "")


def _longest(found: Mapping[str, Machine]) -> int:
    return min(machine.settings.max_model_len for machine in found.values())


def _asked(book: Book, spec: Spec, options: Options) -> Offer:
    """The replicas of the spec under the traffic, and one request alone."""
    phases = spec.phases()
    offer = (
        split_offer(options, phases["prefill"].replicas.min, phases["decode"].replicas.min)
        if spec.disaggregated
        else untuned_pool(options, phases["pool"].replicas.min)
    )
    alone = replace(options, demand=replace(options.demand, rate=1e-6))
    quiet = split_offer(alone, offer.prefill, offer.decode) if offer.split else untuned_pool(alone, offer.decode)
    if offer.split:
        book.put("asked.prefill_replicas", offer.prefill, "engines", "prefill.replicas of the spec")
    book.put("asked.decode_replicas", offer.decode, "engines", "replicas of the spec")
    _enter(book, "unloaded", quiet.prediction, "one request at a time")
    _enter(book, "asked", offer.prediction, "the spec's replicas under the traffic")
    book.note(
        "asked.holds",
        offer.prediction.holds(options.targets.ttft, options.targets.itl),
        "",
        f"p95 of TTFT ≤ {options.targets.ttft * 1e3:g} ms and of ITL ≤ {options.targets.itl * 1e3:g} ms",
        ["asked.ttft_p95", "asked.itl_p95", "asked.prefill_busy", "asked.decode_busy"],
    )
    return offer


_REASONS = [
    f"{phase}.speed.{name}"
    for phase in ("prefill", "decode", "pool")
    for name in ("step_base", "token", "cached_token")
]


def _enter(book: Book, at: str, prediction: Prediction, what: str) -> None:
    inputs = [path for path in (*_REASONS, "transfer.median_seconds") if path in book.quantities]
    inputs += ["traffic.rate", "traffic.input_mean", "traffic.output_mean"]
    numbers = {
        "ttft_p50": (prediction.ttft_p50, "s"),
        "ttft_p95": (prediction.ttft_p95, "s"),
        "itl_p50": (prediction.itl_p50, "s"),
        "itl_p95": (prediction.itl_p95, "s"),
        "prefill_busy": (prediction.prefill_busy, ""),
        "decode_busy": (prediction.decode_busy, ""),
        "batch": (prediction.batch, "sequences"),
    }
    for name, (value, unit) in numbers.items():
        if isfinite(value):
            book.put(f"{at}.{name}", value, unit, what, inputs)
        else:
            book.note(f"{at}.{name}", None, unit, f"{what}: the queue grows for ever", inputs)


def _recommend(book: Book, options: Options, verdict: Verdict) -> None:
    reasons = ["traffic.rate", "traffic.input_p95", "traffic.output_mean"]
    split, pool = verdict.split, verdict.pool
    if split:
        rule = f"smallest x:y with p95 TTFT ≤ {options.targets.ttft:g} s and p95 ITL ≤ {options.targets.itl:g} s"
        _enter(book, "best_split", split.prediction, f"{split.prefill} prefill + {split.decode} decode engines")
        inputs = ["best_split.ttft_p95", "best_split.itl_p95", "best_split.prefill_busy", "best_split.decode_busy"]
        book.put("prefill.replicas", split.prefill, "engines", rule, [*inputs, *reasons])
        book.put("decode.replicas", split.decode, "engines", rule, [*inputs, *reasons])
    else:
        book.note("decode.replicas", None, "engines", "no x:y holds the targets", reasons)
    if pool:
        _enter(book, "best_pool", pool.prediction, f"a pool of {pool.decode}, max_num_batched_tokens {pool.chunk}")
        book.put(
            "pool.replicas",
            pool.decode,
            "engines",
            f"smallest pool that holds the same targets, with max_num_batched_tokens {pool.chunk}",
            ["best_pool.ttft_p95", "best_pool.itl_p95", *reasons],
        )
    else:
        book.note("pool.replicas", None, "engines", "no pool holds the targets", reasons)
    best = best_goodput(options, MOST_COMPARED)
    if best:
        offer, rate = best
        book.note(
            "goodput.ratio",
            f"{offer.prefill}:{offer.decode}",
            "",
            f"most requests a second within the targets for the money, of at most {MOST_COMPARED} engines",
            ["goodput.rate"],
        )
        book.put("goodput.rate", rate, "requests/s", "the highest rate at which that ratio holds the targets", reasons)
    even = pool_offer(options, best[0].prefill + best[0].decode if best else MOST_COMPARED)
    book.put(
        "goodput.pool_rate",
        capacity(options, even),
        "requests/s",
        f"the same for a pool of {even.decode} engines",
        reasons,
    )
    answer = (
        verdict.answer
        if verdict.threshold is None or verdict.answer != "only above"
        else (f"only above {verdict.threshold} tokens")
    )
    book.note(
        "verdict",
        answer,
        "",
        verdict.reason,
        [p for p in ("prefill.replicas", "decode.replicas", "pool.replicas") if p in book.quantities],
    )


def _money(
    book: Book, spec: Spec, found: Mapping[str, Machine], options: Options, chosen: Offer, given: Circumstances
) -> None:
    types = _nodes(spec, found, chosen)
    if not types:
        return
    nodes = Nodes(_region(spec, given), types, {**spec.prices, **given.prices})
    demand = options.demand
    hourly_cost(book, nodes, demand.rate * demand.outputs.mean)
    share = (
        chosen.prefill * options.prefill_cost / chosen.cost
        if chosen.split
        else min(1.0, chosen.prediction.prefill_busy)
    )
    book.put(
        "cost.prefill_share",
        share,
        "",
        "prefill engines' part of the node price" if chosen.split else "time that prompts take",
        ["asked.prefill_busy"],
    )
    hourly = book.quantities["cost.known_per_hour"].value
    if not isinstance(hourly, int | float) or not _gpu_prices_known(book, found):
        return
    token_cost(
        book,
        "expected",
        hourly,
        demand.rate * demand.prompts.mean,
        demand.rate * demand.outputs.mean,
        ("traffic.rate",),
    )
    full = capacity(replace(options, targets=Targets(inf, inf)), chosen)
    book.put(
        "cost.full_rate",
        full,
        "requests/s",
        "the highest rate that the spec's engines carry, at any latency",
        ["asked.prefill_busy", "asked.decode_busy"],
    )
    if full:
        token_cost(book, "full", hourly, full * demand.prompts.mean, full * demand.outputs.mean, ("cost.full_rate",))
    if spec.managed_api:
        break_even(book, spec.managed_api, hourly, demand.prompts.mean, demand.outputs.mean)


def _gpu_prices_known(book: Book, found: Mapping[str, Machine]) -> bool:
    names = {machine.instance.name for machine in found.values() if machine.instance}
    return all(book.quantities[f"cost.nodes.{name}"].value is not None for name in names)


def _nodes(spec: Spec, found: Mapping[str, Machine], chosen: Offer) -> dict[str, int]:
    """Instance types with their number: the asked engines, and the system node of a cluster that Tandem makes."""
    counts = {"prefill": chosen.prefill, "decode": chosen.decode, "pool": chosen.decode}
    types: dict[str, int] = {}
    for phase, machine in found.items():
        if machine.instance:
            number = ceil(counts[phase] / machine.engines_per_node)
            types[machine.instance.name] = types.get(machine.instance.name, 0) + number
    if types and spec.target.eks:
        types[spec.target.eks.system_node] = types.get(spec.target.eks.system_node, 0) + 1
    return types


def _compared(options: Options) -> list[Offer]:
    splits = [split_offer(options, x, y) for x in range(1, MOST_COMPARED) for y in range(1, MOST_COMPARED - x + 1)]
    return [*splits, *(pool_offer(options, n) for n in range(1, MOST_COMPARED + 1))]


def _distinct(offers: Sequence[Offer]) -> tuple[Offer, ...]:
    seen: dict[tuple[int, int], Offer] = {(offer.prefill, offer.decode): offer for offer in offers}
    return tuple(seen[key] for key in sorted(seen))


def _notes(found: Mapping[str, Machine]) -> tuple[str, ...]:
    notes: list[str] = []
    for machine in found.values():
        if not machine.fit.fits:
            notes.append(f"{machine.phase}: does not fit: {machine.fit.reason}")
        if machine.speed is None:
            notes.append(f"{machine.phase}: the speed of this machine is unknown; time it and pass --measured FILE")
        if machine.instance and machine.instance.efa and not machine.instance.gpudirect_rdma:
            notes.append(
                f"{machine.phase}: {machine.instance.name} has EFA without GPUDirect RDMA; the transfer goes through "
                "host memory (transfer.buffer_device: cpu)"
            )
    return tuple(notes)

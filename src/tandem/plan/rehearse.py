"""The plan played through in the simulator: what the spec asks for, and a pool of as many engines."""

from collections.abc import Mapping, Sequence

from tandem.plan.machines import Machine
from tandem.plan.quantity import Book
from tandem.plan.ratio import Offer, Options
from tandem.plan.simulate.cluster import Link, Outcome, Phase, Service, simulate
from tandem.plan.simulate.replica import Limits
from tandem.plan.simulate.workload import Arrival, draw_arrivals
from tandem.spec.models import Spec


def rehearse(
    book: Book,
    spec: Spec,
    found: Mapping[str, Machine],
    options: Options,
    chosen: Offer,
    trace: Sequence[Arrival],
    seed: int,
    requests: int,
) -> None:
    """Enters percentiles of the simulated service, and of the opposing pool when the spec is disaggregated."""
    arrivals = trace or tuple(_draw(options, found, requests, seed))
    services = {"simulated": _service(spec, options, chosen.prefill, chosen.decode)}
    if chosen.split:
        services["simulated_pool"] = _service(spec, options, 0, chosen.prefill + chosen.decode)
    for name, service in services.items():
        _enter(book, name, simulate(service, arrivals), f"{len(arrivals):,} requests simulated, seed {seed}")


def _draw(options: Options, found: Mapping[str, Machine], requests: int, seed: int) -> Sequence[Arrival]:
    longest = min(machine.settings.max_model_len for machine in found.values())
    demand = options.demand
    drawn = draw_arrivals(requests, demand.rate, demand.prompts, demand.outputs, longest, seed, demand.variation)
    return [Arrival(a.time, a.prompt, a.output, int(a.prompt * demand.cached_share)) for a in drawn]


def _service(spec: Spec, options: Options, prefill: int, decode: int) -> Service:
    engines = options.decode if prefill else options.pool
    limits = Limits(engines.kv_tokens, engines.sequences, engines.batched_tokens)
    before = options.prefill
    transfer = options.transfer
    return Service(
        decode=Phase(decode, engines.speed, limits),
        prefill=Phase(prefill, before.speed, Limits(before.kv_tokens, before.sequences, before.batched_tokens))
        if prefill
        else None,
        link=Link(transfer.bytes_per_second, transfer.bytes_per_token, transfer.bytes_per_sequence, transfer.latency),
        remote_min_tokens=spec.routing.remote_min_tokens,
        prefill_timeout=spec.routing.prefill_timeout_seconds,
        request_seconds=options.request_seconds,
    )


def _enter(book: Book, at: str, outcome: Outcome, what: str) -> None:
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        book.note(f"{at}.ttft_{name}", outcome.ttft_percentile(share), "s", what, ["traffic.rate"])
        book.note(f"{at}.itl_{name}", outcome.itl_percentile(share), "s", what, ["traffic.rate"])
    book.put(f"{at}.remote", outcome.remote, "requests", "prefilled on a prefill engine", ["traffic.rate"])
    book.put(f"{at}.preempted", outcome.preempted, "times", "a running request gave its blocks back", ["traffic.rate"])
    rate = outcome.output_tokens / max(outcome.seconds, 1e-9)
    book.put(f"{at}.output_rate", rate, "tokens/s", what, ["traffic.rate"])

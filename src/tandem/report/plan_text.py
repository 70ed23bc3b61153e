"""A plan as text for people and as JSON."""

import json
from collections.abc import Sequence

from tandem.core.units import format_bytes
from tandem.plan.against import Comparison
from tandem.plan.build import Plan
from tandem.plan.quantity import Quantity, explain

PHASES = ("prefill", "decode", "pool")


def plan_text(plan: Plan) -> str:
    """The answer in one screen: fit, speed, load, cost, verdict. Every number has its path for `--explain`."""
    lines = [f"{plan.model} on {plan.target}", ""]
    for phase in PHASES:
        lines += _fit(plan, phase)
    lines += _section(plan, "Speed", _SPEED) + _section(plan, "Replicas", _REPLICAS)
    lines += _section(plan, "Rehearsal", _REHEARSAL) + _section(plan, "Cost", _costs(plan))
    if plan.verdict:
        answer = plan.quantities["verdict"].value
        lines += [f"Disaggregate: {answer}. {plan.verdict.reason[0].upper()}{plan.verdict.reason[1:]}.", ""]
    lines += [f"Note: {note}." for note in plan.notes]
    lines.append("tandem plan FILE --explain PATH tells why; the paths stand in the last column.")
    return "\n".join(lines) + "\n"


def plan_json(plan: Plan) -> str:
    """All quantities, the verdict and the compared offers; keys in a fixed order."""
    document = {
        "schema": "tandem.plan/1",
        "model": plan.model,
        "target": plan.target,
        "verdict": _verdict(plan),
        "quantities": {path: _quantity(found) for path, found in plan.quantities.items()},
        "notes": list(plan.notes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def explain_text(plan: Plan, path: str) -> str:
    """The chain of reasons of one number; all paths for `all`.

    Raises:
        InputError: the plan has no such number.
    """
    if path == "all":
        return "\n".join(f"{p}  {_shown(q)}" for p, q in plan.quantities.items()) + "\n"
    lines: list[str] = []
    for depth, quantity in explain(plan.quantities, path):
        indent = "  " * depth
        lines.append(f"{indent}{quantity.path} = {_shown(quantity)}")
        lines.append(f"{indent}  {quantity.rule}")
        lines += [f"{indent}  source: {source}" for source in quantity.sources]
    return "\n".join(lines) + "\n"


def comparison_text(found: Sequence[Comparison]) -> str:
    """Planned beside logged numbers, with the error of the plan."""
    if not found:
        return "The log has none of the lines «GPU KV cache size», «Available KV cache memory», «Model loading took».\n"
    rows = [
        f"{row.path:<28} planned {_number(row.planned, row.unit):>14}   logged {_number(row.logged, row.unit):>14}   "
        f"error {row.error:+.1%}"
        for row in found
    ]
    return "\n".join(rows) + "\n"


_SPEED = [
    ("unloaded.ttft_p50", "first token of the median prompt, alone"),
    ("unloaded.itl_p50", "between two tokens, alone"),
    ("asked.ttft_p50", "first token under the traffic, p50"),
    ("asked.ttft_p95", "first token under the traffic, p95"),
    ("asked.itl_p50", "between two tokens, p50"),
    ("asked.itl_p95", "between two tokens, p95"),
    ("transfer.median_seconds", "transfer of the median prompt's KV cache"),
    ("asked.holds", "the spec's replicas hold the targets"),
]
_REPLICAS = [
    ("prefill.replicas", "prefill engines that the targets need"),
    ("decode.replicas", "decode engines that the targets need"),
    ("pool.replicas", "engines of one pool for the same targets"),
    ("goodput.ratio", "best goodput for the money, prefill:decode"),
    ("goodput.rate", "its rate within the targets"),
    ("goodput.pool_rate", "a pool of as many engines"),
]
_REHEARSAL = [
    ("simulated.ttft_p95", "simulated: first token, p95"),
    ("simulated.itl_p95", "simulated: between two tokens, p95"),
    ("simulated_pool.ttft_p95", "simulated pool of as many engines: first token, p95"),
    ("simulated_pool.itl_p95", "simulated pool: between two tokens, p95"),
]
_COST = [
    ("cost.per_hour", "an hour of everything"),
    ("cost.known_per_hour", "an hour of what has a known price"),
    ("cost.expected.per_million_input", "a million input tokens at the expected load"),
    ("cost.expected.per_million_output", "a million output tokens at the expected load"),
    ("cost.full.per_million_input", "a million input tokens at full load"),
    ("cost.full.per_million_output", "a million output tokens at full load"),
    ("cost.api.break_even", "rate from which on this is cheaper than the managed API"),
]


def _costs(plan: Plan) -> list[tuple[str, str]]:
    """The summary, and each part whose price is missing."""
    unknown = [
        (path, "its price is unknown")
        for path, found in plan.quantities.items()
        if path.startswith("cost.") and found.value is None and path != "cost.per_hour"
    ]
    return _COST + unknown


def _fit(plan: Plan, phase: str) -> list[str]:
    if f"{phase}.fit.fits" not in plan.quantities:
        return []
    rows = [
        (f"{phase}.fit.fits", "fits"),
        (f"{phase}.fit.weights", "weights"),
        (f"{phase}.fit.kv_bytes", "memory for the KV cache"),
        (f"{phase}.fit.kv_tokens", "tokens in the KV cache"),
        (f"{phase}.fit.max_sequences", "sequences of max_model_len at once"),
        (f"{phase}.pod.memory_limit", "memory limit of the pod"),
        (f"{phase}.start.load_seconds", "reading the weights, cold"),
    ]
    return _section(plan, f"Fit, one {phase} engine", rows)


def _section(plan: Plan, title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    present = [(plan.quantities[path], label) for path, label in rows if path in plan.quantities]
    if not present:
        return []
    lines = [f"  {label:<56} {_shown(quantity):>18}   {quantity.path}" for quantity, label in present]
    lines += [f"      {q.rule}" for q, _ in present if q.value is None or q.value is False]
    return [title, *lines, ""]


def _shown(quantity: Quantity) -> str:
    value = quantity.value
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else _number(value, quantity.unit)


def _number(value: float, unit: str) -> str:
    if unit == "bytes":
        return format_bytes(value) if value >= 0 else f"-{format_bytes(-value)}"
    if unit == "s":
        return f"{value * 1e3:,.4g} ms" if value < 1 else f"{value:,.2f} s"
    if unit in ("bytes/s", "FLOP/s"):
        return f"{value:.3g} {unit}"
    text = f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:,.4g}"
    return f"{text} {unit.removesuffix('s') if value == 1 else unit}".rstrip()


def _quantity(found: Quantity) -> dict[str, object]:
    return {
        "value": found.value,
        "unit": found.unit,
        "rule": found.rule,
        "inputs": list(found.inputs),
        "sources": list(found.sources),
    }


def _verdict(plan: Plan) -> dict[str, object] | None:
    if plan.verdict is None:
        return None
    return {
        "disaggregate": plan.verdict.answer,
        "threshold_tokens": plan.verdict.threshold,
        "reason": plan.verdict.reason,
    }

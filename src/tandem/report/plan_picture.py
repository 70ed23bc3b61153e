"""Cost against TTFT and against ITL, as SVG: every small split and pool, the Pareto front, and the chosen point."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tandem.plan.build import Plan
from tandem.plan.ratio import Offer

WIDTH, HEIGHT, MARGIN = 460, 360, 56


@dataclass(frozen=True)
class _Panel:
    """One of the two diagrams: both axes are logarithmic."""

    left: int
    label: str
    points: Sequence[tuple[Offer, float]]

    def x(self, cost: float) -> float:
        """Pixel of a cost."""
        return self.left + MARGIN + _place(cost, [offer.cost for offer, _ in self.points]) * (WIDTH - 2 * MARGIN)

    def y(self, seconds: float) -> float:
        """Pixel of a latency."""
        return HEIGHT - MARGIN - _place(seconds, [value for _, value in self.points]) * (HEIGHT - 2 * MARGIN)


def plan_picture(plan: Plan) -> str:
    """The SVG document. Same plan, same bytes."""
    panels = [
        _Panel(0, "TTFT, 95th percentile (ms)", _finite(plan.offers, "ttft_p95")),
        _Panel(WIDTH, "ITL, 95th percentile (ms)", _finite(plan.offers, "itl_p95")),
    ]
    body = [part for panel in panels if panel.points for part in _draw(panel, plan.chosen)]
    title = f"Cost against latency: {plan.model}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT + 40}" role="img" '
        f'font-family="sans-serif" font-size="11"><title>{escape(title)}</title>'
        f'<rect width="{2 * WIDTH}" height="{HEIGHT + 40}" fill="#ffffff"/>'
    )
    return "\n".join([head, *body, *_legend(), "</svg>"]) + "\n"


def pareto(points: Sequence[tuple[Offer, float]]) -> list[tuple[Offer, float]]:
    """The points that no other beats in both cost and latency, by rising cost."""
    front: list[tuple[Offer, float]] = []
    for offer, value in sorted(points, key=lambda point: (point[0].cost, point[1])):
        if not front or value < front[-1][1]:
            front.append((offer, value))
    return front


def _finite(offers: Sequence[Offer], name: str) -> list[tuple[Offer, float]]:
    """Offers that carry the load."""
    carried = [o for o in offers if max(o.prediction.prefill_busy, o.prediction.decode_busy) < 1]
    values = [(offer, getattr(offer.prediction, name) * 1e3) for offer in carried]
    return [(offer, value) for offer, value in values if math.isfinite(value)]


def _place(value: float, values: Sequence[float]) -> float:
    low, high = math.log(min(values)), math.log(max(values))
    return (math.log(value) - low) / (high - low) if high > low else 0.5


def _draw(panel: _Panel, chosen: Offer | None) -> list[str]:
    parts = _axes(panel)
    front = pareto(panel.points)
    line = " ".join(f"{panel.x(offer.cost):.1f},{panel.y(value):.1f}" for offer, value in front)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#888888" stroke-dasharray="4 3"/>')
    parts += [_dot(panel, offer, value) for offer, value in panel.points]
    return parts + [_ring(panel, offer, value) for offer, value in panel.points if _same(offer, chosen)]


def _axes(panel: _Panel) -> list[str]:
    left, right = panel.left + MARGIN, panel.left + WIDTH - MARGIN
    costs, values = [offer.cost for offer, _ in panel.points], [value for _, value in panel.points]
    bottom = HEIGHT - MARGIN
    parts = [
        f'<path d="M{left} {MARGIN}V{bottom}H{right}" fill="none" stroke="#333333"/>',
        f'<text x="{left}" y="{MARGIN - 12}">{panel.label}</text>',
        f'<text x="{right}" y="{bottom + 32}" text-anchor="end">USD/h of GPU nodes (GPUs when unknown)</text>',
    ]
    for cost in (min(costs), max(costs)):
        parts.append(f'<text x="{panel.x(cost):.1f}" y="{bottom + 16}" text-anchor="middle">{cost:,.4g}</text>')
    for value in (min(values), max(values)):
        parts.append(f'<text x="{left - 6}" y="{panel.y(value) + 4:.1f}" text-anchor="end">{value:,.3g}</text>')
    return parts


def _dot(panel: _Panel, offer: Offer, value: float) -> str:
    name = f"{offer.prefill}:{offer.decode}" if offer.split else f"pool of {offer.decode}"
    colour = "#1f6feb" if offer.split else "#d9822b"
    tip = f"{name}, {offer.cost:,.4g}, {value:,.4g} ms"
    x, y = panel.x(offer.cost), panel.y(value)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"><title>{escape(tip)}</title></circle>'


def _ring(panel: _Panel, offer: Offer, value: float) -> str:
    x, y = panel.x(offer.cost), panel.y(value)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="none" stroke="#111111" stroke-width="1.5"/>'


def _same(offer: Offer, chosen: Offer | None) -> bool:
    return chosen is not None and (offer.prefill, offer.decode) == (chosen.prefill, chosen.decode)


def _legend() -> list[str]:
    y = HEIGHT + 16
    return [
        f'<circle cx="70" cy="{y}" r="3.5" fill="#1f6feb"/><text x="80" y="{y + 4}">prefill:decode</text>',
        f'<circle cx="180" cy="{y}" r="3.5" fill="#d9822b"/><text x="190" y="{y + 4}">one pool</text>',
        f'<circle cx="270" cy="{y}" r="8" fill="none" stroke="#111111" stroke-width="1.5"/>'
        f'<text x="284" y="{y + 4}">the spec</text>',
        f'<path d="M360 {y}h24" stroke="#888888" stroke-dasharray="4 3"/><text x="390" y="{y + 4}">Pareto front</text>',
    ]

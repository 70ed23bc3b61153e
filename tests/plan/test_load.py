"""The closed forms against the simulator, on the same engines and traffic."""

import pytest

from tandem.plan.build import Circumstances, Plan
from tests.plan.specs import eks_spec, plan_of

TRAFFICS = [
    eks_spec(prompt="{p50: 1000, p95: 4000}", output="{p50: 150, p95: 500}", rate=25,
             more="prefill: {replicas: 2}\ndecode: {replicas: 3}"),
    eks_spec(prompt=2000, output=250, rate=20, more="prefill: {replicas: 2}\ndecode: {replicas: 2}"),
    eks_spec(prompt=4000, output=50, rate=12, more="prefill: {replicas: 3}\ndecode: {replicas: 1}"),
    eks_spec(model="Qwen/Qwen3.5-9B", node="g6.8xlarge", prompt="{p50: 1000, p95: 3000}", output=180, rate=0.35,
             max_model_len=4096, more="prefill: {replicas: 1}\ndecode: {replicas: 1}"),
]  # fmt: skip


def _pair(plan: Plan, name: str) -> tuple[float, float]:
    closed, simulated = plan.value(f"asked.{name}"), plan.value(f"simulated.{name}")
    assert closed is not None
    assert simulated is not None
    print(f"\n{plan.model} {name}: closed form {closed * 1e3:.1f} ms, simulated {simulated * 1e3:.1f} ms")
    return closed, simulated


@pytest.mark.parametrize("spec", TRAFFICS)
@pytest.mark.parametrize(
    ("name", "bound"), [("ttft_p50", 0.25), ("ttft_p95", 0.35), ("itl_p50", 0.15), ("itl_p95", 0.2)]
)
def test_closed_forms_agree_with_the_simulator(spec: object, name: str, bound: float) -> None:
    plan = plan_of(spec, Circumstances(seed=5, requests=4000))  # type: ignore[arg-type]
    closed, simulated = _pair(plan, name)
    assert closed == pytest.approx(simulated, rel=bound)


def test_more_load_never_helps() -> None:
    waits = []
    for rate in (5, 15, 25, 35):
        plan = plan_of(eks_spec(rate=rate, more="prefill: {replicas: 2}\ndecode: {replicas: 2}"))
        waits.append((plan.value("asked.ttft_p95"), plan.value("asked.itl_p95")))
    assert waits == sorted(waits, key=lambda pair: pair[0] or 0)
    assert [pair[1] for pair in waits] == sorted(pair[1] or 0 for pair in waits)


def test_a_load_that_cannot_be_carried_is_unknown_not_a_number() -> None:
    plan = plan_of(eks_spec(rate=400, more="prefill: {replicas: 1}\ndecode: {replicas: 1}"))
    assert plan.quantities["asked.ttft_p95"].value is None
    assert "grows for ever" in plan.quantities["asked.ttft_p95"].rule
    assert plan.quantities["asked.holds"].value is False

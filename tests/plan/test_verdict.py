"""Where the literature says that disaggregation does not pay, the verdict says so too; and where it does, yes.

Model and node follow the published cases; rates and targets are chosen so that some engines are needed.
"""

import pytest

from tandem.facts.accelerators import accelerator
from tandem.plan.build import Plan
from tandem.plan.efficiency import efficiency
from tandem.plan.engine import engine_speed
from tandem.plan.ratio import Offer
from tandem.plan.simulate.cluster import Link, Phase, Service, simulate
from tandem.plan.simulate.replica import Limits
from tandem.plan.simulate.workload import Lengths, draw_arrivals
from tests.plan.closed_loop import shape
from tests.plan.specs import eks_spec, plan_of


def answer(plan: Plan) -> str:
    assert plan.verdict is not None
    return plan.verdict.answer


def offers(plan: Plan) -> tuple[Offer, Offer]:
    assert plan.verdict is not None
    assert plan.verdict.split is not None
    assert plan.verdict.pool is not None
    return plan.verdict.split, plan.verdict.pool


@pytest.mark.parametrize("prompt", [256, 512, 1000])
def test_prompts_well_under_2000_tokens_do_not_pay(prompt: int) -> None:
    """Dynamo, Llama-3.1-8B on p5.48xlarge with EFA: nothing gained at 1000 tokens, 3 % at 2000."""
    assert answer(plan_of(eks_spec(prompt=prompt, output=50, itl=15, ttft=1000))) == "no"
    assert answer(plan_of(eks_spec(prompt=prompt))) == "no"


@pytest.mark.parametrize("prompt", [4000, 8000])
def test_long_prompts_pay(prompt: int) -> None:
    """The same source: 14 % at 4000 tokens, 22 % at 8000."""
    plan = plan_of(eks_spec(prompt=prompt, output=50, itl=15, ttft=1000))
    assert answer(plan) == "yes"
    split, pool = offers(plan)
    assert split.cost < pool.cost


def test_the_threshold_lies_where_the_literature_has_it() -> None:
    """No gain at 1000, a gain at 4000: Dynamo and the thresholds of other routers stand at about 2000."""
    plan = plan_of(eks_spec(prompt=8000, output=50, itl=15, ttft=1000))
    assert plan.verdict is not None
    assert plan.verdict.threshold is not None
    assert 1000 < plan.verdict.threshold <= 4096


def test_mixed_traffic_is_split_only_above_a_length() -> None:
    plan = plan_of(eks_spec(prompt="{p50: 700, p95: 6000}", output=50, itl=15, ttft=1000, rate=60))
    assert plan.verdict is not None
    assert plan.verdict.answer == "only above"
    assert plan.verdict.threshold is not None
    assert 1000 < plan.verdict.threshold <= 4096


@pytest.mark.parametrize("prompt", [1000, 4000, 8000])
def test_without_rdma_it_does_not_pay(prompt: int) -> None:
    """Over TCP NIXL moves 0.5 GB/s: https://github.com/vllm-project/vllm/issues/52607"""
    plan = plan_of(eks_spec(prompt=prompt, over="tcp"))
    assert answer(plan) == "no"


@pytest.mark.parametrize("prompt", [1000, 4000, 8000])
def test_tight_ttft_with_loose_itl_does_not_pay(prompt: int) -> None:
    """TaiChi, https://arxiv.org/abs/2508.01989: aggregation is better there."""
    assert answer(plan_of(eks_spec(prompt=prompt, ttft=300, itl=200))) == "no"


@pytest.mark.parametrize("prompt", [1000, 8000])
def test_pure_throughput_does_not_pay(prompt: int) -> None:
    """vLLM: «disaggregated prefill does not improve throughput»,
    https://docs.vllm.ai/en/latest/features/disagg_prefill.html"""
    plan = plan_of(eks_spec(prompt=prompt, goal="throughput"))
    assert answer(plan) == "no"
    assert plan.verdict is not None
    assert "tokens a dollar" in plan.verdict.reason


@pytest.mark.parametrize("model", ["Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen3-0.6B"])
def test_small_models_do_not_pay(model: str) -> None:
    """Splitting costs at least one engine more than a small model needs."""
    assert answer(plan_of(eks_spec(model=model, prompt=2000))) == "no"


def test_fewer_prefill_engines_raise_ttft_while_itl_falls() -> None:
    """llm-d, gpt-oss-120b on 16 H200, 5000/250: mean TTFT 532 → 1400 ms, ITL 25 → 8 ms. Four engines of four GPUs."""
    speed = engine_speed(shape("openai/gpt-oss-120b"), accelerator("h200"), efficiency("h200"), 4, 2)
    limits = Limits(kv_tokens=4_000_000, max_sequences=1024, batched_tokens=8192)
    requests = list(draw_arrivals(3000, 25.0, Lengths(5000, 5000), Lengths(250, 250), 16_384, 3))
    together = simulate(Service(Phase(4, speed, limits)), requests)
    link = Link(bytes_per_second=2e10, bytes_per_token=36_864, bytes_per_sequence=0.0, latency=0.005)
    apart = simulate(Service(Phase(2, speed, limits), Phase(2, speed, limits), link), requests)
    assert (apart.ttft_percentile(0.5) or 0) > 1.5 * (together.ttft_percentile(0.5) or 0)
    assert (apart.itl_percentile(0.99) or 0) < 0.3 * (together.itl_percentile(0.99) or 0)


def test_a_reason_is_one_sentence_with_its_numbers() -> None:
    for spec in (eks_spec(), eks_spec(prompt=8000, output=50, itl=15), eks_spec(over="tcp", prompt=8000)):
        plan = plan_of(spec)
        assert plan.verdict is not None
        assert any(character.isdigit() for character in plan.verdict.reason)
        assert ". " not in plan.verdict.reason


def test_targets_that_nothing_holds_are_told() -> None:
    plan = plan_of(eks_spec(itl=1))
    assert plan.verdict is not None
    assert plan.verdict.answer == "no"
    assert plan.verdict.reason.startswith("neither holds the targets")
    assert plan.quantities["decode.replicas"].value is None

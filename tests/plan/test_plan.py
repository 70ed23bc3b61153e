"""The whole plan: purity, reasons, money, and the answer for two g6.8xlarge."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from tandem.core.errors import InputError
from tandem.plan.build import Circumstances, Plan, make_plan
from tandem.plan.calibrate import TimedStep, fit_steps
from tandem.plan.quantity import explain
from tandem.plan.simulate.workload import Lengths, draw_arrivals
from tandem.report.plan_picture import pareto, plan_picture
from tandem.report.plan_text import explain_text, plan_json, plan_text
from tandem.spec.loader import load_spec, parse_spec
from tests.plan.closed_loop import shape
from tests.plan.specs import eks_spec, plan_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "eks-qwen3.5-9b.yaml"


def example(circumstances: Circumstances | None = None) -> Plan:
    return plan_of(load_spec(EXAMPLE), circumstances)


def test_qwen3_5_9b_on_two_g6_8xlarge_in_under_a_second() -> None:
    spec = load_spec(EXAMPLE)
    started = perf_counter()
    plan = plan_of(spec)
    took = perf_counter() - started
    print(f"\n{took * 1e3:.0f} ms")
    assert took < 1
    assert plan.quantities["decode.fit.fits"].value is True
    for path in (
        "decode.fit.kv_tokens",
        "decode.fit.max_sequences",
        "unloaded.ttft_p50",
        "unloaded.itl_p50",
        "asked.ttft_p95",
        "asked.itl_p95",
        "cost.known_per_hour",
        "cost.expected.per_million_input",
        "cost.expected.per_million_output",
        "cost.full.per_million_output",
    ):
        assert plan.value(path), path
    assert plan.verdict is not None


def test_the_same_arguments_give_the_same_bytes() -> None:
    first, second = (example(Circumstances(seed=3, requests=300)) for _ in range(2))
    assert plan_json(first) == plan_json(second)
    assert plan_text(first) == plan_text(second)
    assert plan_picture(first) == plan_picture(second)


def test_every_number_answers_explain() -> None:
    plan = example(Circumstances(seed=3, requests=300, prices={"ebs-gp3": 0.08}))
    for path, quantity in plan.quantities.items():
        assert quantity.rule, path
        assert all(name in plan.quantities for name in quantity.inputs), path
        assert explain(plan.quantities, path)[0][1] is quantity
        assert path in explain_text(plan, path)


def test_every_chain_ends_in_a_source_or_in_the_spec() -> None:
    plan = example()
    told = ("spec", "traffic", "replicas", "as told", "enforce_eager", "assum", "EFA where", "as measured")
    for path, quantity in plan.quantities.items():
        chain = [q for _, q in explain(plan.quantities, path)]
        leaves = [q for q in chain if not q.inputs]
        assert any(q.sources or any(word in q.rule for word in told) for q in (*leaves, quantity)), path


def test_every_number_in_the_text_is_a_quantity() -> None:
    plan = example()
    for line in plan_text(plan).splitlines():
        if line.startswith("  ") and not line.startswith("      "):
            assert line.split()[-1] in plan.quantities, line


def test_explain_names_what_is_near_and_what_lies_below() -> None:
    plan = example()
    with pytest.raises(InputError) as error:
        explain_text(plan, "decode.replica")
    assert "decode.replicas" in error.value.fix
    with pytest.raises(InputError) as error:
        explain_text(plan, "decode.fit")
    assert "decode.fit.kv_tokens" in error.value.fix


def test_a_missing_price_is_unknown_and_says_how_to_set_it() -> None:
    plan = plan_of(eks_spec(model="Qwen/Qwen3-8B", node="g6.8xlarge", region="sa-east-1", rate=0.5))
    node = plan.quantities["cost.nodes.g6.8xlarge"]
    assert node.value is None
    assert "--price g6.8xlarge=AMOUNT" in node.rule
    assert plan.quantities["cost.per_hour"].value is None
    assert "cost.expected.per_million_input" not in plan.quantities
    assert plan.verdict is not None


def test_cost_adds_up() -> None:
    spec = load_spec(EXAMPLE)
    plan = plan_of(spec, Circumstances(prices={"ebs-gp3": 0.08}))
    parts = 2 * 2.0144 + 0.2016 + 0.10 + 0.045 + 3 * 200 * 0.08 / 730
    traffic = plan.value("cost.traffic_out")
    assert traffic is not None
    assert plan.value("cost.per_hour") == pytest.approx(parts + traffic)
    rate, tokens = 0.3, plan.value("traffic.output_mean")
    assert tokens is not None
    per_hour = plan.value("cost.per_hour")
    assert per_hour is not None
    paid = plan.value("cost.expected.per_million_output")
    prompts = plan.value("cost.expected.per_million_input")
    mean = plan.value("traffic.input_mean")
    assert paid is not None
    assert prompts is not None
    assert mean is not None
    assert (paid * tokens + prompts * mean) * rate * 3600 / 1e6 == pytest.approx(per_hour)


def test_full_load_is_cheaper_a_token_than_expected_load() -> None:
    plan = example()
    assert (plan.value("cost.full.per_million_output") or 0) < (plan.value("cost.expected.per_million_output") or 0)


def test_break_even_against_an_api_in_another_currency() -> None:
    api = "managed_api: { input_per_million: 5.5, output_per_million: 22, currency: BRL, per_usd: 5.5 }"
    plan = plan_of(eks_spec(model="Qwen/Qwen3-8B", node="g6.8xlarge", prompt=1000, output=200, rate=0.5, more=api))
    known, rate = plan.value("cost.known_per_hour"), plan.value("cost.api.break_even")
    assert known is not None
    assert rate is not None
    assert rate * 3600 * (1000 * 5.5 + 200 * 22) / 1e6 == pytest.approx(known * 5.5)
    assert plan.quantities["cost.api.own_per_hour"].unit == "BRL/h"


def test_own_prices_of_the_spec_win() -> None:
    plan = plan_of(eks_spec(more="prices: { p5.48xlarge: 10 }"))
    assert plan.quantities["cost.nodes.p5.48xlarge"].sources == ("set by the user",)


def test_a_pool_spec_is_planned_as_a_pool() -> None:
    spec = parse_spec(
        "model: {source: Qwen/Qwen3-8B}\nengine: {max_model_len: 4096}\npool: {replicas: 2}\n"
        "target: {eks: {region: us-east-1}}\n"
    )
    plan = plan_of(spec)
    assert plan.chosen is not None
    assert not plan.chosen.split
    assert plan.value("cost.nodes.g6.8xlarge") == pytest.approx(2 * 2.0144)
    assert plan.value("pool.fit.kv_tokens")


def test_the_local_target_fits_without_a_measurement_and_says_that_speed_is_unknown() -> None:
    plan = plan_of(parse_spec("{}"))
    assert plan.verdict is None
    assert plan.quantities["decode.fit.fits"].value is True
    assert plan.value("decode.fit.kv_tokens") == 8192 * (2**30 // (23_040 * 128)) // 64
    assert any("--measured" in note for note in plan.notes)


def test_a_timed_machine_gets_a_speed() -> None:
    model = shape("embedded:smollm2-135m")
    steps = [
        TimedStep(64, 0, 0, 0.07),
        TimedStep(900, 0, 0, 1.0),
        TimedStep(0, 1, 100, 0.03),
        TimedStep(0, 4, 900, 0.04),
    ]
    speed = fit_steps(steps, model)
    plan = plan_of(parse_spec("{}"), Circumstances(measured=speed))
    assert plan.verdict is not None
    prompt, answer = plan.value("traffic.input_mean"), plan.value("traffic.output_mean")
    assert prompt is not None
    assert answer is not None
    assert plan.value("unloaded.itl_p50") == pytest.approx(speed.decode_step(1, prompt + answer / 2))


def test_a_trace_replaces_the_distributions() -> None:
    trace = tuple(draw_arrivals(2000, 0.2, Lengths(500, 500), Lengths(50, 50), 4096, 1))
    plan = example(Circumstances(trace=trace, seed=1))
    assert plan.value("traffic.input_p50") == 500
    assert plan.value("traffic.rate") == pytest.approx(0.2, rel=0.1)
    assert "2,000 requests" in plan.quantities["simulated.ttft_p50"].rule


def test_what_does_not_fit_has_no_speed_and_a_note() -> None:
    plan = plan_of(eks_spec(model="Qwen/Qwen3-32B", node="g6.8xlarge"))
    assert plan.verdict is None
    assert any("does not fit" in note for note in plan.notes)


@pytest.mark.parametrize(("changes", "message"), [
    ({"node": "m7i.xlarge"}, "has no GPU"),
    ({"node": "g6.8xlarge", "tensor_parallel": 4}, "has 1 GPUs, an engine needs 4"),
])  # fmt: skip
def test_nodes_that_cannot_run_the_engines_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        plan_of(eks_spec(**changes))  # type: ignore[arg-type]
    assert message in str(error.value.problems[0])


def test_an_existing_cluster_needs_its_node_type() -> None:
    spec = parse_spec("model: {source: Qwen/Qwen3-8B}\nengine: {max_model_len: 4096}\ntarget: {kubernetes: {}}\n")
    with pytest.raises(InputError, match="not in the spec"):
        plan_of(spec)
    plan = plan_of(spec, Circumstances(node="g6.8xlarge", region="us-east-1"))
    assert plan.verdict is not None


def test_fp8_while_loading_halves_the_linear_layers() -> None:
    spec = eks_spec(model="Qwen/Qwen3-8B", node="g6.8xlarge", rate=0.5)
    wide = plan_of(spec).value("decode.fit.weights")
    narrow = plan_of(spec.model_copy(update={"engine": {**spec.engine, "quantization": "fp8"}})).value(
        "decode.fit.weights"
    )
    model = shape("Qwen/Qwen3-8B")
    assert wide is not None
    assert narrow is not None
    assert wide - narrow == pytest.approx(model.mixers + model.dense, rel=1e-6)


def test_exact_weight_bytes_win_over_counts() -> None:
    model = shape("Qwen/Qwen3-8B").with_exact_bytes(16_381_470_720)
    plan = make_plan(eks_spec(model="Qwen/Qwen3-8B", node="g6.8xlarge", rate=0.5), model)
    assert plan.value("decode.fit.weights") == 16_381_470_720
    assert "safetensors" in plan.quantities["decode.fit.weights"].rule


def test_the_picture_has_every_carried_offer_the_front_and_the_chosen_point() -> None:
    plan = plan_of(eks_spec(rate=10, more="prefill: {replicas: 1}\ndecode: {replicas: 2}"))
    svg = plan_picture(plan)
    carried = [o for o in plan.offers if max(o.prediction.prefill_busy, o.prediction.decode_busy) < 1]
    assert svg.count("<circle") == 2 * len(carried) + 2 + 3
    assert svg.count("<polyline") == 2
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")


def test_the_pareto_front_is_not_beaten() -> None:
    plan = plan_of(eks_spec(rate=10))
    points = [(offer, offer.prediction.ttft_p95) for offer in plan.offers]
    front = pareto(points)
    for offer, value in front:
        assert not any(o.cost <= offer.cost and v < value for o, v in points)
    costs = [offer.cost for offer, _ in front]
    assert costs == sorted(costs)


def test_expected_load_of_a_busier_service_costs_less_a_token() -> None:
    quiet, busy = eks_spec(rate=1), eks_spec(rate=20)
    assert replace(plan_of(quiet)).value("cost.expected.per_million_output") > plan_of(busy).value(  # type: ignore[operator]
        "cost.expected.per_million_output"
    )

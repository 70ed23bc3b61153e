"""Every kind of problem in a spec: where it stands, what was found, what is allowed, what to do."""

from pathlib import Path

import pytest

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.spec.loader import load_spec, parse_spec

_ENGINE_ARGS = ("max_model_len", "dtype", "gpu_memory_utilization")


def _problems(text: str) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        parse_spec(text, "spec.yaml", _ENGINE_ARGS)
    return list(caught.value.problems)


def _only(text: str) -> Problem:
    [problem] = _problems(text)
    return problem


def test_an_empty_file_is_the_default_spec() -> None:
    assert parse_spec("").model.id == "smollm2-135m"
    assert parse_spec("# a comment\n") == parse_spec("{}")


def test_a_typo_is_told_with_its_line_what_is_allowed_and_the_nearest() -> None:
    assert _only("model:\n  # which one\n  sorce: folder\n") == Problem(
        path="model.sorce",
        file="spec.yaml",
        line=3,
        found="unknown key 'sorce'",
        allowed="id, source, tokenizer",
        fix="Did you mean 'source'?",
    )


def test_a_key_that_is_like_no_other_is_to_be_removed() -> None:
    problem = _only("slo: {}\nwhatever: 1\n")
    assert (problem.path, problem.line, problem.fix) == ("whatever", 2, "Remove it.")
    assert (
        problem.allowed
        == "decode, engine, managed_api, model, pool, prefill, prices, routing, slo, target, traffic, transfer"
    )


@pytest.mark.parametrize(
    "path", ["prefill.replicas.mix", "decode.replicas.mix", "target.local.prt", "target.eks.regon"]
)
def test_a_typo_deep_inside_knows_the_keys_of_its_place(path: str) -> None:
    *parents, key = path.split(".")
    text = (
        "".join("  " * depth + f"{name}:\n" for depth, name in enumerate(parents)) + "  " * len(parents) + f"{key}: 1"
    )
    problem = next(p for p in _problems(text) if p.path == path)
    assert problem.line == len(parents) + 1
    assert problem.fix in (
        "Did you mean 'min'?",
        "Did you mean 'max'?",
        "Did you mean 'port'?",
        "Did you mean 'region'?",
    )


@pytest.mark.parametrize(
    ("text", "path", "found", "allowed"),
    [
        ("transfer: {backend: nixl}", "transfer.backend", "'nixl': ", "'ucx' or 'libfabric'"),
        ("transfer: {over: ib}", "transfer.over", "'ib': ", "'efa', 'rdma', 'tcp' or 'shm'"),
        ("target: {local: {port: 70000}}", "target.local.port", "70000: ", "≤ 65535"),
        ("target: {local: {port: 0}}", "target.local.port", "0: ", "≥ 1"),
        ("slo: {ttft_ms: 0}", "slo.ttft_ms", "0: ", "> 0"),
        ("routing: {prefill_timeout_seconds: -1}", "routing.prefill_timeout_seconds", "-1: ", "> 0.0"),
        ("routing: {remote_min_tokens: -1}", "routing.remote_min_tokens", "-1: ", "≥ 0"),
    ],
)
def test_a_value_out_of_bounds_is_told_with_the_bounds(text: str, path: str, found: str, allowed: str) -> None:
    problem = _only(text)
    assert (problem.path, problem.allowed, problem.line) == (path, allowed, 1)
    assert problem.found.startswith(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prefill: 3", "prefill: 3: not a mapping"),
        ("prefill: false", "prefill: False: not a mapping"),
        ("engine: 5", "engine: 5: not a mapping"),
        ("prefill: {replicas: 0}", "prefill.replicas: 0: write a number from 1 on, or {min, max}"),
        ("prefill: {replicas: two}", "prefill.replicas: 'two': write a number from 1 on, or {min, max}"),
        ("prefill: {replicas: yes}", "prefill.replicas: 'yes': write a number from 1 on, or {min, max}"),
        ("prefill: {replicas: true}", "prefill.replicas: True: write a number from 1 on, or {min, max}"),
        ("decode: {replicas: {min: 3, max: 2}}", "decode.replicas: max (2) is below min (3)"),
        ("slo: {itl_ms: fast}", "slo.itl_ms: 'fast': Input should be a valid integer"),
        ("target: {local: {kv_cache: 5XB}}", "target.local.kv_cache: '5XB': "),
        ("target: {local: {cores: [[0], [x]]}}", "target.local.cores.1.0: 'x': "),
        ("target: {eks: {}}", "target.eks.region: Field required"),
        ("target: {local: {}, eks: {region: r}}", "target: one target, not 2: keep one of local, eks"),
        ("model: {source: ''}", "model.source: '': "),
    ],
)
def test_a_wrong_value_is_told_as_it_was_written(text: str, told: str) -> None:
    assert str(_only(text)).startswith(f"spec.yaml:1: {told}")


def test_pool_beside_a_phase_is_told_at_the_pool() -> None:
    problem = _only("prefill: {}\n\npool: {}\n")
    assert (problem.path, problem.line) == ("pool", 3)
    assert "remove one of the two" in problem.found


@pytest.mark.parametrize("place", ["engine", "prefill.engine", "decode.engine"])
def test_an_unknown_engine_argument_is_told_where_it_stands(place: str) -> None:
    opened = place.replace(".", ": {") + ": {"
    problem = _only("slo: {}\n" + opened + "max_model_length: 10}" + "}" * place.count("."))
    assert (problem.path, problem.line) == (f"{place}.max_model_length", 2)
    assert (problem.allowed, problem.fix) == (
        "dtype, gpu_memory_utilization, max_model_len",
        "Did you mean 'max_model_len'?",
    )


def test_an_unknown_engine_argument_of_a_pool_is_told() -> None:
    assert _only("pool: {engine: {dtipe: float32}}").path == "pool.engine.dtipe"


def test_many_engine_arguments_are_not_listed() -> None:
    with pytest.raises(InputError) as caught:
        parse_spec("engine: {dtyp: x}", "spec.yaml", [f"a{n}" for n in range(40)])
    assert caught.value.problems[0].allowed == "vLLM's engine arguments"


def test_without_a_table_any_engine_argument_is_taken() -> None:
    assert parse_spec("engine: {whatever: 1}").engine == {"whatever": 1}


def test_all_problems_of_a_file_come_at_once_in_the_order_of_their_lines() -> None:
    text = "engine: {dtyp: x}\nslo:\n  ttft_ms: 0\n  itl: 5\nmodel: 7\ntransfer: {backend: tcp}\n"
    problems = _problems(text)
    assert [(p.line, p.path) for p in problems] == [
        (1, "engine.dtyp"),
        (3, "slo.ttft_ms"),
        (4, "slo.itl"),
        (5, "model"),
        (6, "transfer.backend"),
    ]


@pytest.mark.parametrize(("text", "count"), [("a: 1", "1 problem"), ("a: 1\nb: 2", "2 problems")])
def test_the_message_counts_them(text: str, count: str) -> None:
    with pytest.raises(InputError, match=rf"^spec\.yaml has {count}$"):
        parse_spec(text, "spec.yaml")


def test_a_long_value_is_cut() -> None:
    assert len(_only("slo: {ttft_ms: " + "x" * 500 + "}").found) < 160


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text("model: {source: Größe/Modell}\n", encoding="utf-8")
    assert load_spec(file).model.id == "modell"


@pytest.mark.parametrize("make", ["nothing", "a folder", "bytes"])
def test_what_cannot_be_read_is_told(tmp_path: Path, make: str) -> None:
    file = tmp_path / "spec.yaml"
    if make == "a folder":
        file.mkdir()
    if make == "bytes":
        file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"cannot read .*spec\.yaml") as caught:
        load_spec(file)
    assert caught.value.fix == "Name an existing YAML file."

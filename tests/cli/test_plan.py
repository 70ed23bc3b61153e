"""`tandem plan` through its flags."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tandem.cli.plan import plan_command
from tandem.core.errors import InputError

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "eks-qwen3.5-9b.yaml"
CONFIG = {"hidden_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 2,
          "intermediate_size": 4096, "vocab_size": 32_000, "max_position_embeddings": 8192}  # fmt: skip


def run(*args: object) -> Result:
    return CliRunner().invoke(plan_command, [str(arg) for arg in args])


def test_text() -> None:
    result = run(EXAMPLE)
    assert result.exit_code == 0, result.output
    for words in ("fits", "tokens in the KV cache", "sequences of max_model_len", "Disaggregate: ", "USD"):
        assert words in result.output


def test_json() -> None:
    document = json.loads(run(EXAMPLE, "--json").output)
    assert document["schema"] == "tandem.plan/1"
    assert document["quantities"]["decode.replicas"]["sources"] == []
    assert document["verdict"]["disaggregate"] in ("yes", "no", "only above")


def test_explain() -> None:
    output = run(EXAMPLE, "--explain", "decode.replicas").output
    assert output.startswith("decode.replicas = ")
    assert "source: https://" in output


def test_explain_all_lists_every_path() -> None:
    assert "transfer.bytes_per_token" in run(EXAMPLE, "--explain", "all").output


def test_prices_and_region() -> None:
    output = run(EXAMPLE, "--price", "ebs-gp3=0.08", "--price", "g6.8xlarge=1", "--json").output
    quantities = json.loads(output)["quantities"]
    assert quantities["cost.nodes.g6.8xlarge"]["value"] == 2
    assert quantities["cost.per_hour"]["value"] is not None


def test_simulate_with_a_trace(tmp_path: Path) -> None:
    trace = tmp_path / "azure.csv"
    rows = "".join(f"2023-11-16 18:{i // 6:02}:{i % 6 * 10:02}.0000000,500,60\n" for i in range(200))
    trace.write_text("TIMESTAMP,ContextTokens,GeneratedTokens\n" + rows)
    output = run(EXAMPLE, "--trace", trace, "--simulate", "--json").output
    assert "200 requests simulated" in json.loads(output)["quantities"]["simulated.ttft_p95"]["rule"]


def test_picture(tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    assert run(EXAMPLE, "--picture", picture).exit_code == 0
    assert picture.read_text().startswith("<svg")


def test_against_a_log(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    log.write_text("INFO GPU KV cache size: 25,000 tokens, Maximum concurrency for 4,096 tokens per request: 6.10x\n")
    output = run(EXAMPLE, "--against", f"decode={log}").output
    assert "planned" in output
    assert "logged  25,000 tokens" in output
    assert "error " in output


def test_a_model_by_its_config(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG))
    spec = tmp_path / "tandem.yaml"
    spec.write_text("model: {source: example/unknown}\ntarget: {eks: {region: us-east-1}}\n")
    assert run(spec, "--config", config).exit_code == 0
    assert isinstance(run(spec).exception, InputError)


def test_a_local_folder_with_its_index(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 12_345_678}}))
    spec = tmp_path / "tandem.yaml"
    spec.write_text(f"model: {{source: {folder}}}\ntarget: {{eks: {{region: us-east-1}}}}\n")
    quantities = json.loads(run(spec, "--json").output)["quantities"]
    assert quantities["decode.fit.weights"]["value"] == 12_345_678


@pytest.mark.parametrize(("args", "message"), [
    (("--price", "g6.8xlarge"), "not ITEM=USD"),
    (("--price", "g6.8xlarge=-1"), "not ITEM=USD"),
    (("--against", "pool=x.log"), "not PHASE=LOG"),
    (("--against", "decode=/nowhere.log"), "cannot read"),
    (("--measured", "/nowhere.json"), "cannot read"),
    (("--explain", "nothing.here"), "no number"),
])  # fmt: skip
def test_bad_flags_are_input_errors(args: tuple[str, str], message: str) -> None:
    error = run(EXAMPLE, *args).exception
    assert isinstance(error, InputError)
    assert message in str(error)

"""check against the pinned Ray and vLLM: their own validators are asked in a subprocess, neither is started."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tandem.check.fix import fix_text
from tandem.check.run import check_text
from tandem.check.subject import Surroundings
from tandem.spec.source import parse_documents, plain
from tests.unit.check.article import articles, node_of, yaml_of
from tests.unit.check.examples import dumped, serve
from tests.unit.check.mutations import mutations
from tests.unit.check.test_fix import COMMENTED

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
REFUSALS = Path(__file__).parent / "refusals.py"
MUTATIONS = 500
LEAST_SHARE_FOUND = 0.95

TINY_LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "vocab_size": 512,
    "max_position_embeddings": 8192,
    "dtype": "bfloat16",
}

Ask = Callable[[list[Any]], list[str | None]]


@pytest.fixture(scope="module")
def serving_python() -> Path:
    """Python of the serving environment: TANDEM_SERVING_PYTHON, else the one in Tandem's cache."""
    if named := os.environ.get("TANDEM_SERVING_PYTHON"):
        return Path(named)
    cache = Path(os.environ.get("TANDEM_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "tandem")
    found = sorted(cache.expanduser().glob("serving/*/bin/python"))
    if not found:
        pytest.skip(f"no serving environment in {cache}: run `tandem setup`, or set TANDEM_SERVING_PYTHON")
    return found[-1]


@pytest.fixture(scope="module")
def ask(serving_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Asks the real validators of a list of Serve configs: None for accepted, else why not."""
    folder = tmp_path_factory.mktemp("tiny-llama")
    (folder / "config.json").write_text(json.dumps(TINY_LLAMA))

    def refusals(configs: list[Any]) -> list[str | None]:
        request = json.dumps({"model": str(folder), "configs": configs})
        answers: list[str | None] = json.loads(_run(serving_python, REFUSALS, stdin=request).splitlines()[-1])
        return answers

    return refusals


def test_the_tables_are_those_of_the_pinned_releases(serving_python: Path, tmp_path: Path) -> None:
    for name in ("engine_args", "serve_fields"):
        made = tmp_path / f"{name}.json"
        _run(serving_python, ROOT / "scripts" / f"{name}.py", str(made))
        committed = ROOT / "src" / "tandem" / "facts" / f"{name}.json"
        assert json.loads(made.read_text()) == json.loads(committed.read_text()), f"run scripts/{name}.py"


def test_the_published_example_is_refused_and_its_fix_loads(ask: Ask) -> None:
    published = [(text, node_of(path)) for path in articles() if (text := yaml_of(path))]
    assert published
    for text, node in published:
        fixed, _ = fix_text(text, "article.yaml", Surroundings(node=node))
        before, after = ask([_data(text), _data(fixed)])
        assert before is not None and "Extra inputs are not permitted" in before
        assert after is None


def test_other_fixes_load(ask: Ask) -> None:
    faults = (
        "PT|kv_role: null",
        "P|max_num_seqs: 8",
        "DX|backends: null\nDT|backends: [LIBFABRIC]",
        "P|engine_kwargs.kv_transfer_config: null",
        "PE|distributed_executor_backend: mp",
        "P|experimental_configs: {num_router_replicas: 2}",
        "A|host: 127.0.0.1",
        "PE|max_modle_len: 4096\nPE|max_model_len: null",
    )
    texts = [COMMENTED, *(serve(fault) for fault in faults)]
    before = ask([_data(text) for text in texts])
    after = ask([_data(fix_text(text)[0]) for text in texts])
    assert all(before), [text for text, answer in zip(texts, before, strict=True) if answer is None]
    assert after == [None] * len(texts)


def test_what_ray_or_vllm_refuse_is_found(ask: Ask) -> None:
    base = _data(serve())
    made = mutations(base, MUTATIONS, seed=20261130)
    healthy, *answers = ask([base, *(mutation.data for mutation in made)])
    assert healthy is None
    refused = [(mutation, answer) for mutation, answer in zip(made, answers, strict=True) if answer]
    missed = [(mutation.told, answer) for mutation, answer in refused if not check_text(dumped(mutation.data)).findings]
    share = 1 - len(missed) / len(refused)
    print(f"{len(refused)} of {MUTATIONS} mutations are refused, {share:.1%} of them found; missed: {missed}")
    assert len(refused) > MUTATIONS / 2
    assert share >= LEAST_SHARE_FOUND, missed


def _data(text: str) -> Any:
    return plain(parse_documents(text, "x")[0])


def _run(python: Path, script: Path, *args: str, stdin: str = "") -> str:
    env = {**os.environ, "RAY_ENABLE_AUTO_CONNECT": "0", "VLLM_LOGGING_LEVEL": "ERROR", "HF_HUB_OFFLINE": "1"}
    command = [str(python), str(script), *args]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=env, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout

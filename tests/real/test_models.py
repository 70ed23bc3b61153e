"""The converted model answers as the original does, and the tiny one is fit for comparing tokens."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tandem.apply.local.embedded import verify

pytestmark = pytest.mark.real

GREEDY = Path(__file__).with_name("greedy.py")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_embedded_model_knows_the_capital_of_france(python: Path, embedded_folder: Path, dtype: str) -> None:
    [answer] = _greedy(python, embedded_folder, dtype, 16, "What is the capital of France?")
    assert answer["text"] == "The capital of France is Paris."


def test_the_embedded_tokenizer_splits_digits_and_the_spaces_before_them(python: Path, embedded_folder: Path) -> None:
    """As the tokenizer that the model was trained with; by the GPT-2 rule the last space would go with the 1."""
    script = "import sys, tokenizers; print(tokenizers.Tokenizer.from_file(sys.argv[1]).encode('a   12').tokens)"
    command = [str(python), "-c", script, str(embedded_folder / "tokenizer.json")]
    shown = subprocess.run(command, check=True, capture_output=True, text=True)
    assert shown.stdout.strip() == "['a', 'ĠĠĠ', '1', '2']"


def test_the_converted_files_have_the_recorded_hashes(embedded_folder: Path) -> None:
    verify(embedded_folder, rehash=True)
    recorded = json.loads((embedded_folder / "tandem-model.json").read_text())["files"]
    there = {file.name for file in embedded_folder.iterdir()} - {"tandem-model.json"}
    assert set(recorded) == there
    assert {"config.json", "generation_config.json", "model.safetensors", "chat_template.jinja"} <= there
    assert json.loads((embedded_folder / "generation_config.json").read_text())["eos_token_id"] == 2


def test_the_tiny_model_answers_each_prompt_with_its_own_varied_tokens(python: Path, tiny_folder: Path) -> None:
    prompts = ["Hello", "What is the capital of France?", "Count to ten.", "Tell me about the sea. " * 20]
    answers = [answer["tokens"] for answer in _greedy(python, tiny_folder, "float32", 24, *prompts)]
    assert len({tuple(tokens) for tokens in answers}) == len(prompts)
    assert all(len(tokens) == 24 and len(set(tokens)) >= 12 for tokens in answers), answers


def _greedy(python: Path, folder: Path, dtype: str, limit: int, *prompts: str) -> list[dict[str, Any]]:
    command = [str(python), str(GREEDY), str(folder), dtype, str(limit), *prompts]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers

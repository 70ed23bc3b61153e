"""Makes a tiny Llama with random weights, for tests of everything but the model's answers. Serving environment only.

    python tests/real/tiny_model.py EMBEDDED_FOLDER OUT_FOLDER

Two layers, the tokenizer of the embedded model, float32, one seed: the same bytes each time. The weights are ten
times larger than usual, so that the logits of one token differ clearly from those of the next: with the usual 0.02
greedy decoding repeats one token whatever the prompt, and a test of equal tokens could not fail.
"""

import shutil
import sys
from pathlib import Path

import torch
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

SEED = 20260101
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja")


def write_tiny_model(embedded: Path, out: Path) -> None:
    """Writes the Hugging Face folder `out`; it is made when missing."""
    tokenizer = AutoTokenizer.from_pretrained(embedded)
    config = LlamaConfig(
        dtype=torch.float32,
        num_hidden_layers=2,
        hidden_size=128,
        intermediate_size=256,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,  # the smallest that vLLM's CPU attention has a kernel for
        vocab_size=len(tokenizer),
        max_position_embeddings=4096,
        initializer_range=0.2,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=False,
    )
    torch.manual_seed(SEED)
    LlamaForCausalLM(config).to(torch.float32).save_pretrained(out)
    for name in TOKENIZER_FILES:
        shutil.copyfile(embedded / name, out / name)


if __name__ == "__main__":
    write_tiny_model(Path(sys.argv[1]), Path(sys.argv[2]))

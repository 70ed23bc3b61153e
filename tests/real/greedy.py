"""Greedy answers of transformers on the CPU, the reference for what an engine must answer. Serving environment only.

    python tests/real/greedy.py MODEL_FOLDER DTYPE MAX_TOKENS PROMPT...

Each prompt is one user message through the chat template. Prints JSON: [{"tokens": [...], "text": "..."}, ...].
"""

import json
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def greedy_answers(folder: Path, dtype: torch.dtype, max_tokens: int, prompts: list[str]) -> list[dict[str, object]]:
    """One answer a prompt, each computed alone."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    answers: list[dict[str, object]] = []
    for prompt in prompts:
        chat = [{"role": "user", "content": prompt}]
        inputs = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_tensors="pt", return_dict=True)
        output = model.generate(**inputs, max_new_tokens=max_tokens, do_sample=False)
        tokens = output[0][inputs["input_ids"].shape[1] :].tolist()
        answers.append({"tokens": tokens, "text": tokenizer.decode(tokens, skip_special_tokens=True)})
    return answers


if __name__ == "__main__":
    model_folder, dtype_name, limit, *texts = sys.argv[1:]
    print(json.dumps(greedy_answers(Path(model_folder), getattr(torch, dtype_name), int(limit), texts)))

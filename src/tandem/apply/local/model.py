"""The model folder that the engines load: found, and fit for what the spec asks."""

import json
from pathlib import Path
from typing import Any

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.spec.models import Spec

_STATEFUL_LAYERS = {"linear_attention", "mamba", "mamba2", "hybrid", "recurrent", "conv"}
# Mamba, Jamba and their kin; Nemotron-H; Kimi Linear; Qwen3-Next, whose other layers follow from the interval.
_STATEFUL_KEYS = (
    "mamba_d_state",
    "state_size",
    "ssm_cfg",
    "hybrid_override_pattern",
    "linear_attn_config",
    "full_attention_interval",
)


def check_model_folder(folder: Path, spec: Spec) -> dict[str, Any]:
    """The model's config.json.

    Raises:
        InputError: no folder, no config.json, no weights, or a model that cannot be disaggregated on this target.
    """
    config = _read_config(folder)
    if not any(folder.glob("*.safetensors")) and not any(folder.glob("*.bin")):
        raise _problem(f"{folder} holds no weights (*.safetensors)", "Copy the whole model folder.")
    if spec.disaggregated and (reason := hybrid_reason(config)):
        raise _problem(
            f"{reason}: NIXL cannot move its state between CPU engines",
            "Serve it without disaggregation: replace prefill and decode by `pool: {replicas: 1}`.",
        )
    return config


def weight_bytes(folder: Path) -> int:
    """Size of the weights on disk, which is about what an engine holds of them in memory."""
    files = list(folder.glob("*.safetensors")) or list(folder.glob("*.bin"))
    return sum(file.stat().st_size for file in files)


def hybrid_reason(config: dict[str, Any]) -> str | None:
    """Why this model has state beside full attention's KV cache, or None when it has none.

    The keys are Hugging Face's: `layer_types` lists linear attention, SSM and convolution layers; configs without it
    have keys of their own (https://github.com/huggingface/transformers/tree/main/src/transformers/models).
    """
    text = config.get("text_config") or config
    kinds = set(text.get("layer_types") or text.get("layers_block_type") or [])
    stateful = sorted(kinds & _STATEFUL_LAYERS)
    if stateful:
        return f"{config.get('model_type')} is a hybrid model ({', '.join(stateful)} layers)"
    key = next((key for key in _STATEFUL_KEYS if text.get(key)), None)
    return f"{config.get('model_type')} has layers with a state of their own ({key})" if key else None


def _read_config(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    if not folder.is_dir():
        raise _problem(f"{folder} is not a folder", "Name a local model folder, or embedded:smollm2-135m.")
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise _problem(f"{folder} has no config.json", "Name a folder in Hugging Face's format.") from error
    except ValueError as error:
        raise _problem(f"{file} is not JSON: {error}", "Copy the file again.") from error
    if not isinstance(config, dict):
        raise _problem(f"{file} is not a JSON object", "Copy the file again.")
    return config


def _problem(found: str, fix: str) -> InputError:
    return InputError("the model cannot be served", problems=[Problem(path="model.source", found=found, fix=fix)])

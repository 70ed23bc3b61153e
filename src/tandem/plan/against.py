"""What a running engine logged, held against what the plan said."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tandem.core.units import GIB
from tandem.plan.quantity import Quantity

_KV_TOKENS = re.compile(r"(?:GPU|CPU) KV cache size: ([\d,]+) tokens")
_CONCURRENCY = re.compile(r"Maximum concurrency for ([\d,]+) tokens per request: ([\d.]+)x")
_AVAILABLE = re.compile(r"Available KV cache memory: ([\d.]+) GiB")
_CPU_CACHE = re.compile(r"(?:Explicitly|Auto) set \(([\d.]+)/[\d.]+\) GiB for KV cache")
_LOADED = re.compile(r"Model loading took ([\d.]+) (?:GiB|GB)(?: memory)? and ([\d.]+) seconds")
_WEIGHTS = re.compile(r"Loading weights took ([\d.]+) seconds")
_BLOCK = re.compile(r"Setting attention block size to (\d+) tokens")


@dataclass(frozen=True)
class EngineLog:
    """Numbers in the log of one vLLM engine; None where the log does not say."""

    kv_tokens: int | None = None
    max_model_len: int | None = None
    concurrency: float | None = None
    kv_bytes: float | None = None
    weight_bytes: float | None = None
    load_seconds: float | None = None
    block_tokens: int | None = None


@dataclass(frozen=True)
class Comparison:
    """One number, planned and logged."""

    path: str
    unit: str
    planned: float
    logged: float

    @property
    def error(self) -> float:
        """(planned - logged) / logged."""
        return (self.planned - self.logged) / self.logged


def parse_engine_log(text: str) -> EngineLog:
    """Reads vLLM's own lines; of each, the last one counts, as an engine may have started more than once."""
    concurrency = _last(_CONCURRENCY, text)
    loaded = _last(_LOADED, text)
    kv = _last(_AVAILABLE, text) or _last(_CPU_CACHE, text)
    seconds = loaded[1] if loaded else (_last(_WEIGHTS, text) or ("",))[0]
    tokens = _last(_KV_TOKENS, text)
    block = _last(_BLOCK, text)
    return EngineLog(
        kv_tokens=_int(tokens[0]) if tokens else None,
        max_model_len=_int(concurrency[0]) if concurrency else None,
        concurrency=float(concurrency[1]) if concurrency else None,
        kv_bytes=float(kv[0]) * GIB if kv else None,
        weight_bytes=float(loaded[0]) * GIB if loaded else None,
        load_seconds=float(seconds) if seconds else None,
        block_tokens=int(block[0]) if block else None,
    )


def compare(quantities: Mapping[str, Quantity], phase: str, log: EngineLog) -> list[Comparison]:
    """The plan's numbers of `phase` beside the logged ones; what either side lacks is left out."""
    logged = {
        f"{phase}.fit.kv_tokens": log.kv_tokens,
        f"{phase}.fit.kv_bytes": log.kv_bytes,
        f"{phase}.fit.weights_per_gpu": log.weight_bytes,
        f"{phase}.fit.weights": None if f"{phase}.fit.weights_per_gpu" in quantities else log.weight_bytes,
        f"{phase}.start.load_seconds": log.load_seconds,
    }
    found: list[Comparison] = []
    for path, value in logged.items():
        planned = quantities[path].value if path in quantities else None
        if value and isinstance(planned, int | float):
            found.append(Comparison(path, quantities[path].unit, float(planned), float(value)))
    return found


def _last(pattern: re.Pattern[str], text: str) -> tuple[str, ...] | None:
    found = None
    for match in pattern.finditer(text):
        found = match
    return found.groups() if found else None


def _int(text: str) -> int:
    return int(text.replace(",", ""))

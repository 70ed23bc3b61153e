"""Facts of this machine that decide how engines run on it."""

from pathlib import Path

# https://www.kernel.org/doc/html/latest/arch/x86/cpuinfo.html names them; Arm lists `bf16`.
_NATIVE_BFLOAT16 = {"avx512_bf16", "amx_bf16", "bf16"}


def native_dtype(cpu_flags: set[str]) -> str:
    """The dtype that this CPU multiplies natively.

    Without bfloat16 instructions oneDNN has no kernel for it and vLLM falls back to one that reads a prompt several
    times slower than float32 does (measured: 4 times, docs/limits.md).
    """
    return "bfloat16" if cpu_flags & _NATIVE_BFLOAT16 else "float32"


def cpu_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> set[str]:
    """The instruction set flags of the first core; empty where the file does not exist."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    flags = (line.partition(":")[2] for line in lines if line.startswith(("flags", "Features")))
    return set(next(flags, "").split())

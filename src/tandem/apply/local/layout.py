"""Which cores each engine gets, and whether the memory is enough. Pure."""

from collections.abc import Sequence

from tandem.core.errors import InputError
from tandem.core.problem import Problem
from tandem.core.units import GIB, MIB, format_bytes
from tandem.spec.models import Spec

# Resident memory measured on the pinned stack (docs/limits.md): Ray, Serve and the ingress together, and one engine
# with its replica, without weights and KV cache.
SERVICE_BYTES = 1200 * MIB
ENGINE_BYTES = 1500 * MIB


def spread_cores(spec: Spec, cores: Sequence[int]) -> dict[str, list[str]]:
    """Per phase, one core list a replica in vLLM's notation (`0,2`), prefill engines first.

    With fewer cores than engines, engines share cores in turn.

    Raises:
        InputError: `target.local.cores` names no core list for some engine.
    """
    names = [phase for phase, p in spec.phases().items() for _ in range(p.replicas.max)]
    assert spec.target.local is not None
    shares = spec.target.local.cores or _even_shares(cores, len(names))
    if len(shares) < len(names):
        problem = Problem(
            path="target.local.cores",
            found=f"{len(shares)} core lists for {len(names)} engines",
            fix="Give one list per engine, prefill engines first, or leave it out.",
        )
        raise InputError("the cores do not fit the engines", problems=[problem])
    spread: dict[str, list[str]] = {phase: [] for phase in spec.phases()}
    for name, share in zip(names, shares, strict=False):
        spread[name].append(",".join(str(core) for core in share))
    return spread


def check_memory(spec: Spec, weights: int, available: int) -> None:
    """Refuses what this machine cannot hold; all sizes in bytes.

    Raises:
        InputError: it names what is needed, what there is, and the KV cache that would fit.
    """
    assert spec.target.local is not None
    engines = sum(p.replicas.max for p in spec.phases().values())
    fixed = SERVICE_BYTES + engines * (ENGINE_BYTES + weights)
    needed = fixed + engines * spec.target.local.kv_cache_gib * GIB
    if needed <= available:
        return
    fitting = (available - fixed) // engines
    fix = f"Set kv_cache to {fitting // GIB}GiB or less." if fitting >= GIB else "Use fewer engines or a smaller model."
    problem = Problem(
        path="target.local.kv_cache",
        found=f"{engines} engines need about {format_bytes(needed)}, {format_bytes(available)} is available",
        fix=fix,
    )
    raise InputError("too little memory on this machine", problems=[problem])


def _even_shares(cores: Sequence[int], engines: int) -> list[list[int]]:
    if len(cores) < engines:
        return [[cores[index % len(cores)]] for index in range(engines)]
    share, rest = divmod(len(cores), engines)
    # Engines at the end get the rest: decode steps run all the time, prefill only now and then.
    sizes = [share + (index >= engines - rest) for index in range(engines)]
    starts = [sum(sizes[:index]) for index in range(engines)]
    return [list(cores[start : start + size]) for start, size in zip(starts, sizes, strict=True)]

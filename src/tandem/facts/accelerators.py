"""What one accelerator can do at best: memory bandwidth and dense arithmetic."""

from dataclasses import dataclass
from functools import cache

from tandem.core.errors import InputError
from tandem.core.nearest import nearest
from tandem.facts.table import read_table


@dataclass(frozen=True)
class Accelerator:
    """Peaks of one GPU. Rates in units a second: FLOP (dense, fp32 accumulation), bytes."""

    name: str
    label: str
    bf16_flops: float
    fp8_flops: float
    """0 when the hardware has no fp8: fp8 weights are then widened and run at the bf16 rate."""
    bandwidth: float
    link: float
    """To the other GPUs of the node, one direction."""
    source: str

    def flops(self, bits: int) -> float:
        """Peak for weights of `bits` bits; 4-bit weights are widened to bf16 before the product."""
        return self.fp8_flops if bits == 8 and self.fp8_flops else self.bf16_flops


def accelerator(name: str) -> Accelerator:
    """The accelerator of that name, such as `l4` or `h100`.

    Raises:
        InputError: there is no such row.
    """
    table = accelerators()
    if name not in table:
        close = nearest(name, table)
        hint = f"Did you mean {close!r}?" if close else f"Known: {', '.join(table)}."
        raise InputError(f"unknown accelerator {name!r}", fix=hint)
    return table[name]


@cache
def accelerators() -> dict[str, Accelerator]:
    """All rows, in the order of the table."""
    rows = read_table("accelerators")["accelerators"]
    return {name: _row(name, row) for name, row in rows.items()}


def _row(name: str, row: dict[str, object]) -> Accelerator:
    return Accelerator(
        name=name,
        label=str(row["label"]),
        bf16_flops=_number(row["bf16_tflops"]) * 1e12,
        fp8_flops=_number(row["fp8_tflops"]) * 1e12,
        bandwidth=_number(row["bandwidth_gb_per_second"]) * 1e9,
        link=_number(row["link_gb_per_second"]) * 1e9,
        source=str(row["source"]),
    )


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"not a number in accelerators.toml: {value!r}")
    return float(value)

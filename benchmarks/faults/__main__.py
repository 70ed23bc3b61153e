"""The command line of the measurement."""

import asyncio
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.faults.kills import kill_prefill
from benchmarks.faults.load import references, run_load
from benchmarks.faults.ours import tandem_service
from benchmarks.faults.published import published_app
from benchmarks.faults.side import Side
from benchmarks.faults.tally import Tally, tally
from benchmarks.faults.text import last_line, side_text
from benchmarks.faults.workload import asks
from tandem.apply.local.cache import Say, cache_root
from tandem.apply.local.embedded import embedded_model
from tandem.apply.local.environment import serving_python
from tandem.apply.local.paths import Home
from tandem.cli.progress import progress

_TINY_MODEL = Path(__file__).parents[2] / "tests" / "real" / "tiny_model.py"
_SIDES = ("ours", "theirs")


@dataclass(frozen=True)
class Load:
    """Seconds of load, seconds between two kills, and clients."""

    seconds: float
    every: float
    clients: int


@click.command()
@click.option("--seconds", default=120.0, show_default=True, help="Length of the load.")
@click.option("--every", default=15.0, show_default=True, help="Seconds between two kills of the prefill replica.")
@click.option("--clients", default=8, show_default=True, help="Clients that ask at the same time.")
@click.option("--only", type=click.Choice(_SIDES), help="Measure one side alone.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON; the tables go to stderr.")
def main(seconds: float, every: float, clients: int, only: str | None, as_json: bool) -> None:
    """Load on the service while its prefill replica is killed; then the same on the application that Ray publishes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the service is ended on this way too
    load = Load(seconds, every, clients)
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        for side in [only] if only else _SIDES:
            tallies[side] = _measured(side, load, Path(folder))
            click.echo(f"{side_text(side, tallies[side])}\n", err=as_json)
    if as_json:
        click.echo(json.dumps({side: dataclasses.asdict(result) for side, result in tallies.items()}))
    click.echo(last_line(tallies), err=as_json)


def _measured(side: str, load: Load, folder: Path) -> Tally:
    with progress(side) as say, _up(side, folder, say) as service:
        say("under load")
        return asyncio.run(_under_fire(service, load))


async def _under_fire(service: Side, load: Load) -> Tally:
    expected = await references(service.endpoint, asks())
    records, kills = await asyncio.gather(
        run_load(service.endpoint, asks(), expected, load.clients, load.seconds),
        kill_prefill(service.session, load.every, load.seconds),
    )
    return tally(records, kills, load.seconds)


@contextmanager
def _up(side: str, folder: Path, say: Say) -> Iterator[Side]:
    cache = cache_root(os.environ)
    python = serving_python(cache, say)
    model = _tiny_model(python, embedded_model("smollm2-135m", cache, python, say), folder / "tiny-llama")
    prefill, decode = _halves(sorted(os.sched_getaffinity(0)))
    if side == "ours":
        with tandem_service(model, Home(folder / "home"), (prefill, decode), say) as service:
            yield service
    else:
        cores = (",".join(map(str, prefill)), ",".join(map(str, decode)))
        with published_app(python, model, folder, cores) as service:
            yield service


def _tiny_model(python: Path, embedded: Path, out: Path) -> Path:
    """The model of the tests on the real stack, in float32: equal computation gives equal tokens."""
    if not out.exists():
        subprocess.run([str(python), str(_TINY_MODEL), str(embedded), str(out)], check=True, capture_output=True)
    return out


def _halves(cores: list[int]) -> tuple[list[int], list[int]]:
    """Prefill's and decode's cores; one core alone is shared."""
    half = len(cores) // 2
    return (cores[:half] or cores, cores[half:])


if __name__ == "__main__":
    main()

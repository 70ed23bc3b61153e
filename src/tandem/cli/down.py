"""`tandem down`."""

import json
from dataclasses import asdict

import click

from tandem.apply.local.down import leftovers, take_down
from tandem.apply.local.paths import home
from tandem.apply.local.run import current_run, locked
from tandem.cli.progress import progress


@click.command("down")
@click.option("--json", "as_json", is_flag=True, help="Print what was ended as JSON.")
def down_command(as_json: bool) -> None:
    """End the service: every process it started, its ports, its shared memory; and prove it."""
    place = home()
    with progress("tandem down") as say, locked(place):
        run = current_run(place)
        killed = take_down(place, run, say) if run is not None else []
        left = leftovers(run) if run is not None else None
    if as_json:
        click.echo(json.dumps({"was_up": run is not None, "killed": killed, "left": asdict(left) if left else {}}))
    elif run is None:
        click.echo("nothing is up")
    else:
        click.echo(_proof(run.state.endpoint, killed))


def _proof(endpoint: str, killed: list[int]) -> str:
    forced = f" ({len(killed)} had to be killed)" if killed else ""
    return f"{endpoint} is down: 0 processes{forced}, 0 listening ports, 0 shared-memory files left"

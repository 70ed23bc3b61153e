"""`tandem status`."""

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tandem.apply.local.paths import home
from tandem.apply.local.processes import run_processes
from tandem.apply.local.run import Run, current_run
from tandem.core.units import format_bytes
from tandem.observe.service import read_status


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def status_command(as_json: bool) -> None:
    """Show whether the service answers, each phase with its replicas, and what was transferred.

    Exit code 0 when it is ready, 1 when it is not.
    """
    run = current_run(home())
    status = snapshot(run)
    if as_json:
        click.echo(json.dumps(status, indent=2))
    else:
        _print(status)
    if not status["ready"]:
        raise SystemExit(1)


def snapshot(run: Run | None) -> dict[str, Any]:
    """What is known from outside and what the service says of itself, `ready` first."""
    if run is None:
        return {"ready": False, "state": "down", "phases": {}, "transfer": {}}
    state = run.state
    told = read_status(state.endpoint) or {"ready": False, "phases": {}, "transfer": {}, "requests": {}}
    name = "ready" if told["ready"] else "starting" if state.ready_after is None else "not answering"
    return {
        "ready": told["ready"],
        "state": name,
        "endpoint": state.endpoint,
        "model": state.model,
        "phases": told["phases"],
        "transfer": {"backend": state.backend, "over": state.over, **told["transfer"]},
        "requests": told["requests"],
        "started": state.started,
        "processes": len(run_processes(state)),
        "run_folder": str(run.folder),
    }


def _print(status: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(f"[bold]{status['state']}[/]  {status.get('model', '')}  {status.get('endpoint', '')}")
    if not status["phases"]:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("phase", "ready", "running", "waiting", "KV use", "cores", "pid"):
        table.add_column(column)
    for phase, facts in status["phases"].items():
        for row in facts["replicas"] or [None]:
            table.add_row(phase, str(facts["ready_replicas"]), *_replica(row))
    console.print(table)
    transfer = status["transfer"]
    moved = format_bytes(transfer.get("bytes_total", 0))
    console.print(f"transfer  {transfer['backend']} over {transfer['over']}: {moved} moved")
    routes = ", ".join(f"{count} {route}" for route, count in status["requests"].get("by_route", {}).items())
    console.print(f"requests  {routes or 'none yet'}")


def _replica(row: dict[str, Any] | None) -> list[str]:
    if row is None:
        return ["-"] * 5
    use = f"{row['kv_cache_usage']:.0%}"
    return [str(row["running"]), str(row["waiting"]), use, row["cores"], str(row["pid"])]

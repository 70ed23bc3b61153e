"""`tandem up [FILE]`."""

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tandem.apply.local.cache import Say
from tandem.apply.local.paths import Home, home
from tandem.apply.local.run import Run, current_run
from tandem.apply.local.up import cause, default_spec, deployed, started
from tandem.cli.progress import progress
from tandem.core.errors import InputError
from tandem.facts.engine_args import names
from tandem.observe.service import read_status
from tandem.observe.wait import wait_for
from tandem.spec.models import Spec
from tandem.spec.translate import load_any

_QUESTION = "What is the capital of France?"


@click.command("up")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--timeout", default=900.0, show_default=True, help="Seconds until the start is given up.")
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON when ready.")
def up_command(file: Path | None, timeout: float, as_json: bool) -> None:
    """Start the service of FILE on its target and wait until it answers.

    FILE is a spec, a Ray Serve config or a RayService manifest. Without FILE: SmolLM2-135M-Instruct, one prefill and
    one decode engine on this machine.
    """
    spec = _read(file) if file else default_spec()
    if spec.target.kind != "local":
        raise InputError(f"target {spec.target.kind!r} cannot be started from here", fix="Use `target: {local: {}}`.")
    with progress("tandem up") as say:
        run, status = bring_up(spec, home(), say, timeout)
    if as_json:
        click.echo(json.dumps({"endpoint": run.state.endpoint, **status}))
        return
    _print(spec, run, status)


def _read(file: Path) -> Spec:
    """A spec, a Serve config or a RayService; what was read otherwise than written is told."""
    translation = load_any(file, names())
    for correction in translation.corrections:
        click.echo(f"{file}: {correction}", err=True)
    return translation.spec


def bring_up(spec: Spec, place: Home, say: Say, seconds: float) -> tuple[Run, dict[str, Any]]:
    """Starts the service and waits until it has answered by every route; gives the run and the service's status."""
    with started(spec, place, say) as starting:

        def poll() -> dict[str, Any] | None:
            status = read_status(starting.state.endpoint) if deployed(starting, say) else None
            return status if status is not None and status["ready"] else None

        reason = lambda: cause(starting) or "it is still starting"  # noqa: E731
        status = wait_for("the service", poll, seconds=seconds, cause=reason)
    run = current_run(place)
    assert run is not None
    return run, status


def _print(spec: Spec, run: Run, status: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    state = run.state
    console.print(f"[bold green]ready[/] after {state.ready_after:.0f} s   model [bold]{state.model}[/]")
    console.print(f"endpoint  [bold]{state.endpoint}[/]")
    if spec.disaggregated:
        console.print(f"transfer  NIXL {state.backend.upper()} over {state.over}")
    console.print(_phases(status))
    console.print("\nAsk it through a remote prefill:\n", style="dim")
    console.print(_curl(spec, state.endpoint, state.model), markup=False)
    console.print("\nOr from Python (pip install openai):\n", style="dim")
    console.print(_python(state.endpoint, state.model), markup=False)
    console.print("\n`tandem chat` talks to it, `tandem status` shows it, `tandem down` ends it.", style="dim")


def _phases(status: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("phase", "replica", "engine pid", "cores", "KV cache"):
        table.add_column(column)
    for phase, facts in status["phases"].items():
        for replica in facts["replicas"]:
            pids = ", ".join(str(pid) for pid in replica["engine_pids"])
            tokens = f"{replica['kv_cache_tokens']:,} tokens"
            table.add_row(phase, f"{replica['replica']} (pid {replica['pid']})", pids, replica["cores"], tokens)
    return table


def _curl(spec: Spec, endpoint: str, model: str) -> str:
    body = {"model": model, "messages": [{"role": "user", "content": _QUESTION}], "max_tokens": 32, "temperature": 0}
    route = " -H 'X-Tandem-Route: remote'" if spec.disaggregated else ""
    return f"curl {endpoint}/chat/completions -H 'Content-Type: application/json'{route} -d '{json.dumps(body)}'"


def _python(endpoint: str, model: str) -> str:
    return "\n".join(
        [
            "from openai import OpenAI",
            f'client = OpenAI(base_url="{endpoint}", api_key="none")',
            f'messages = [{{"role": "user", "content": "{_QUESTION}"}}]',
            f'for chunk in client.chat.completions.create(model="{model}", messages=messages, stream=True):',
            '    print(chunk.choices[0].delta.content or "", end="", flush=True)',
        ]
    )

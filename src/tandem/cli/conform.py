"""`tandem conform`."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console

from tandem.apply.local.cache import Say, cache_root
from tandem.apply.local.environment import serving_python
from tandem.apply.local.paths import home
from tandem.apply.local.plain_engine import EngineSpec, engine_spec, plain_engine
from tandem.apply.local.run import Run, current_run
from tandem.bench.conform.case import Case
from tandem.bench.conform.catalogue import CASES
from tandem.bench.conform.runner import Sides, run, served
from tandem.bench.conform.side import Side
from tandem.bench.conform.verdicts import field_verdicts
from tandem.cli.progress import progress
from tandem.core.errors import InputError
from tandem.core.nearest import nearest
from tandem.core.problem import Problem
from tandem.measure.field_verdict import FieldVerdict, conclusion
from tandem.observe.wait import wait_for
from tandem.report.conformity import conformity_json, conformity_table

_ENGINE_SECONDS = 600.0
_FILE_WIDTH = 240
"""Columns of the table where no terminal says how wide it is."""


@click.command("conform")
@click.option("--url", help="OpenAI base URL of the service. Left out: the service on this machine.")
@click.option("--against", help="OpenAI base URL of a plain engine. Left out: one is started on this machine.")
@click.option("--only", multiple=True, metavar="FIELD", help="Try this request field only; may be repeated.")
@click.option(
    "--tokens/--no-tokens",
    default=None,
    help="Compare tokens, or status and shape only. Left out: tokens, unless the engines are known not to be float32.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def conform_command(
    url: str | None, against: str | None, only: tuple[str, ...], tokens: bool | None, as_json: bool
) -> None:
    """Send every request field of the pinned vLLM to the service and to one plain engine, and compare.

    Exit code 0 when all fields agree, 1 when one does not.
    """
    cases = _cases(only)
    local = current_run(home())
    endpoint = url or _running(local).state.endpoint
    here = local if local is not None and url in (None, local.state.endpoint) else None
    exact = tokens if tokens is not None else here is None or _is_float32(engine_spec(here))
    with progress("tandem conform") as say, _reference(against, here, say) as reference:
        sides = Sides(subject=Side(endpoint), reference=reference, exact=exact)
        tried = served(cases, reference)
        verdicts = field_verdicts(run(tried, sides, say))
    about = {"url": endpoint, "against": against or "a plain vLLM engine", "tokens_compared": exact}
    _print(verdicts, about, as_json)
    if not all(verdict.agrees for verdict in verdicts):
        raise SystemExit(1)


def _cases(only: tuple[str, ...]) -> list[Case]:
    known = {field for case in CASES for field in case.fields}
    unknown = [Problem(path="--only", found=name, fix=_suggestion(name, known)) for name in only if name not in known]
    if unknown:
        raise InputError("no request of the pinned vLLM has such a field", problems=unknown)
    return [case for case in CASES if not only or set(only) & set(case.fields)]


def _suggestion(name: str, known: set[str]) -> str:
    near = nearest(name, known)
    return f"Did you mean {near}?" if near else "The report without --only names all fields."


def _running(local: Run | None) -> Run:
    if local is None:
        raise InputError("nothing is up", fix="`tandem up` starts a service, or give --url.")
    return local


def _is_float32(spec: EngineSpec) -> bool:
    """Where near-ties cannot flip with the make-up of a batch, as they do in the short types."""
    return spec.arguments.get("dtype") in ("float32", "float")


@contextmanager
def _reference(against: str | None, here: Run | None, say: Say) -> Iterator[Side]:
    if against is not None:
        yield Side(against)
        return
    if here is None:
        raise InputError(
            "no engine to compare with", fix="Give --against; one is started only for the service on this machine."
        )
    python = serving_python(cache_root(os.environ), say)
    say("starting a plain engine")
    with plain_engine(engine_spec(here), python, here.folder / "plain-engine.log") as engine:
        wait_for("the plain engine", lambda: engine.ready() or None, seconds=_ENGINE_SECONDS, cause=engine.last_words)
        yield Side(engine.url)


def _print(verdicts: list[FieldVerdict], about: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(conformity_json(verdicts, about), indent=2))
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _FILE_WIDTH)
    console.print(conformity_table(verdicts))
    if not about["tokens_compared"]:
        console.print("tokens were not compared, only status and shape: the engines do not run in float32", style="dim")
    console.print(conclusion(verdicts))

"""`tandem plan`: will it fit, how fast, how many, how much, and does it pay."""

import json
from pathlib import Path
from typing import Any

import click

from tandem.core.errors import InputError
from tandem.facts.models import ModelShape, known_models, known_shape, shape_from_config
from tandem.plan.against import compare, parse_engine_log
from tandem.plan.build import Circumstances, Plan, make_plan
from tandem.plan.calibrate import fit_steps, read_steps
from tandem.plan.simulate.workload import read_trace
from tandem.report.plan_picture import plan_picture
from tandem.report.plan_text import comparison_text, explain_text, plan_json, plan_text
from tandem.spec.loader import load_spec
from tandem.spec.models import Spec

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("plan")
@click.argument("file", type=_FILE)
@click.option("--explain", metavar="PATH", help="Print the chain of reasons of one number, such as decode.replicas.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole plan as JSON.")
@click.option("--config", type=_FILE, help="config.json of a model that Tandem does not know.")
@click.option("--node", metavar="TYPE", help="EC2 type of the GPU nodes of an existing cluster.")
@click.option("--region", metavar="REGION", help="AWS region for prices, when the target names none.")
@click.option("--price", "prices", multiple=True, metavar="ITEM=USD", help="A price that wins over the table.")
@click.option("--measured", type=_FILE, help="Timed steps of this machine (JSON).")
@click.option("--trace", type=_FILE, help="Requests from an Azure LLM, BurstGPT or Mooncake trace.")
@click.option("--simulate", is_flag=True, help="Rehearse the plan in the simulator.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the rehearsal.")
@click.option("--requests", type=click.IntRange(min=1), default=5000, show_default=True, help="Requests of it.")
@click.option("--against", "logs", multiple=True, metavar="PHASE=LOG", help="Compare with the log of an engine.")
@click.option("--picture", type=_FILE, help="Write cost against latency as SVG.")
def plan_command(
    file: Path,
    explain: str | None,
    as_json: bool,
    config: Path | None,
    node: str | None,
    region: str | None,
    prices: tuple[str, ...],
    measured: Path | None,
    trace: Path | None,
    simulate: bool,
    seed: int,
    requests: int,
    logs: tuple[str, ...],
    picture: Path | None,
) -> None:
    """Plan what FILE describes: fit, speed, replicas, cost, and whether disaggregation pays."""
    spec = load_spec(file)
    shape = _shape(spec, config)
    circumstances = Circumstances(
        node=node,
        region=region,
        prices=dict(_price(text) for text in prices),
        measured=fit_steps(read_steps(_read(measured), str(measured)), shape) if measured else None,
        trace=tuple(read_trace(_read(trace), str(trace))) if trace else (),
        seed=seed if simulate else None,
        requests=requests,
    )
    plan = make_plan(spec, shape, circumstances)
    if picture:
        picture.write_text(plan_picture(plan), encoding="utf-8")
    click.echo(_output(plan, explain, as_json, logs), nl=False)


def _output(plan: Plan, explain: str | None, as_json: bool, logs: tuple[str, ...]) -> str:
    if explain:
        return explain_text(plan, explain)
    if logs:
        return "".join(_against(plan, text) for text in logs)
    return plan_json(plan) if as_json else plan_text(plan)


def _against(plan: Plan, told: str) -> str:
    phase, _, path = told.partition("=")
    phases = [name for name in ("prefill", "decode", "pool") if f"{name}.fit.fits" in plan.quantities]
    if phase not in phases or not path:
        raise InputError(f"--against {told}: not PHASE=LOG", fix=f"Phases of this spec: {', '.join(phases)}.")
    log = parse_engine_log(_read(Path(path)))
    return f"{phase} against {path}\n" + comparison_text(compare(plan.quantities, phase, log))


def _shape(spec: Spec, config: Path | None) -> ModelShape:
    """From --config, from a local folder, or from the shipped shapes."""
    source = spec.model.source
    folder = Path(source)
    if config is None and folder.is_dir():
        config = folder / "config.json"
    if config is None:
        known = known_shape(source)
        if known is None:
            raise InputError(
                f"the shape of {source!r} is not among the shipped ones",
                fix=f"Pass --config PATH to its config.json. Shipped: {', '.join(known_models())}.",
            )
        return known
    shape = shape_from_config(_json(config), spec.model.id, str(config))
    index = config.parent / "model.safetensors.index.json"
    return shape.with_exact_bytes(int(_json(index)["metadata"]["total_size"])) if index.is_file() else shape


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(_read(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}", fix="Give the file as Hugging Face has it.") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} is not a JSON object", fix="Give the file as Hugging Face has it.")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error}", fix="Name an existing file.") from error


def _price(text: str) -> tuple[str, float]:
    item, _, amount = text.partition("=")
    try:
        value = float(amount)
    except ValueError:
        value = -1.0
    if not item or value < 0:
        raise InputError(f"--price {text}: not ITEM=USD", fix="For example --price g6.8xlarge=2.01.")
    return item, value

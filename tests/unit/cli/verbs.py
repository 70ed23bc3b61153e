"""Verbs that end in each way a verb can end, for the tests of the entry point."""

from pathlib import Path

import click

from tandem.core.errors import DeadlineError, InputError, StaleError, TandemError
from tandem.core.problem import Problem

ENDINGS: dict[str, BaseException] = {
    "failed": TandemError("the engine died", fix="Look at its log.", log=Path("/state/ray-logs")),
    "input": InputError(
        "spec.yaml has 2 problems",
        problems=[
            Problem(
                path="slo.ttft", file="spec.yaml", line=2, found="unknown key 'ttft'", fix="Did you mean 'ttft_ms'?"
            ),
            Problem(path="engine.dtipe", file="spec.yaml", line=5, found="unknown key 'dtipe'", fix="Remove it."),
        ],
    ),
    "stale": StaleError("the cluster has changed since the plan"),
    "deadline": DeadlineError("the service did not happen within 5 s"),
    "defect": KeyError("phases"),
    "abort": click.Abort(),
    "interrupt": KeyboardInterrupt(),
    "usage": click.UsageError("--port and --socket exclude each other"),
    "exit": SystemExit(1),
}


@click.command("end")
@click.argument("ending", required=False)
def end_command(ending: str | None) -> None:
    """Ends as it is told; without a word, well."""
    if ending is not None:
        raise ENDINGS[ending]

"""The command `tandem`: one catch for every error, one line on the screen, the traceback in a file."""

import importlib
import sys
import traceback
from pathlib import Path

import click

import tandem
from tandem.core.errors import InputError, TandemError

# Verb → module and command. A verb's module is imported when it is used: `tandem --help` stays under 0.3 s.
_VERBS = {
    "up": ("tandem.cli.up", "up_command", "Start a service, or the embedded model without a file."),
    "down": ("tandem.cli.down", "down_command", "End the service and prove that nothing is left."),
    "status": ("tandem.cli.status", "status_command", "Show the service, its phases and its transfers."),
    "chat": ("tandem.cli.chat", "chat_command", "Ask the service, and see the route and times of the answer."),
    "check": ("tandem.cli.check", "check_command", "Find what is wrong in a file before it costs money."),
    "explain": ("tandem.cli.explain", "explain_command", "Tell the long form of a rule of check."),
    "plan": ("tandem.cli.plan", "plan_command", "Plan: fit, speed, replicas, cost, and whether it pays."),
    "conform": ("tandem.cli.conform", "conform_command", "Compare every request field with one plain engine."),
    "render": ("tandem.cli.render", "render_command", "Write the files of a deployment on Kubernetes or EKS."),
    "schema": ("tandem.cli.schema", "schema_command", "Print the JSON schema of the spec."),
    "setup": ("tandem.cli.setup", "setup_command", "Install the serving environment and the embedded model."),
}
# What verbs import and only the extra `local` installs: see pyproject.toml.
_LOCAL_EXTRA = ("psutil",)


class _LazyGroup(click.Group):
    """Lists verbs without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return None
        module, name, _ = _VERBS[cmd_name]
        try:
            command: click.Command = getattr(importlib.import_module(module), name)
        except ModuleNotFoundError as error:
            if error.name not in _LOCAL_EXTRA:
                raise
            fix = "Install it with: pip install 'tandem-llm[local]'"
            raise InputError(f"`tandem {cmd_name}` needs {error.name}", fix=fix) from error
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(verb, text) for verb, (_, _, text) in _VERBS.items()])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(tandem.__version__, prog_name="tandem", message="%(prog)s %(version)s")
def cli() -> None:
    """Serve one language model on prefill engines and decode engines, behind one OpenAI endpoint."""


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 failed, 2 bad input, 3 stale or drifted, 4 timed out."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        code = 1
    except TandemError as error:
        _show(error)
        code = error.exit_code
    except Exception as error:  # noqa: BLE001  the one catch: what is not ours is a defect, told as one
        log = _write_traceback(error)
        click.echo(f"tandem: internal error: {type(error).__name__}: {error}. Details: {log}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _show(error: TandemError) -> None:
    click.echo(f"tandem: {error.message}", err=True)
    if isinstance(error, InputError):
        for problem in error.problems:
            click.echo(f"  {problem}", err=True)
    if error.fix:
        click.echo(f"  {error.fix}", err=True)
    if error.log is not None:
        click.echo(f"  Logs: {error.log}", err=True)


def _write_traceback(error: Exception) -> Path:
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix="tandem-error-", suffix=".log")
    with open(descriptor, "w", encoding="utf-8") as log:  # noqa: PTH123  a descriptor, not a path
        traceback.print_exception(error, file=log)
    return Path(name)

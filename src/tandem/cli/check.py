"""`tandem check`: what is wrong with a file, before it costs money."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tandem.core.errors import InputError

if TYPE_CHECKING:
    from tandem.check.subject import Surroundings

_FORMATS = ("text", "json", "sarif", "github")


@click.command("check")
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--fix", is_flag=True, help="Write the corrected file, and say each change.")
@click.option("--output", type=click.Path(path_type=Path), help="With --fix: write here and leave the file as it is.")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option("--node", metavar="TYPE", help="EC2 type of the engines' nodes, when the file does not say it.")
@click.option("--kuberay", metavar="VERSION", help="KubeRay on the cluster, such as 1.4.0.")
@click.option(
    "--change",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="OLD NEW",
    help="What going from OLD to NEW does to a running service.",
)
def check_command(
    path: Path | None,
    fix: bool,
    output: Path | None,
    form: str,
    as_json: bool,
    node: str | None,
    kuberay: str | None,
    change: tuple[Path, Path] | None,
) -> None:
    """Check a spec, a Ray Serve config, a RayService manifest, or a folder of them.

    Exit code 0 without errors, 1 with an error found, 2 when the file cannot be read.
    """
    form = "json" if as_json else form
    if change:
        _tell_change(*change, form)
        return
    if path is None:
        raise InputError("no file to check", fix="Name a YAML file or a folder, or use --change OLD NEW.")
    _check(path, fix, output, form, node, kuberay)


def _check(path: Path, fix: bool, output: Path | None, form: str, node: str | None, kuberay: str | None) -> None:
    from tandem.check.run import check_path
    from tandem.check.subject import Surroundings
    from tandem.report.findings import FORMATS

    around = Surroundings(node=node, kuberay=kuberay)
    if fix:
        path = _fix(path, output or path, around)
    report = check_path(path, around)
    shown = FORMATS[form](report)
    if shown:
        click.echo(shown)
    if report.failed:
        click.get_current_context().exit(1)


def _fix(path: Path, output: Path, around: "Surroundings") -> Path:
    """Writes the corrected file or files. What was changed goes to stderr, so that stdout keeps its format."""
    from tandem.check.fix import fix_text
    from tandem.spec.manifest import read_path

    texts = dict.fromkeys((Path(document.source.file), text) for document, text in read_path(path))
    if path.is_dir() and output != path:
        raise InputError("--output takes one file", fix="Name a file to check, or leave --output out.")
    for file, text in texts:
        fixed, changes = fix_text(text, str(file), around)
        target = output if file == path else file
        if changes or target != file:
            target.write_text(fixed, encoding="utf-8")
        for made in changes:
            click.echo(f"{file}:{made.line}: {made.rule}: {made.text}", err=True)
        click.echo(f"{target}: {len(changes)} changes", err=True)
    return output


def _tell_change(old: Path, new: Path, form: str) -> None:
    import json

    from tandem.check.change import compare
    from tandem.report.findings import change_as_text
    from tandem.spec.manifest import read_path

    before, after = read_path(old)[0][0], read_path(new)[0][0]
    change = compare(before, after)
    click.echo(json.dumps(change.as_json(), indent=2) if form == "json" else change_as_text(change))

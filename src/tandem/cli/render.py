"""`tandem render`: the files of a deployment, to read and to apply by hand."""

from pathlib import Path

import click

from tandem.apply.bundle_folder import write_bundle
from tandem.facts.engine_args import names
from tandem.render.deployment import Options
from tandem.render.files import render
from tandem.spec.translate import load_any


@click.command("render")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
@click.option("--zone", metavar="ZONE", help="Availability Zone of the GPU nodes, when the file names none.")
@click.option("--image", metavar="IMAGE", help="Container image, when the file names none.")
@click.option("--node", metavar="TYPE", help="EC2 type of the GPU nodes of an existing cluster.")
def render_command(
    file: Path, output: Path, force: bool, zone: str | None, image: str | None, node: str | None
) -> None:
    """Write what FILE describes as files for eksctl, helm and kubectl, with a README of the steps.

    FILE is a spec, a Ray Serve config or a RayService manifest. Nothing is started and nothing outside the folder is
    touched. Exit code 3 when files in the folder were edited by hand.
    """
    translation = load_any(file, names())
    for correction in translation.corrections:
        click.echo(f"{file}: {correction}", err=True)
    bundle = render(translation.spec, Options(node=node, zone=zone, image=image))
    changes = write_bundle(bundle, output, force=force)
    for verb, paths in (("wrote", changes.written), ("removed", changes.removed)):
        for path in paths:
            click.echo(f"{verb} {output / path}")
    same = len(bundle.files) - len(changes.written)
    click.echo(f"{len(bundle.files)} files, {same} unchanged. The steps are in {output / 'README.md'}.")

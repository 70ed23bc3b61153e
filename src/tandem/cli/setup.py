"""`tandem setup`."""

import os

import click

from tandem.apply.local.cache import cache_root
from tandem.apply.local.embedded import embedded_model
from tandem.apply.local.environment import serving_python
from tandem.cli.progress import progress
from tandem.spec.models import EMBEDDED_SOURCE


@click.command("setup")
def setup_command() -> None:
    """Install what `tandem up` needs, without starting anything. `tandem up` does the same on first use.

    Prints the Python of the serving environment.
    """
    cache = cache_root(os.environ)
    with progress("tandem setup") as say:
        python = serving_python(cache, say)
        embedded_model(EMBEDDED_SOURCE.removeprefix("embedded:"), cache, python, say)
    click.echo(str(python))

"""`tandem schema`."""

import json

import click

from tandem.spec.models import Spec


@click.command("schema")
def schema_command() -> None:
    """Print the JSON schema of the spec, for editors and CI."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Spec.model_json_schema()}
    click.echo(json.dumps(schema, indent=2))

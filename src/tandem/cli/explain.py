"""`tandem explain TD102`: the long form of a rule."""

import click

from tandem.core.errors import InputError


@click.command("explain")
@click.argument("rule_id", metavar="RULE", required=False)
def explain_command(rule_id: str | None) -> None:
    """Explain a rule of `tandem check`: what it finds, why it matters, how to mend it. Without RULE: list them all."""
    from tandem.check.registry import all_rules, rule_by_id
    from tandem.core.nearest import nearest
    from tandem.report.findings import rule_as_text

    if rule_id is None:
        for rule in all_rules():
            click.echo(f"{rule.id}  {rule.severity:7}  {rule.title}")
        return
    known = rule_by_id(rule_id)
    if known is None:
        close = nearest(rule_id.upper(), [rule.id for rule in all_rules()])
        fix = f"Did you mean {close}?" if close else "`tandem explain` lists them all."
        raise InputError(f"there is no rule {rule_id!r}", fix=fix)
    click.echo(rule_as_text(known))

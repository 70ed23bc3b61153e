"""The report of `tandem conform`: which field was sent, what one engine answers, what the service answered."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from tandem.measure.field_verdict import FieldVerdict, conclusion


def conformity_table(verdicts: Sequence[FieldVerdict]) -> Table:
    """One row a field, those that differ last, where a reader looks first."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column, ratio in (("endpoint", None), ("field", None), ("", None), ("sent", 3), ("expected", 3), ("got", 3)):
        table.add_column(column, ratio=ratio, no_wrap=ratio is None, overflow="fold")
    for verdict in sorted(verdicts, key=lambda one: not one.agrees):
        mark = "[green]agrees[/]" if verdict.agrees else "[bold red]differs[/]"
        texts = (_plain(text) for text in (verdict.sent, verdict.expected, verdict.got))
        table.add_row(verdict.endpoint, verdict.field, mark, *texts)
    return table


def conformity_json(verdicts: Sequence[FieldVerdict], about: dict[str, Any]) -> dict[str, Any]:
    """Everything as plain data; `about` tells what was compared with what."""
    return {
        **about,
        "fields": [asdict(verdict) for verdict in verdicts],
        "agree": sum(verdict.agrees for verdict in verdicts),
        "of": len(verdicts),
        "conclusion": conclusion(verdicts),
    }


def _plain(text: str) -> str:
    """Keeps rich from reading brackets as markup."""
    return text.replace("[", r"\[")

"""The report names every field, and ends with the count."""

import io

from rich.console import Console

from tandem.measure.field_verdict import FieldVerdict, conclusion
from tandem.report.conformity import conformity_json, conformity_table

AGREES = FieldVerdict(
    endpoint="/v1/completions", field="stop", requests=4, agrees=True, sent='{"stop": ["e"]}', expected="200", got="200"
)
DIFFERS = FieldVerdict(
    endpoint="/v1/completions",
    field="n",
    requests=2,
    agrees=False,
    sent='{"n": 2}',
    expected="choices length: 2",
    got="1 (remote)",
)


def test_the_table_shows_sent_expected_and_got_and_what_differs_last() -> None:
    console = Console(width=200, file=io.StringIO(), record=True)
    console.print(conformity_table([DIFFERS, AGREES]))
    lines = [line.split() for line in console.export_text().splitlines()]
    assert lines[0] == ["endpoint", "field", "sent", "expected", "got"]
    assert lines[1] == ["/v1/completions", "stop", "agrees", '{"stop":', '["e"]}', "200", "200"]
    assert lines[2][:3] == ["/v1/completions", "n", "differs"]
    assert " ".join(lines[2][3:]) == '{"n": 2} choices length: 2 1 (remote)'


def test_the_conclusion_counts_fields() -> None:
    assert conclusion([AGREES, DIFFERS]) == "1 of 2 fields agree"
    assert conclusion([]) == "0 of 0 fields agree"


def test_json_holds_everything() -> None:
    told = conformity_json([AGREES, DIFFERS], {"url": "http://127.0.0.1:8000/v1"})
    assert (told["url"], told["agree"], told["of"]) == ("http://127.0.0.1:8000/v1", 1, 2)
    assert told["fields"][1]["got"] == "1 (remote)"
    assert told["conclusion"] == "1 of 2 fields agree"

"""What a start has told so far."""

import json
from pathlib import Path
from typing import Any

import pytest

from tandem.apply.local.events import Progress, read_progress

_RAY = {"step": "ray", "state": "ready", "address": "127.0.0.1:6379"}


def _deployment(running: int, message: str = "") -> dict[str, Any]:
    return {"status": "UPDATING", "message": message, "running": running}


def _app(**running: int) -> dict[str, Any]:
    return {"step": "app", "deployments": {f"{name}:smollm2": _deployment(count) for name, count in running.items()}}


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def _read(events: Path, *told: dict[str, Any]) -> Progress:
    events.write_text("".join(json.dumps({"at": 1.0, **event}) + "\n" for event in told), encoding="utf-8")
    return read_progress(events)


def test_before_the_first_event_ray_is_starting(events: Path) -> None:
    assert read_progress(events) == Progress()
    assert read_progress(events).sentence() == "starting Ray"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ([{"step": "ray", "state": "starting"}], "starting Ray"),
        ([_RAY], "building the application"),
        ([_RAY, _app(Prefill=0, Decode=0)], "loading prefill and decode"),
        ([_RAY, _app(Prefill=0, Decode=0), _app(Prefill=1, Decode=0)], "prefill ready; loading decode"),
        ([_RAY, _app(Prefill=1, Decode=1)], "waiting for the first answer"),
    ],
)
def test_a_sentence_for_who_waits(events: Path, told: list[dict[str, Any]], sentence: str) -> None:
    assert _read(events, *told).sentence() == sentence


def test_the_last_state_of_each_counts(events: Path) -> None:
    progress = _read(events, _RAY, _app(Prefill=0), _app(Prefill=2))
    assert progress.ray_address == "127.0.0.1:6379"
    assert progress.deployments["Prefill:smollm2"]["running"] == 2
    assert (progress.done, progress.failed) == (False, None)


def test_done_stays_done(events: Path) -> None:
    assert _read(events, _RAY, {"step": "app", "done": True}, {"step": "launch", "state": "ended", "code": 0}).done


def test_a_failed_application_is_told_with_its_message(events: Path) -> None:
    progress = _read(events, _RAY, {"step": "app", "failed": "no such class"}, {"step": "launch", "code": 1})
    assert progress.failed == "no such class"


def test_the_first_failure_of_a_replica_is_enough(events: Path) -> None:
    message = "A replica failed to start with exception. Retrying 2 more time(s)."
    failing = {"step": "app", "deployments": {"Decode:smollm2": _deployment(0, message)}}
    assert _read(events, _RAY, failing, _app(Decode=0)).failed == "Decode:smollm2 failed to start"


def test_a_deployment_program_that_dies_is_a_failure(events: Path) -> None:
    assert _read(events, {"step": "launch", "code": 1}).failed == "the deployment program ended with code 1"


def test_a_line_that_is_being_written_is_left_for_later(events: Path) -> None:
    line = json.dumps({"at": 2.0, "step": "app", "done": True})
    events.write_text(json.dumps(_RAY) + "\n" + line[:-3], encoding="utf-8")
    assert not read_progress(events).done
    with events.open("a", encoding="utf-8") as file:
        file.write(line[-3:] + "\n")
    assert read_progress(events).done


def test_steps_it_does_not_know_are_passed_over(events: Path) -> None:
    assert _read(events, {"step": "stop", "state": "stopping"}) == Progress()

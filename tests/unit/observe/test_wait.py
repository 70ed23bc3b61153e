"""The one wait loop, in virtual time."""

from collections.abc import Iterator

import pytest

from tandem.core.errors import DeadlineError, TandemError
from tandem.observe import wait
from tandem.observe.wait import wait_for


class Clock:
    """Time that passes only in `sleep`."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(wait, "time", clock)
    return clock


def _answers(*answers: str | None) -> Iterator[str | None]:
    yield from answers
    while True:
        yield None


def test_what_is_there_is_not_waited_for(clock: Clock) -> None:
    assert wait_for("it", lambda: "here", seconds=10) == "here"
    assert clock.slept == []


def test_it_polls_until_the_goal(clock: Clock) -> None:
    answers = _answers(None, None, "here")
    assert wait_for("it", lambda: next(answers), seconds=10, pause=2.0) == "here"
    assert clock.slept == [2.0, 2.0]


@pytest.mark.parametrize("result", [0, "", [], False])
def test_any_answer_but_none_is_the_goal(clock: Clock, result: object) -> None:
    assert wait_for("it", lambda: result, seconds=10) == result


def test_the_deadline_ends_it_with_the_cause(clock: Clock) -> None:
    with pytest.raises(DeadlineError, match=r"^the service did not happen within 10 s: the port is taken$"):
        wait_for("the service", lambda: None, seconds=10, cause=lambda: "the port is taken")
    assert 1010.0 <= clock.now <= 1010.0 + 0.3


def test_without_a_cause_the_message_ends_there(clock: Clock) -> None:
    with pytest.raises(DeadlineError, match=r"^it did not happen within 5 s$"):
        wait_for("it", lambda: None, seconds=5)


def test_the_cause_is_asked_only_at_the_end(clock: Clock) -> None:
    asked: list[float] = []

    def cause() -> str:
        asked.append(clock.now)
        return ""

    with pytest.raises(DeadlineError):
        wait_for("it", lambda: None, seconds=3, pause=1.0, cause=cause)
    assert asked == [1003.0]


def test_a_failure_that_poll_raises_ends_it_at_once(clock: Clock) -> None:
    def poll() -> None:
        raise TandemError("the engine died")

    with pytest.raises(TandemError, match="the engine died"):
        wait_for("it", poll, seconds=10)
    assert clock.slept == []

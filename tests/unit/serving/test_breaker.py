"""The circuit breaker in plain numbers of time."""

from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.breaker import Breaker


def _probe_fails(breaker: Breaker, now: float) -> None:
    assert breaker.allows(now)
    breaker.began(now)
    breaker.failed(now)


def test_a_new_one_lets_calls_through() -> None:
    assert Breaker().allows(0.0)


def test_it_opens_at_the_threshold() -> None:
    breaker = Breaker(threshold=3)
    for _ in range(2):
        breaker.failed(10.0)
    assert breaker.allows(10.0)
    breaker.failed(10.0)
    assert not breaker.allows(10.0)


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = Breaker(threshold=2)
    breaker.failed(0.0)
    breaker.succeeded()
    breaker.failed(0.0)
    assert breaker.allows(0.0)


def test_after_the_cooldown_one_probe_goes_through() -> None:
    breaker = Breaker(cooldown=1.0)
    breaker.failed(100.0)
    assert [breaker.allows(now) for now in (100.0, 100.99, 101.0)] == [False, False, True]
    breaker.began(101.0)
    assert [breaker.allows(now) for now in (101.0, 101.99)] == [False, False]


def test_asking_does_not_use_up_the_probe() -> None:
    breaker = Breaker(cooldown=1.0)
    breaker.failed(0.0)
    assert [breaker.allows(1.0) for _ in range(3)] == [True, True, True]


def test_a_probe_that_never_answers_is_followed_by_another() -> None:
    breaker = Breaker(cooldown=1.0)
    breaker.failed(0.0)
    breaker.began(1.0)
    assert breaker.allows(2.0)


def test_a_probe_that_succeeds_closes_it() -> None:
    breaker = Breaker(cooldown=1.0)
    breaker.failed(0.0)
    breaker.began(1.0)
    breaker.succeeded()
    assert breaker.allows(1.0)
    breaker.failed(2.0)
    assert breaker.allows(3.0)  # the cooldown is the first one again


def test_the_cooldown_doubles_up_to_its_limit_while_probes_fail() -> None:
    breaker = Breaker(cooldown=1.0, max_cooldown=8.0)
    breaker.failed(0.0)
    now, waits = 0.0, []
    for wait in (1.0, 2.0, 4.0, 8.0, 8.0):
        assert not breaker.allows(now + wait - 0.01)
        now += wait
        _probe_fails(breaker, now)
        waits.append(wait)
    assert now == sum(waits)


def test_calls_that_were_under_way_when_it_opened_count_once() -> None:
    breaker = Breaker(cooldown=1.0)
    for _ in range(20):  # one dead prefill replica fails every request that it held
        breaker.failed(5.0)
    assert breaker.allows(6.0)


def test_many_failed_probes_do_not_overflow() -> None:
    breaker, now = Breaker(), 0.0
    breaker.failed(now)
    for _ in range(2000):
        now += 8.0
        _probe_fails(breaker, now)
    assert breaker.allows(now + 8.0)


@given(st.lists(st.sampled_from(["call", "fail", "succeed", "wait"]), max_size=60))
def test_it_never_stays_shut_longer_than_the_longest_cooldown(happenings: list[str]) -> None:
    breaker, now = Breaker(), 0.0
    for happening in happenings:
        match happening:
            case "call":
                breaker.began(now)
            case "fail":
                breaker.failed(now)
            case "succeed":
                breaker.succeeded()
            case _:
                now += 0.7
    assert breaker.allows(now + breaker.max_cooldown)

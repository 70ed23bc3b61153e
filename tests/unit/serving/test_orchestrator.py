"""Every path of a sequence, with two fake engines."""

from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.orchestrator import (
    AskPrefill,
    Decode,
    Health,
    Orchestrator,
    Policy,
    Reason,
    Route,
    Sequence,
    local_reason,
)
from tests.unit.serving.flow import TRANSFER, Attempt, FakeDecode, FakePrefill, serve

_POLICY = Policy(remote_min_tokens=256, prefill_timeout_seconds=3.0, prefill_attempts=2)
_LONG = Sequence(prompt_tokens=1000)
_WELL = Health()


def _prefill(*attempts: Attempt) -> FakePrefill:
    return FakePrefill(iter(attempts))


def test_a_long_prompt_is_prefilled_remotely() -> None:
    orchestrator, prefill, decode = Orchestrator(_POLICY, _LONG, _WELL), _prefill(Attempt()), FakeDecode()
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), Decode(TRANSFER)]
    assert (orchestrator.route, orchestrator.reason) == (Route.REMOTE, None)


def test_the_threshold_is_the_first_remote_length() -> None:
    lengths = (255, 256)
    assert [local_reason(_POLICY, Sequence(prompt_tokens=n), _WELL) for n in lengths] == [Reason.SHORT, None]


@pytest.mark.parametrize(
    ("sequence", "health", "reason"),
    [
        (Sequence(prompt_tokens=10), _WELL, Reason.SHORT),
        (Sequence(prompt_tokens=1000, needs_prompt_logits=True), _WELL, Reason.PROMPT_LOGITS),
        (Sequence(prompt_tokens=1000, multimodal=True), _WELL, Reason.MULTIMODAL),
        (Sequence(prompt_tokens=1000, adapter=True), _WELL, Reason.ADAPTER),
        (Sequence(prompt_tokens=1000, forced=Route.LOCAL), _WELL, Reason.FORCED),
        (_LONG, Health(prefill_exists=False), Reason.NO_PREFILL),
        (_LONG, Health(breaker_open=True), Reason.BREAKER_OPEN),
        (Sequence(prompt_tokens=1000, samples=2), Health(decode_prefix_cache=False), Reason.NO_PREFIX_CACHE),
    ],
)
def test_the_local_route_asks_no_prefill(sequence: Sequence, health: Health, reason: Reason) -> None:
    orchestrator, prefill, decode = Orchestrator(_POLICY, sequence, health), _prefill(), FakeDecode()
    assert serve(orchestrator, prefill, decode) == [Decode()]
    assert (orchestrator.route, orchestrator.reason) == (Route.LOCAL, reason)


def test_a_forced_remote_route_beats_length_and_breaker() -> None:
    sequence = Sequence(prompt_tokens=1, forced=Route.REMOTE)
    assert local_reason(_POLICY, sequence, Health(breaker_open=True)) is None


@pytest.mark.parametrize(
    ("sequence", "health", "reason"),
    [
        (Sequence(prompt_tokens=9, forced=Route.REMOTE, needs_prompt_logits=True), _WELL, Reason.PROMPT_LOGITS),
        (Sequence(prompt_tokens=9, forced=Route.REMOTE, multimodal=True), _WELL, Reason.MULTIMODAL),
        (Sequence(prompt_tokens=9, forced=Route.REMOTE, adapter=True), _WELL, Reason.ADAPTER),
        (Sequence(prompt_tokens=9, forced=Route.REMOTE), Health(prefill_exists=False), Reason.NO_PREFILL),
        (
            Sequence(prompt_tokens=9, forced=Route.REMOTE, samples=2),
            Health(decode_prefix_cache=False),
            Reason.NO_PREFIX_CACHE,
        ),
    ],
)
def test_what_cannot_be_remote_cannot_be_forced(sequence: Sequence, health: Health, reason: Reason) -> None:
    assert local_reason(_POLICY, sequence, health) is reason


def test_prefill_that_fails_once_is_asked_again() -> None:
    orchestrator, decode = Orchestrator(_POLICY, _LONG, _WELL), FakeDecode()
    prefill = _prefill(Attempt(1.0, raises=True), Attempt())
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), AskPrefill(2.0), Decode(TRANSFER)]
    assert (orchestrator.route, orchestrator.reason) == (Route.REMOTE, None)


def test_prefill_that_fails_twice_is_given_up() -> None:
    orchestrator, decode = Orchestrator(_POLICY, _LONG, _WELL), FakeDecode()
    prefill = _prefill(Attempt(0.5, raises=True), Attempt(0.5, raises=True))
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), AskPrefill(2.0), Decode()]
    assert (orchestrator.route, orchestrator.reason) == (Route.LOCAL, Reason.PREFILL_FAILED)


def test_a_timeout_uses_up_the_budget() -> None:
    orchestrator, prefill, decode = Orchestrator(_POLICY, _LONG, _WELL), _prefill(Attempt(60.0)), FakeDecode()
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), Decode()]
    assert (orchestrator.route, orchestrator.reason) == (Route.LOCAL, Reason.PREFILL_TIMEOUT)


def test_the_second_attempt_has_what_the_first_left() -> None:
    orchestrator, decode = Orchestrator(_POLICY, _LONG, _WELL), FakeDecode()
    prefill = _prefill(Attempt(2.5, raises=True), Attempt(60.0))
    serve(orchestrator, prefill, decode)
    assert prefill.timeouts == [3.0, 0.5]
    assert orchestrator.reason is Reason.PREFILL_TIMEOUT


def test_a_transfer_that_fails_is_computed_locally() -> None:
    orchestrator, prefill, decode = Orchestrator(_POLICY, _LONG, _WELL), _prefill(Attempt()), FakeDecode(loads=False)
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), Decode(TRANSFER), Decode()]
    assert (orchestrator.route, orchestrator.reason) == (Route.LOCAL, Reason.TRANSFER_FAILED)


def test_what_decode_will_refuse_is_refused_by_decode() -> None:
    orchestrator, prefill, decode = Orchestrator(_POLICY, _LONG, _WELL), _prefill(Attempt(refused=True)), FakeDecode()
    assert serve(orchestrator, prefill, decode) == [AskPrefill(3.0), Decode()]
    assert (orchestrator.route, orchestrator.reason) == (Route.LOCAL, Reason.REFUSED)


@pytest.mark.parametrize(("samples", "pull_first"), [(1, False), (2, True), (8, True)])
def test_several_samples_pull_the_blocks_once(samples: int, pull_first: bool) -> None:
    orchestrator = Orchestrator(_POLICY, Sequence(prompt_tokens=1000, samples=samples), _WELL)
    steps = serve(orchestrator, _prefill(Attempt()), FakeDecode())
    assert steps[-1] == Decode(TRANSFER, pull_first=pull_first)


_policies = st.builds(
    Policy,
    remote_min_tokens=st.integers(0, 512),
    prefill_timeout_seconds=st.floats(0.001, 1000.0),
    prefill_attempts=st.integers(1, 5),
)
_sequences = st.builds(
    Sequence,
    prompt_tokens=st.integers(0, 1024),
    samples=st.integers(1, 4),
    needs_prompt_logits=st.booleans(),
    multimodal=st.booleans(),
    adapter=st.booleans(),
    forced=st.sampled_from([None, *Route]),
)
_healths = st.builds(
    Health, prefill_exists=st.booleans(), breaker_open=st.booleans(), decode_prefix_cache=st.booleans()
)
_attempt = st.builds(Attempt, seconds=st.floats(0.0, 2000.0), raises=st.booleans(), refused=st.booleans())
_attempts = st.lists(_attempt, max_size=5)


def _then_failing(attempts: list[Attempt]) -> Iterator[Attempt]:
    yield from attempts
    yield from repeat(Attempt(0.0, raises=True))  # failing at once costs no budget: only the attempts end it


@given(policy=_policies, sequence=_sequences, health=_healths, attempts=_attempts, loads=st.booleans())
def test_it_ends_within_its_attempts_and_its_budget(
    policy: Policy, sequence: Sequence, health: Health, attempts: list[Attempt], loads: bool
) -> None:
    orchestrator = Orchestrator(policy, sequence, health)
    prefill, decode = FakePrefill(_then_failing(attempts)), FakeDecode(loads)
    steps = serve(orchestrator, prefill, decode, most_steps=policy.prefill_attempts + 2)
    assert len(prefill.timeouts) <= policy.prefill_attempts
    assert all(timeout > 0 for timeout in prefill.timeouts)
    assert prefill.spent <= policy.prefill_timeout_seconds * (1 + 1e-9)
    assert sum(isinstance(step, Decode) and step.transfer is not None for step in steps) <= 1
    assert loads or decode.steps[-1].transfer is None


@given(policy=_policies, sequence=_sequences, health=_healths, attempts=_attempts, loads=st.booleans())
def test_the_route_it_tells_is_the_one_it_took(
    policy: Policy, sequence: Sequence, health: Health, attempts: list[Attempt], loads: bool
) -> None:
    orchestrator, decode = Orchestrator(policy, sequence, health), FakeDecode(loads)
    serve(orchestrator, FakePrefill(_then_failing(attempts)), decode)
    remote = decode.steps[-1].transfer is not None
    assert orchestrator.route is (Route.REMOTE if remote else Route.LOCAL)
    assert (orchestrator.reason is None) == remote

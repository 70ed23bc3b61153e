"""The Server-Timing header, by the grammar of https://www.w3.org/TR/server-timing/#the-server-timing-header-field."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.orchestrator import Reason, Route
from tandem.serving.timing import server_timing
from tandem.serving.wire import Account, SequenceAccount

_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_METRIC = rf'{_TOKEN}(;{_TOKEN}=({_TOKEN}|"[^"\\]*"))*'
_HEADER = re.compile(rf"{_METRIC}(, {_METRIC})*")


def _remote(**facts: float) -> SequenceAccount:
    sequence = SequenceAccount(route=Route.REMOTE, reason=None, prompt_tokens=900)
    for name, value in facts.items():
        setattr(sequence, name, value)
    return sequence


def test_a_local_answer_tells_route_reason_and_first_token() -> None:
    sequence = SequenceAccount(route=Route.LOCAL, reason=Reason.SHORT, prompt_tokens=5, first_token_seconds=0.0421)
    assert server_timing(Account([sequence])) == 'route;desc="local", reason;desc="short", first;dur=42.1'


def test_a_remote_answer_tells_its_parts() -> None:
    sequence = _remote(prefill_seconds=0.3, transfer_seconds=0.0125, transfer_bytes=4096, first_token_seconds=0.35)
    assert server_timing(Account([sequence])) == (
        'route;desc="remote", prefill;dur=300.0, transfer;dur=12.5, bytes;desc="4096", first;dur=350.0'
    )


def test_several_sequences_give_the_slowest_leg_and_the_first_token() -> None:
    slow = _remote(prefill_seconds=0.9, transfer_seconds=0.1, transfer_bytes=10, first_token_seconds=1.1)
    fast = _remote(prefill_seconds=0.2, transfer_seconds=0.3, transfer_bytes=20, first_token_seconds=0.6)
    assert server_timing(Account([slow, fast])) == (
        'route;desc="remote", prefill;dur=900.0, transfer;dur=300.0, bytes;desc="30", first;dur=600.0'
    )


def test_a_prefill_in_vain_is_told_with_the_reason() -> None:
    sequence = SequenceAccount(route=Route.LOCAL, reason=Reason.TRANSFER_FAILED, prompt_tokens=900, prefill_seconds=0.2)
    assert 'route;desc="local", reason;desc="transfer_failed", prefill;dur=200.0' in server_timing(Account([sequence]))


def test_an_answer_without_a_sequence_tells_its_route_alone() -> None:
    assert server_timing(Account()) == 'route;desc="local"'


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_is_a_legal_header(reason: Reason) -> None:
    sequence = SequenceAccount(route=Route.LOCAL, reason=reason, prompt_tokens=1, prefill_seconds=1e-9)
    assert _HEADER.fullmatch(server_timing(Account([sequence])))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=4))
def test_every_duration_is_a_legal_header(seconds: list[float]) -> None:
    sequences = [_remote(prefill_seconds=s, transfer_seconds=s, first_token_seconds=s) for s in seconds]
    assert _HEADER.fullmatch(server_timing(Account(sequences)))

"""What crosses between the deployments."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from tandem.serving.wire import (
    Account,
    HttpAnswer,
    HttpCall,
    HttpHead,
    PrefillAnswer,
    PrefillCall,
    SequenceAccount,
)


def _sequence(route: str, transfer_bytes: int = 0) -> SequenceAccount:
    return SequenceAccount(route=route, reason=None, prompt_tokens=300, transfer_bytes=transfer_bytes)


@pytest.mark.parametrize(
    ("routes", "route"),
    [
        ([], "local"),
        (["local"], "local"),
        (["local", "remote"], "remote"),
        (["remote", "local", "local"], "remote"),
    ],
)
def test_a_request_is_remote_when_one_of_its_sequences_is(routes: list[str], route: str) -> None:
    assert Account([_sequence(name) for name in routes]).route == route


def test_bytes_are_summed_over_the_sequences() -> None:
    assert Account([_sequence("remote", 40), _sequence("local"), _sequence("remote", 2)]).transfer_bytes == 42


def test_two_accounts_do_not_share_their_lists() -> None:
    first, second = Account(), Account()
    first.sequences.append(_sequence("local"))
    first.sequences[0].fallbacks.append("PrefillUnavailable")
    assert second.sequences == []
    assert _sequence("local").fallbacks == []


def test_everything_survives_the_way_between_processes() -> None:
    head = HttpHead(200, [(b"content-type", b"application/json")])
    sent = [
        HttpCall(method="POST", path="/v1/completions", query=b"", headers=[(b"a", b"b")], body=b"{}", route="remote"),
        HttpAnswer(head, b"{}", Account([_sequence("remote", 7)])),
        PrefillCall(request_id="cmpl-1", token_ids=[1, 2], cache_salt="salt"),
        PrefillAnswer({"remote_block_ids": [1]}, 0.5),
    ]
    assert pickle.loads(pickle.dumps(sent)) == sent


def test_a_call_is_not_changed_on_its_way() -> None:
    call = PrefillCall(request_id="cmpl-1", token_ids=[1])
    with pytest.raises(FrozenInstanceError):
        call.priority = 1  # type: ignore[misc]  # what is refused here

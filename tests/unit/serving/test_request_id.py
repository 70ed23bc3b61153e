"""A request id in the body counts, although Serve's proxy puts one into the headers."""

import pytest

from tandem.serving.request_id import without_proxys_id

PROXYS = (b"x-request-id", b"1b4e28ba-2fa1-4d2b-883f-0016d3cca427")
TYPE = (b"content-type", b"application/json")


def test_the_proxys_id_gives_way_to_the_bodys() -> None:
    assert without_proxys_id([TYPE, PROXYS], {"request_id": "mine"}) == [TYPE]


def test_without_an_id_in_the_body_the_proxys_stays_for_the_logs() -> None:
    assert without_proxys_id([TYPE, PROXYS], {"prompt": "a"}) == [TYPE, PROXYS]
    assert without_proxys_id([TYPE, PROXYS], {"request_id": 5}) == [TYPE, PROXYS]


@pytest.mark.parametrize(
    "headers",
    [
        [(b"x-request-id", b"in-the-header"), TYPE],
        [TYPE, (b"X-Request-Id", b"in-the-header")],
        [PROXYS, TYPE],  # not where the proxy puts its own
        [],
    ],
)
def test_a_clients_header_wins_as_it_does_with_vllm(headers: list[tuple[bytes, bytes]]) -> None:
    assert without_proxys_id(headers, {"request_id": "in-the-body"}) == headers

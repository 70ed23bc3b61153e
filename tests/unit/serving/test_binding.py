"""A transfer is bound to its tokens by their hash."""

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tandem.serving.binding import token_hash

_tokens = st.lists(st.integers(0, 2**32 - 1), max_size=50)


def test_it_is_blake2b_of_the_ids_as_little_endian_words() -> None:
    ids = [1, 2, 49151, 2**32 - 1]
    words = b"".join(i.to_bytes(4, "little") for i in ids)
    assert token_hash(ids) == hashlib.blake2b(words, digest_size=16).hexdigest()


def test_another_process_computes_the_same() -> None:
    code = "from tandem.serving.binding import token_hash; print(token_hash([5, 6, 7]))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == token_hash([5, 6, 7])


@given(_tokens, _tokens)
def test_other_tokens_have_another_hash(one: list[int], other: list[int]) -> None:
    assert (token_hash(one) == token_hash(other)) == (one == other)


@pytest.mark.parametrize("ids", [[-1], [2**32]])
def test_what_is_no_token_id_is_refused(ids: list[int]) -> None:
    with pytest.raises(OverflowError):
        token_hash(ids)

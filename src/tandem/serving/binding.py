"""Binds one transfer to exactly the tokens it was made for."""

import hashlib
from array import array
from collections.abc import Sequence

TOKEN_HASH = "tandem_token_hash"
"""Key in the transfer parameters. vLLM passes unknown keys through untouched."""


def token_hash(token_ids: Sequence[int]) -> str:
    """A 128-bit hash of the token ids, the same in every process."""
    return hashlib.blake2b(array("I", token_ids).tobytes(), digest_size=16).hexdigest()

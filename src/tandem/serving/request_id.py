"""Which request id vLLM is to take: the client's header, then the body's field, then one of our own.

vLLM takes the header before the body (https://docs.vllm.ai/en/stable/serving/online_serving/openai_compatible_server/),
and Ray Serve's proxy appends a header of its own where the client sent none, so that a body's field would never count.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

_HEADER = b"x-request-id"

Headers = Sequence[tuple[bytes, bytes]]


def without_proxys_id(headers: Headers, body: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """The headers less the id that Serve's proxy made, where the body names one."""
    own = isinstance(body.get("request_id"), str) and bool(headers) and _made_by_proxy(*headers[-1])
    return list(headers[:-1] if own else headers)


def _made_by_proxy(name: bytes, value: bytes) -> bool:
    """Serve appends a version 4 UUID as the last header (ray.serve._private.http_util.RequestIdMiddleware).

    A client's own UUID in a last header looks the same: then its body's field wins, which is its word as well.
    """
    try:
        return name.lower() == _HEADER and uuid.UUID(value.decode("latin-1")).version == 4
    except ValueError:
        return False

"""Reads a running service through its endpoint."""

from typing import Any

import httpx

_SECONDS = 5.0


def read_status(endpoint: str) -> dict[str, Any] | None:
    """The service's own status (`/tandem/status`), or None when nothing, or something else, answers there.

    `endpoint` is the OpenAI base URL, such as `http://127.0.0.1:8000/v1`.
    """
    try:
        answer = httpx.get(f"{base_url(endpoint)}/tandem/status", timeout=_SECONDS, trust_env=False)
        answer.raise_for_status()
        status = answer.json()
    except (httpx.HTTPError, ValueError):
        return None
    return status if isinstance(status, dict) else None


def base_url(endpoint: str) -> str:
    """The service's root for an OpenAI base URL."""
    return endpoint.rstrip("/").removesuffix("/v1")

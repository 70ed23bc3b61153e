"""The data plane: runs inside Ray Serve replicas. No other room imports it; render names its import path."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tandem.serving.builder import build_app

__all__ = ["build_app"]


def __getattr__(name: str) -> Any:
    # Lazy: vLLM's engine process imports tandem.serving.nixl_connector and must not pay for Ray Serve.
    if name == "build_app":
        from tandem.serving.builder import build_app

        return build_app
    raise AttributeError(name)

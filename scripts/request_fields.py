"""Writes src/tandem/facts/request_fields.json from the vLLM that is installed where this runs.

Run it with the Python of the serving environment: `.../serving/bin/python scripts/request_fields.py [FILE]`.
A contract test repeats it and compares, so a field that a new pin adds cannot be missed.
"""

import sys
import typing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import vllm
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python
from shapes import shape, write
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.entrypoints.openai.completion.protocol import CompletionRequest
from vllm.entrypoints.openai.responses.protocol import ResponsesRequest
from vllm.entrypoints.pooling.embed.protocol import EmbeddingRequest
from vllm.entrypoints.serve.tokenize.protocol import DetokenizeRequest, TokenizeRequest

TARGET = Path(__file__).parent.parent / "src" / "tandem" / "facts" / "request_fields.json"

REQUESTS: dict[str, Any] = {
    "/v1/chat/completions": ChatCompletionRequest,
    "/v1/completions": CompletionRequest,
    "/v1/responses": ResponsesRequest,
    "/v1/embeddings": EmbeddingRequest,
    "/tokenize": TokenizeRequest,
    "/detokenize": DetokenizeRequest,
}


def table() -> dict[str, Any]:
    """The fields of each endpoint's request models."""
    return {
        "version": vllm.__version__.split("+")[0],
        "endpoints": {path: _endpoint(models(request)) for path, request in REQUESTS.items()},
    }


def models(request: Any) -> list[Any]:
    """The models of a request that may be one of several."""
    if typing.get_origin(request) is typing.Annotated:
        return models(request.__origin__)
    parts = typing.get_args(request)
    return [model for part in parts for model in models(part)] if parts else [request]


def _endpoint(found: list[Any]) -> dict[str, Any]:
    names = sorted({name for model in found for name in model.model_fields})
    return {
        "models": [model.__name__ for model in found],
        "fields": {name: _merged([m.model_fields[name] for m in found if name in m.model_fields]) for name in names},
    }


def _merged(infos: list[FieldInfo]) -> dict[str, Any]:
    """One field as several models have it: all kinds, and the first one's default."""
    described = [_described(info) for info in infos]
    return {**described[0], "kinds": sorted({kind for one in described for kind in one["kinds"]})}


def _described(info: FieldInfo) -> dict[str, Any]:
    found = shape(info.annotation, info.metadata)
    if info.is_required():
        return {**found, "required": True}
    if info.default_factory in (list, dict):
        return {**found, "default": info.default_factory()}
    # Any other factory makes a value of its own for each request, such as an id: there is no default to write down.
    return found if info.default_factory else {**found, "default": to_jsonable_python(info.default)}


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET, table())

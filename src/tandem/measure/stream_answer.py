"""A streamed answer as one value, whatever the pieces it came in.

How many tokens one chunk carries depends on timing (https://docs.vllm.ai/en/stable/serving/online_serving/openai_compatible_server/),
so two streams of the same answer are compared by what they add up to.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_TEXT = frozenset({"text", "content", "arguments", "reasoning", "refusal"})
"""Fields of a chunk whose strings are parts of one string; any other string is repeated whole."""

DONE = "[DONE]"


def read_events(body: str) -> list[Any]:
    """The `data:` payloads of a server-sent event stream, parsed; `[DONE]` stays as it is.

    https://html.spec.whatwg.org/multipage/server-sent-events.html
    """
    # Not splitlines(): JSON text may hold other characters that Python takes for line ends, such as U+2028.
    lines = (line.removeprefix("data:").strip() for line in body.split("\n") if line.startswith("data:"))
    return [DONE if line == DONE else json.loads(line) for line in lines]


def folded(events: Sequence[Any]) -> dict[str, Any]:
    """All events as one value; `ended` tells whether the stream ended as its protocol says."""
    chunks = [event for event in events if event != DONE]
    if any("type" in chunk and "choices" not in chunk for chunk in chunks):
        return _responses(chunks)
    answer: Any = {}
    for chunk in chunks:
        answer = _merged("", answer, chunk)
    return {**answer, "ended": bool(events) and events[-1] == DONE}


def _merged(key: str, so_far: Any, more: Any) -> Any:
    if more is None:
        return so_far
    if so_far is None and isinstance(more, (dict, list)):
        so_far = type(more)()  # one chunk too may continue what it has begun: two parts of one tool call
    if isinstance(so_far, dict) and isinstance(more, dict):
        return {name: _merged(name, so_far.get(name), more.get(name)) for name in [*so_far, *_new(so_far, more)]}
    if isinstance(so_far, list) and isinstance(more, list):
        return _by_index(so_far, more) if _indexed(so_far + more) else so_far + more
    if key in _TEXT and isinstance(so_far, str) and isinstance(more, str):
        return so_far + more
    return more


def _new(so_far: Mapping[str, Any], more: Mapping[str, Any]) -> list[str]:
    return [name for name in more if name not in so_far]


def _indexed(items: Iterable[Any]) -> bool:
    """True for choices and tool calls, which say by `index` what they continue."""
    found = list(items)
    return bool(found) and all(isinstance(item, dict) and "index" in item for item in found)


def _by_index(so_far: list[Any], more: list[Any]) -> list[Any]:
    merged = {item["index"]: item for item in so_far}
    for item in more:
        merged[item["index"]] = _merged("", merged.get(item["index"]), item)
    return [merged[index] for index in sorted(merged)]


def _responses(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A /v1/responses stream: the kinds of events in their order, the sums of their deltas, and the last event."""
    kinds: list[str] = []
    deltas: dict[str, str] = {}
    for event in events:
        kind = str(event.get("type"))
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
        if isinstance(event.get("delta"), str):
            deltas[kind] = deltas.get(kind, "") + event["delta"]
    return {"kinds": kinds, "deltas": deltas, "last": events[-1], "ended": kinds[-1].startswith("response.")}

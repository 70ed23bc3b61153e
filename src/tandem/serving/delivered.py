"""What of a streamed answer the client has, and what of a repeated one is therefore new. Pure."""

import json
import re
from collections import Counter
from typing import Any

# vLLM puts one choice in an event, its index first.
_INDEX = re.compile(rb'"choices":\s*\[\{"index":\s*(\d+)')


class DeliveredEvents:
    """For a request of one sequence: its repetition has the same events, so the first ones are left out by number."""

    def __init__(self) -> None:
        self._had = 0
        self._seen = 0

    def begin(self) -> None:
        """Another replica starts from the beginning."""
        self._seen = 0

    def unseen(self, event: bytes) -> bytes | None:
        """The event, or None when the client has it."""
        self._seen += 1
        if self._seen <= self._had:
            return None
        self._had += 1
        return event


class DeliveredText:
    """For a request of several sequences: a repetition gives the same text, but in events of other sizes."""

    def __init__(self) -> None:
        self._had: Counter[str] = Counter()
        self._seen: Counter[str] = Counter()
        self._finished: set[str] = set()
        self._repeating = False

    def begin(self) -> None:
        """Another replica starts from the beginning."""
        self._seen.clear()
        self._repeating = bool(self._had or self._finished)

    def unseen(self, event: bytes) -> bytes | None:
        """The event with the text that the client does not have, or None when there is nothing new in it."""
        match = _INDEX.search(event)
        if match is None:
            return self._once(event)
        key = match[1].decode()
        data = json.loads(event.removeprefix(b"data: "))
        choice = data["choices"][0]
        text = _text(choice)
        self._seen[key] += len(text)
        new = text[len(text) - max(0, self._seen[key] - self._had[key]) :] if text else ""
        ends = choice.get("finish_reason") is not None and key not in self._finished
        if self._repeating and not new and not ends:
            return None
        self._had[key] = max(self._had[key], self._seen[key])
        self._finished |= {key} if ends else set()
        return event if new == text else _with_text(data, new)

    def _once(self, event: bytes) -> bytes | None:
        """Events of no choice, such as the usage at the end, come once."""
        name = event[:40].decode(errors="replace").split('"id"')[0]
        if name in self._finished:
            return None
        self._finished.add(name)
        return event


def _text(choice: dict[str, Any]) -> str:
    return str(choice.get("text") or (choice.get("delta") or {}).get("content") or "")


def _with_text(data: dict[str, Any], text: str) -> bytes:
    choice = data["choices"][0]
    if "text" in choice:
        choice["text"] = text
    else:
        choice["delta"]["content"] = text
    return b"data: " + json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode() + b"\n\n"

"""The course of a streamed answer, so that another replica can repeat it exactly and go on from there.

vLLM's HTTP layer makes its events from the engine's outputs in order. With the same tokens in outputs of the same size
it makes the same events; the ingress then leaves out those that the client has.
"""

import copy
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Group(NamedTuple):
    """The size of one engine output: tokens, and characters of text."""

    tokens: int
    characters: int


@dataclass
class Course:
    """What a request has given so far. Tokens and groups are told for a request of one sequence only.

    A request of several (`n`, or a list of prompts) is begun anew after a failure: greedy or seeded it gives the same
    events for each of its choices.
    """

    token_ids: list[int] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    sequences: int = 0

    def begin(self, samples: int) -> None:
        """A sequence with this many samples starts."""
        self.sequences += samples

    @property
    def single(self) -> bool:
        """True while the request has one sequence, which can be repeated token by token."""
        return self.sequences == 1

    def add(self, output: Any) -> None:
        """Notes one RequestOutput with delta text."""
        completion = output.outputs[0]
        self.token_ids.extend(completion.token_ids)
        self.groups.append(Group(len(completion.token_ids), len(completion.text)))

    def take(self) -> "Course":
        """What came since the last call, in a course of its own."""
        taken = Course(self.token_ids, self.groups, self.sequences)
        self.token_ids, self.groups = [], []
        return taken

    def extend(self, more: "Course") -> None:
        """Appends what followed."""
        self.token_ids.extend(more.token_ids)
        self.groups.extend(more.groups)
        self.sequences = more.sequences


async def regrouped(outputs: AsyncIterator[Any], groups: list[Group]) -> AsyncGenerator[Any, None]:
    """The outputs of a repeated answer, merged and split to the sizes of the first time; later ones as they come."""
    waiting = deque(groups)
    pending: Any = None
    async for output in outputs:
        pending = _merged(pending, output)
        while waiting and pending is not None and len(pending.outputs[0].token_ids) >= waiting[0].tokens:
            first, pending = _split(pending, waiting.popleft())
            yield first
        if not waiting and pending is not None:
            yield pending
            pending = None
    if pending is not None:
        yield pending


def _merged(earlier: Any, later: Any) -> Any:
    if earlier is None:
        return later
    earlier.add(later, aggregate=True)
    return earlier


def _split(output: Any, size: Group) -> tuple[Any, Any]:
    """The first `size` of an output and the rest; None for a rest that holds nothing."""
    whole = output.outputs[0]
    if len(whole.token_ids) == size.tokens and len(whole.text) == size.characters:
        return output, None
    first, rest = copy.copy(output), copy.copy(output)
    first.outputs = [_part(whole, slice(0, size.tokens), slice(0, size.characters), last=False)]
    rest.outputs = [_part(whole, slice(size.tokens, None), slice(size.characters, None), last=True)]
    first.finished = False
    return first, rest


def _part(whole: Any, tokens: slice, characters: slice, *, last: bool) -> Any:
    part = copy.copy(whole)
    part.token_ids = list(whole.token_ids)[tokens]
    part.text = whole.text[characters]
    part.logprobs = whole.logprobs[tokens] if whole.logprobs is not None else None
    if not last:
        part.finish_reason, part.stop_reason = None, None
    return part

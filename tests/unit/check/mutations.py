"""Random mistakes in a valid config: a key moved, renamed or retyped, a value out of range. Same seed, same list."""

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tandem.spec.reading import at, dotted
from tandem.spec.source import KeyPath

_OTHER_TYPES: tuple[Any, ...] = ("text", "", 7, -1, 2.5, True, None, [], ["a", 1], {}, {"a": 1})
_FAR_OFF: tuple[Any, ...] = (0, -1, -4096, 10**12, 1.5, -0.5, "maximum", "no-such-choice")


@dataclass(frozen=True)
class Mutation:
    """What was done, and the data after it."""

    told: str
    data: Any


def mutations(data: Any, count: int, seed: int) -> list[Mutation]:
    """`count` configs that each differ from `data` by one mistake."""
    chance = random.Random(seed)
    paths = list(_paths(data))
    found: list[Mutation] = []
    while len(found) < count:
        mutation = chance.choice((_moved, _renamed, _retyped, _out_of_range))(data, chance.choice(paths), chance)
        if mutation is not None and mutation.data != data:
            found.append(mutation)
    return found


def _paths(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        yield from _paths(value, (*path, key))


def _moved(data: Any, path: KeyPath, chance: random.Random) -> Mutation | None:
    """To the parent's level, or into a mapping beside it."""
    if isinstance(path[-1], int):
        return None
    changed = deepcopy(data)
    parent = at(changed, path[:-1])
    value = parent.pop(path[-1])
    above = at(changed, path[:-2]) if len(path) > 1 else None
    beside = [item for item in parent.values() if isinstance(item, dict)]
    targets = beside + ([above] if isinstance(above, dict) else [])
    if not targets:
        return None
    chance.choice(targets)[path[-1]] = value
    return Mutation(f"moved {dotted(path)}", changed)


def _renamed(data: Any, path: KeyPath, chance: random.Random) -> Mutation | None:
    if isinstance(path[-1], int):
        return None
    name = path[-1]
    place = chance.randrange(len(name))
    typo = chance.choice(
        (name[:place] + name[place + 1 :], name[:place] + "x" + name[place:], name.replace("_", "-"), name.title())
    )
    changed = deepcopy(data)
    parent = at(changed, path[:-1])
    if typo in parent or not typo:
        return None
    parent[typo] = parent.pop(name)
    return Mutation(f"renamed {dotted(path)} to {typo}", changed)


def _retyped(data: Any, path: KeyPath, chance: random.Random) -> Mutation | None:
    return _put(data, path, deepcopy(chance.choice(_OTHER_TYPES)))


def _out_of_range(data: Any, path: KeyPath, chance: random.Random) -> Mutation | None:
    if isinstance(at(data, path), (dict, list)):
        return None
    return _put(data, path, chance.choice(_FAR_OFF))


def _put(data: Any, path: KeyPath, value: Any) -> Mutation:
    changed = deepcopy(data)
    at(changed, path[:-1])[path[-1]] = value
    return Mutation(f"{dotted(path)} = {value!r}", changed)

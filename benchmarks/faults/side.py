"""A service under test, whoever wrote it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Side:
    """`session` is the pid of the leader of its process session, to which all of its processes belong."""

    endpoint: str
    session: int

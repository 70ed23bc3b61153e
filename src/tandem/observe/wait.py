"""The one wait loop: ends by a goal, by a failure that `poll` raises, or by its deadline with the cause."""

import time
from collections.abc import Callable
from typing import TypeVar

from tandem.core.errors import DeadlineError

T = TypeVar("T")


def wait_for(
    what: str, poll: Callable[[], T | None], *, seconds: float, pause: float = 0.3, cause: Callable[[], str] = str
) -> T:
    """Polls until `poll` gives something else than None.

    Raises:
        DeadlineError: `what` did not happen in time; `cause` is asked for the reason then.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        result = poll()
        if result is not None:
            return result
        time.sleep(pause)
    reason = cause()
    raise DeadlineError(f"{what} did not happen within {seconds:.0f} s" + (f": {reason}" if reason else ""))

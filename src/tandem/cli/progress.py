"""Progress on the screen: a spinner with the current step and the time, or plain lines where there is no terminal."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from tandem.apply.local.cache import Say


@contextmanager
def progress(what: str) -> Iterator[Say]:
    """Yields a function that tells the current step. Everything goes to stderr, so that --json stays clean."""
    console = Console(stderr=True, highlight=False)
    began = time.monotonic()
    last = ""
    with console.status(what) as status:

        def say(step: str) -> None:
            nonlocal last
            status.update(f"{what}: {step} ({time.monotonic() - began:.0f} s)")
            if step != last and not console.is_terminal:
                console.print(f"{what}: {step}")
            last = step

        yield say

"""Runs installers side by side, each with its log, and stops them all when one fails."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tandem.apply.local.cache import Say
from tandem.apply.local.installers import Command, installer_environment, installer_failure

_POLL_SECONDS = 0.1
_PROGRESS_SECONDS = 5.0


@dataclass
class Installation:
    """One thing to install: its commands are tried in order until one succeeds; all write to `log`."""

    what: str
    commands: Sequence[Command]
    log: Path
    done: bool = False
    _tried: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self, held: int) -> None:
        """Starts the first command."""
        self.log.write_bytes(b"")
        self._start(held)

    def advance(self, held: int) -> None:
        """Looks at the running command; starts the next one when it failed.

        Raises:
            TandemError: the last command failed.
        """
        assert self._process is not None
        status = self._process.poll()
        if status is None or self.done:
            return
        if status == 0:
            self.done = True
        elif self._tried < len(self.commands):
            self._start(held)
        else:
            raise installer_failure(self.what, self.commands[-1], status, self.log)

    def stop(self) -> None:
        """Ends the running command, if any, and waits for its end."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def _start(self, held: int) -> None:
        command = self.commands[self._tried]
        self._tried += 1
        with self.log.open("ab") as log:
            log.write(f"$ {' '.join(command)}\n".encode())
            log.flush()
            environ = installer_environment(os.environ)
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=environ, pass_fds=[held]
            )


def run_installations(jobs: Sequence[Installation], say: Say, held: int) -> None:
    """Runs all at once to their end, told every few seconds. When one fails, the others are stopped.

    `held` is the descriptor of the lock: the installers keep it open, so that nobody rebuilds under their hands.

    Raises:
        TandemError: the first failure.
    """
    with _all_stopped(jobs):
        for job in jobs:
            job.start(held)
        started = told = time.monotonic()
        while not all(job.done for job in jobs):
            for job in jobs:
                job.advance(held)
            if time.monotonic() - told > _PROGRESS_SECONDS:
                told = time.monotonic()
                say(_progress(jobs, told - started))
            time.sleep(_POLL_SECONDS)


@contextmanager
def _all_stopped(jobs: Sequence[Installation]) -> Iterator[None]:
    try:
        yield
    finally:
        for job in jobs:
            job.stop()


def _progress(jobs: Sequence[Installation], seconds: float) -> str:
    states = ", ".join(f"{job.what} {'done' if job.done else 'under way'}" for job in jobs)
    return f"Installing the serving environment: {states} ({seconds:.0f} s)"

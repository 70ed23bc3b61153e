"""The exception tree. Every error that Tandem raises on purpose is one of these.

    TandemError                   something failed                                   exit 1
    ├── InputError                the user's file, flag or machine is not as needed  exit 2
    ├── StaleError                the world moved since the plan was made            exit 3
    └── DeadlineError             a wait ended by its deadline                       exit 4

The command line catches the root once, prints one line, and writes the traceback to the run folder.
"""

from collections.abc import Sequence
from pathlib import Path

from tandem.core.problem import Problem


class TandemError(Exception):
    """Something failed. `fix` says what the user can do about it, `log` where the details are."""

    exit_code = 1

    def __init__(self, message: str, *, fix: str = "", log: Path | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.log = log


class InputError(TandemError):
    """What the user gave cannot be used. Carries all problems of the input at once."""

    exit_code = 2

    def __init__(self, message: str, *, problems: Sequence[Problem] = (), fix: str = "") -> None:
        super().__init__(message, fix=fix)
        self.problems = tuple(problems)


class StaleError(TandemError):
    """The thing that was planned against has changed since."""

    exit_code = 3


class DeadlineError(TandemError):
    """A wait ended without its goal. The message names what was waited for and the cause."""

    exit_code = 4

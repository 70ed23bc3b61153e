"""Where Tandem keeps things on this machine."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """The state folder: one folder a run, and a link to the current one."""

    root: Path

    @property
    def runs(self) -> Path:
        """One folder per run of `tandem up`."""
        return self.root / "runs"

    @property
    def current(self) -> Path:
        """Link to the folder of the run that is up, or was last."""
        return self.root / "current"

    @property
    def lock(self) -> Path:
        """Held while a run is registered or taken down."""
        return self.root / "lock"


def home() -> Home:
    """TANDEM_HOME, else XDG's state folder: https://specifications.freedesktop.org/basedir-spec/latest/."""
    given = os.environ.get("TANDEM_HOME")
    if given:
        return Home(Path(given).absolute())
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Home(Path(state) / "tandem")

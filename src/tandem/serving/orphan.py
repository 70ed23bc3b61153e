"""Ends an engine process whose replica is gone.

`kill -9` of a replica, or `ray stop --force`, leaves vLLM's engine process alive: it spins, holds its memory and
its side-channel port, and the next engine on that port never starts.
"""

import os
import signal
import threading
import time

_POLL_SECONDS = 0.5


def end_with_parent() -> None:
    """Watches the parent process from a daemon thread and kills this process when the parent has died."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="tandem-parent-watch", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)

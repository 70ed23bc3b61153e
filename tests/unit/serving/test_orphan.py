"""An engine process ends with its replica, however the replica ended."""

import sys
import time

import psutil

from tandem.apply.local.run import ProcessId
from tests.unit.conftest import Session, until

_ENGINE = """
import os, time
from tandem.serving import orphan
orphan._POLL_SECONDS = 0.02
orphan.end_with_parent()
print(os.getpid(), flush=True)
time.sleep(300)
"""


def test_a_killed_parent_takes_its_child_along(session: Session) -> None:
    replica = session("sh", "-c", f'{sys.executable} -c "$0" & wait', _ENGINE)
    assert replica.stdout is not None
    engine = ProcessId.of(int(replica.stdout.readline()))
    time.sleep(0.1)  # several looks at a parent that lives
    assert engine.alive()
    psutil.Process(replica.pid).kill()
    until(lambda: not engine.alive())

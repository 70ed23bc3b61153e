"""The processes of a run, found by their process session, whoever their parents are by now.

Ray and vLLM start processes through several parents, some of which die first; all stay in the session that the
supervisor opened. Titles and environments are rewritten by setproctitle and cannot be relied on.
"""

import os
import signal
import time
from contextlib import suppress

import psutil

from tandem.apply.local.run import RunState

_POLL_SECONDS = 0.1
_KILL_ROUNDS = 5
_KILL_SECONDS = 2.0


def run_processes(state: RunState) -> list[psutil.Process]:
    """Live processes of the run's session, without zombies."""
    if state.supervisor is None:
        return []
    if state.supervisor.replaced():  # the number of a session is not given again while a process is in it
        return []
    return session_processes(state.supervisor.pid)


def session_processes(session: int) -> list[psutil.Process]:
    """Live processes of a session, named by its leader's pid, without zombies."""
    return [p for p in psutil.process_iter() if _session(p.pid) == session and _lives(p)]


def end_session(leader: int, patience: float) -> None:
    """Asks a session's leader to end, waits `patience` seconds for all of the session, then kills what is left."""
    found = session_processes(leader)
    for process in found:
        if process.pid == leader:
            process.terminate()
    psutil.wait_procs(found, timeout=patience)
    while left := session_processes(leader):
        for process in left:
            _kill(process)
        psutil.wait_procs(left, timeout=2.0)


def end_processes(state: RunState, patience: float) -> list[int]:
    """Asks the supervisor to end the run, waits `patience` seconds, then kills what is left.

    Returns:
        The pids that had to be killed. What the kernel holds on to, such as a process that waits for a dead disk, is
        given up after some rounds and is still among `run_processes`.
    """
    if state.supervisor is not None and state.supervisor.alive():
        with suppress(ProcessLookupError):
            os.kill(state.supervisor.pid, signal.SIGTERM)
        _wait_gone(state, patience)
    killed: set[int] = set()
    for _ in range(_KILL_ROUNDS):  # a killed replica's supervisor may have started another meanwhile
        left = run_processes(state)
        if not left:
            break
        killed.update(process.pid for process in left)
        for process in left:
            _kill(process)
        _wait_gone(state, _KILL_SECONDS)
    return sorted(killed)


def listening_ports(state: RunState) -> list[int]:
    """Ports on which processes of the run listen."""
    return sorted({port for process in run_processes(state) for port in _ports(process)})


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return


def _ports(process: psutil.Process) -> list[int]:
    try:
        sockets = process.net_connections("tcp")
    except psutil.Error:
        return []
    return [socket.laddr.port for socket in sockets if socket.status == psutil.CONN_LISTEN]


def _wait_gone(state: RunState, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while run_processes(state) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)

"""The processes of a run, found by their process session, whoever their parents are by now.

Ray and vLLM start processes through several parents, some of which die first; all stay in the session that the
supervisor opened. Titles and environments are rewritten by setproctitle and cannot be relied on.
"""

import os
import signal
import time

import psutil

from tandem.apply.local.run import ProcessId, RunState

_POLL_SECONDS = 0.1


def run_processes(state: RunState) -> list[psutil.Process]:
    """Live processes of the run's session, without zombies."""
    if state.supervisor is None:
        return []
    session = state.supervisor.pid
    if _taken_over(state.supervisor):
        return []
    return session_processes(session)


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
        The pids that had to be killed.
    """
    if state.supervisor is not None and state.supervisor.alive():
        os.kill(state.supervisor.pid, signal.SIGTERM)
        _wait_gone(state, patience)
    killed: list[int] = []
    while left := run_processes(state):  # a killed replica's supervisor may have started another meanwhile
        for process in left:
            killed.append(process.pid)
            _kill(process)
        _wait_gone(state, 2.0)
    return killed


def listening_ports(state: RunState) -> list[int]:
    """Ports on which processes of the run listen."""
    return sorted({port for process in run_processes(state) for port in _ports(process)})


def _taken_over(leader: ProcessId) -> bool:
    """True when another process leads a session of the same number: ours is empty then."""
    try:
        return psutil.Process(leader.pid).create_time() != leader.created
    except psutil.NoSuchProcess:
        return False


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

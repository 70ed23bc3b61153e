"""Finding and ending the processes of a run: real sessions of real processes."""

import sys

import psutil
import pytest

from tandem.apply.local import processes
from tandem.apply.local.processes import end_processes, listening_ports, run_processes
from tandem.apply.local.run import ProcessId, RunState
from tests.unit.apply_local.conftest import State
from tests.unit.conftest import Session, until

# Two children, ended by the leader on SIGTERM. Not a shell's trap, which can miss a signal just before `wait`.
_OBEY = """
import signal, subprocess
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
children = [subprocess.Popen(["sleep", "300"]) for _ in range(2)]
print("ready", flush=True)
signal.sigwait({signal.SIGTERM})
for child in children:
    child.kill()
    child.wait()
"""
_OBEDIENT = (sys.executable, "-S", "-E", "-c", _OBEY)
_LISTENER = """
import socket, sys
a, b = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1], flush=True)
sys.stdin.read()
"""


def _started(session: Session, state: State, *command: str) -> RunState:
    """The state of a run whose session has written its first line."""
    leader = session(*command)
    made = state(ProcessId.of(leader.pid))
    assert leader.stdout is not None
    assert leader.stdout.readline() == "ready\n"
    return made


def _names(made: RunState) -> list[str]:
    return sorted(process.name() for process in run_processes(made))


def test_a_run_without_a_supervisor_has_no_processes(state: State) -> None:
    assert run_processes(state()) == []
    assert end_processes(state(), patience=0.0) == []
    assert listening_ports(state()) == []


def test_all_of_the_session_are_found(session: Session, state: State) -> None:
    assert len(run_processes(_started(session, state, *_OBEDIENT))) == 3


def test_orphans_of_a_dead_supervisor_are_found(session: Session, state: State) -> None:
    made = _started(session, state, "sleep 300 & echo ready; read line")
    assert made.supervisor is not None
    psutil.Process(made.supervisor.pid).kill()
    until(lambda: _names(made) == ["sleep"])
    [orphan] = run_processes(made)
    assert end_processes(made, patience=0.0) == [orphan.pid]
    assert run_processes(made) == []


def test_zombies_are_not_counted(session: Session, state: State) -> None:
    made = _started(session, state, "sleep 0 & echo ready; exec sleep 300")
    assert made.supervisor is not None
    leader = psutil.Process(made.supervisor.pid)
    until(lambda: [child.status() for child in leader.children()] == [psutil.STATUS_ZOMBIE])
    assert [process.pid for process in run_processes(made)] == [leader.pid]


def test_a_session_that_obeys_is_ended_without_killing(session: Session, state: State) -> None:
    made = _started(session, state, *_OBEDIENT)
    assert end_processes(made, patience=10.0) == []
    assert run_processes(made) == []


def test_what_ignores_the_request_is_killed_and_told(session: Session, state: State) -> None:
    made = _started(session, state, "trap '' TERM; sleep 300 & echo ready; wait")
    pids = sorted(process.pid for process in run_processes(made))
    assert len(pids) == 2
    assert end_processes(made, patience=0.2) == pids
    assert run_processes(made) == []


def test_what_starts_another_while_it_is_killed_is_followed(
    session: Session, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Serve's controller does with a replica: what it starts after the first look is still in the session."""
    leader = session("trap '' TERM; echo ready; read go; sleep 300 & wait")
    made, kill = state(ProcessId.of(leader.pid)), processes._kill
    assert leader.stdin is not None
    assert leader.stdout is not None
    leader.stdout.readline()

    def start_another_first(process: psutil.Process) -> None:
        if process.pid == leader.pid and leader.stdin is not None:
            leader.stdin.write("go\n")
            leader.stdin.flush()
            until(lambda: len(run_processes(made)) == 2)
        kill(process)

    monkeypatch.setattr(processes, "_kill", start_another_first)
    assert len(end_processes(made, patience=0.0)) == 2
    assert run_processes(made) == []


def test_another_run_is_not_touched(session: Session, state: State) -> None:
    ours, other = _started(session, state, *_OBEDIENT), _started(session, state, *_OBEDIENT)
    end_processes(ours, patience=10.0)
    assert len(run_processes(other)) == 3


def test_a_later_session_with_the_same_number_is_not_touched(session: Session, state: State) -> None:
    later = _started(session, state, *_OBEDIENT)
    assert later.supervisor is not None
    ours = state(ProcessId(later.supervisor.pid, later.supervisor.created - 100))
    assert run_processes(ours) == []
    assert end_processes(ours, patience=0.0) == []
    assert len(run_processes(later)) == 3


def test_what_cannot_be_killed_is_given_up(session: Session, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a process in uninterruptible sleep, which a test cannot make."""
    monkeypatch.setattr(processes, "_KILL_SECONDS", 0.05)
    monkeypatch.setattr(processes, "_kill", lambda process: None)
    made = _started(session, state, "trap '' TERM; echo ready; while :; do sleep 300; done")
    until(lambda: "sleep" in _names(made))
    tried = end_processes(made, patience=0.0)
    assert tried == sorted(process.pid for process in run_processes(made))
    assert len(tried) == 2


def test_listening_ports_are_found(session: Session, state: State) -> None:
    leader = session(sys.executable, "-S", "-E", "-c", _LISTENER)
    made = state(ProcessId.of(leader.pid))
    assert leader.stdout is not None
    ports = sorted(int(port) for port in leader.stdout.readline().split())
    assert listening_ports(made) == ports
    leader.communicate()
    assert listening_ports(made) == []

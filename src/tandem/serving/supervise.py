"""Runs one local service: starts Ray on loopback, has the application deployed, and stays until it is told to end.

    python -m tandem.serving.supervise RUN_FOLDER

Reads RUN_FOLDER/serve.json, and looks for RUN_FOLDER/ready, by which the starting command tells that it has finished.
Writes RUN_FOLDER/events.jsonl (one JSON object a line) and RUN_FOLDER/shm.txt. Everything it starts belongs to its
process session, by which the control plane finds and ends what is left.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import ray

from tandem.apply.local.run import ProcessId
from tandem.apply.local.shared_memory import mapped_inodes

_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h: orphans of dead replicas become our children and are reaped
_WATCH_SECONDS = 2.0
_NOTE_EVERY = 5  # watches between two looks at shared memory
_OBJECT_STORE_BYTES = 100 * 1024**2  # requests travel inline; the store is hardly used


def main() -> int:
    """Exit code 0 after a wanted end, 1 when Ray did not start."""
    folder = Path(sys.argv[1])
    config = json.loads((folder / "serve.json").read_text(encoding="utf-8"))
    stop = threading.Event()
    for wanted in (signal.SIGTERM, signal.SIGINT):
        signal.signal(wanted, lambda *_: stop.set())
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    Supervisor(folder, config).run(stop)
    return 0


class Supervisor:
    """Owner of the Ray node of one run."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self._folder = folder
        self._ray = config["ray"]
        self._starter = ProcessId(**config["starter"])
        self._shared_memory: set[int] = set()

    def run(self, stop: threading.Event) -> None:
        """Starts everything, then watches until `stop` is set."""
        launch = self._start_launch()  # first: it spends its first seconds importing, while Ray starts
        self._tell({"step": "ray", "state": "starting"})
        address = self._start_ray()
        self._tell({"step": "ray", "state": "ready", "address": address})
        assert launch.stdin is not None
        launch.stdin.write(f"{address}\n".encode())
        launch.stdin.close()
        threading.Thread(target=self._relay, args=(launch,), daemon=True).start()
        watches = 0
        while not stop.wait(_WATCH_SECONDS) and not self._abandoned():
            if watches % _NOTE_EVERY == 0:
                self._note_shared_memory()
            watches += 1
        self._note_shared_memory()
        self._tell({"step": "stop", "state": "stopping"})
        ray.shutdown()

    def _abandoned(self) -> bool:
        """True when the command that starts the service was killed before the service was ready."""
        if (self._folder / "ready").exists():
            return False
        return not self._starter.alive()

    def _start_ray(self) -> str:
        context = ray.init(
            address="local",
            num_cpus=self._ray["num_cpus"],
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=_OBJECT_STORE_BYTES,
            namespace="serve",
            _node_ip_address="127.0.0.1",
            _temp_dir=self._ray["temp_dir"],
        )
        return str(context.address_info["address"])

    def _start_launch(self) -> "subprocess.Popen[bytes]":
        log = (self._folder / "launch.log").open("ab")
        command = [sys.executable, "-m", "tandem.serving.launch", str(self._folder / "serve.json")]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)

    def _relay(self, launch: "subprocess.Popen[bytes]") -> None:
        assert launch.stdout is not None
        for line in launch.stdout:
            if line.startswith(b"{"):  # libraries print banners between our events
                self._tell({"step": "app", **json.loads(line)})
        self._tell({"step": "launch", "state": "ended", "code": launch.wait()})

    def _tell(self, event: dict[str, Any]) -> None:
        with (self._folder / "events.jsonl").open("a", encoding="utf-8") as events:
            events.write(json.dumps({"at": time.time(), **event}) + "\n")

    def _note_shared_memory(self) -> None:
        """Writes down the shared memory of the session, since a killed process cannot be asked any more."""
        found = {inode for pid in _session() for inode in mapped_inodes(pid)}
        if not found <= self._shared_memory:
            self._shared_memory |= found
            text = "\n".join(str(inode) for inode in sorted(self._shared_memory))
            (self._folder / "shm.txt").write_text(text, encoding="utf-8")


def _session() -> list[int]:
    own = os.getsid(0)
    return [pid for pid in psutil.pids() if _session_of(pid) == own]


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


if __name__ == "__main__":
    sys.exit(main())

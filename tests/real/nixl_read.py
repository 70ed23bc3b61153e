"""One NIXL agent of a pair. Serving environment only.

    python tests/real/nixl_read.py BACKEND owner|reader FOLDER

The owner registers 8 MiB of pseudo-random bytes; the reader pulls them into its own memory by a NIXL READ and
compares their hash with what the owner wrote down. They find each other by files in FOLDER.
"""

import hashlib
import json
import random
import sys
import time
from pathlib import Path

import numpy as np
from nixl._api import nixl_agent, nixl_agent_config

SIZE = 8 * 2**20
DEADLINE_SECONDS = 40.0


def own(agent: nixl_agent, folder: Path) -> None:
    """Offers the bytes, and stays until the reader has them."""
    data = np.frombuffer(random.Random(1).randbytes(SIZE), dtype=np.uint8).copy()
    agent.register_memory([(data.ctypes.data, SIZE, 0, "")], "DRAM")
    offer = {
        "metadata": agent.get_agent_metadata().hex(),
        "address": data.ctypes.data,
        "sha256": hashlib.sha256(data.tobytes()).hexdigest(),
    }
    (folder / "offer.part").write_text(json.dumps(offer))
    (folder / "offer.part").rename(folder / "offer")
    wait_for(lambda: (folder / "done").exists())


def read(agent: nixl_agent, folder: Path) -> None:
    """Pulls the bytes and checks them; the process ends with 1 when they differ."""
    data = np.zeros(SIZE, dtype=np.uint8)
    agent.register_memory([(data.ctypes.data, SIZE, 0, "")], "DRAM")
    wait_for(lambda: (folder / "offer").exists())
    offer = json.loads((folder / "offer").read_text())
    peer = agent.add_remote_agent(bytes.fromhex(offer["metadata"]))
    here = agent.get_xfer_descs([(data.ctypes.data, SIZE, 0)], "DRAM")
    there = agent.get_xfer_descs([(offer["address"], SIZE, 0)], "DRAM")
    started = time.monotonic()
    transfer = agent.initialize_xfer("READ", here, there, peer)
    agent.transfer(transfer)
    wait_for(lambda: agent.check_xfer_state(transfer) == "DONE")
    seconds = time.monotonic() - started
    agent.release_xfer_handle(transfer)
    (folder / "done").touch()
    equal = hashlib.sha256(data.tobytes()).hexdigest() == offer["sha256"]
    print(json.dumps({"equal": equal, "bytes": SIZE, "seconds": seconds}), flush=True)
    sys.exit(0 if equal else 1)


def wait_for(condition: object) -> None:
    """Polls until the condition is true; ends the process at the deadline."""
    assert callable(condition)
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            sys.exit("the other side did not answer in time")
        time.sleep(0.001)


if __name__ == "__main__":
    backend, role, shared = sys.argv[1:]
    local = nixl_agent(role, nixl_agent_config(backends=[backend]))
    {"owner": own, "reader": read}[role](local, Path(shared))

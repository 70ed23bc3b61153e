"""Measures what the running service costs while nobody asks it anything.

    .venv/bin/python scripts/idle.py [SECONDS]

Prints cores and resident memory of each process of the run, and the sums.
"""

import sys
import time

import psutil

from tandem.apply.local.paths import home
from tandem.apply.local.processes import run_processes
from tandem.apply.local.run import current_run


def main() -> int:
    """Exit code 1 when nothing is up."""
    run = current_run(home())
    if run is None:
        print("nothing is up")
        return 1
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    before = _cpu_seconds(run_processes(run.state))
    time.sleep(seconds)
    processes = run_processes(run.state)
    after = _cpu_seconds(processes)
    rows = [((after[p.pid] - before.get(p.pid, 0.0)) / seconds, p.memory_info().rss, _title(p)) for p in processes]
    for cores, memory, title in sorted(rows, reverse=True):
        print(f"{cores:6.3f} cores {memory / 2**20:7.0f} MiB  {title}")
    print(f"{sum(r[0] for r in rows):6.3f} cores {sum(r[1] for r in rows) / 2**20:7.0f} MiB  the whole service")
    return 0


def _cpu_seconds(processes: list[psutil.Process]) -> dict[int, float]:
    return {p.pid: p.cpu_times().user + p.cpu_times().system for p in processes}


def _title(process: psutil.Process) -> str:
    return " ".join(process.cmdline())[:80]


if __name__ == "__main__":
    sys.exit(main())

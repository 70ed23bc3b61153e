"""What the supervisor of a run reports, read from its events file."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Progress:
    """The state of a start as far as its events tell."""

    ray_address: str | None = None
    deployments: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: bool = False
    failed: str | None = None

    def sentence(self) -> str:
        """What is going on, for a person who waits."""
        if self.ray_address is None:
            return "starting Ray"
        waiting = [name.split(":")[0].lower() for name, d in self.deployments.items() if not d["running"]]
        ready = [name.split(":")[0].lower() for name, d in self.deployments.items() if d["running"]]
        if not self.deployments:
            return "building the application"
        ready_part = f"{', '.join(ready)} ready; " if ready else ""
        return f"{ready_part}loading {' and '.join(waiting)}" if waiting else "waiting for the first answer"


def read_progress(events: Path) -> Progress:
    """All events so far, folded. A line that is still being written is left for the next time."""
    progress = Progress()
    try:
        text = events.read_text(encoding="utf-8")
    except FileNotFoundError:
        return progress
    for line in text.splitlines(keepends=True):
        if line.endswith("\n"):
            _fold(progress, json.loads(line))
    return progress


def _fold(progress: Progress, event: dict[str, Any]) -> None:
    if event["step"] == "ray":
        progress.ray_address = event.get("address")
    if event["step"] == "app":
        progress.deployments = event.get("deployments", progress.deployments)
        progress.done = progress.done or bool(event.get("done"))
        progress.failed = event.get("failed", progress.failed)
        progress.failed = progress.failed or _failing_replica(progress.deployments)
    if event["step"] == "launch" and event["code"] != 0 and not progress.failed:
        progress.failed = f"the deployment program ended with code {event['code']}"


def _failing_replica(deployments: dict[str, dict[str, Any]]) -> str | None:
    """Serve tries a failing replica three times; on one machine the first failure already tells."""
    for name, deployment in deployments.items():
        if "failed to start" in deployment["message"]:
            return f"{name} failed to start"
    return None

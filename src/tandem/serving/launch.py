"""Deploys the application of a Serve config onto a running Ray, and reports until it serves or fails.

    python -m tandem.serving.launch CONFIG_FILE

Imports first, then reads the address of Ray from the first line of its standard input. Prints one JSON object a line:
{"deployments": {name: {"status", "message", "running"}}} whenever it changes, and last {"done": true} or
{"failed": message}. The file is JSON: applications[0] with import_path and args, and http_options.
"""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import ray
from ray import serve
from ray.serve.config import HTTPOptions
from ray.serve.schema import ApplicationStatus

_POLL_SECONDS = 0.3
_APP = "tandem"


def main() -> int:
    """Exit code 0 when the application runs, 1 when it failed."""
    config = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    application = config["applications"][0]
    build = _import(application["import_path"])
    ray.init(address=sys.stdin.readline().strip(), namespace="serve", log_to_driver=False, logging_level="warning")
    http = config["http_options"]
    serve.start(http_options=HTTPOptions(host=http["host"], port=http["port"]))
    target = serve.RunTarget(build(application["args"]), name=_APP, route_prefix="/")
    serve.run_many([target], wait_for_ingress_deployment_creation=False, wait_for_applications_running=False)
    return _watch()


def _import(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def _watch() -> int:
    told: dict[str, Any] = {}
    while True:
        application = serve.status().applications.get(_APP)
        if application is not None:
            state = {name: _state(d) for name, d in application.deployments.items()}
            if state != told:
                _tell({"deployments": state})
                told = state
            if application.status == ApplicationStatus.RUNNING:
                _tell({"done": True})
                return 0
            if application.status == ApplicationStatus.DEPLOY_FAILED:
                _tell({"failed": application.message})
                return 1
        time.sleep(_POLL_SECONDS)


def _state(deployment: Any) -> dict[str, Any]:
    return {
        "status": str(deployment.status.value),
        "message": deployment.message,
        "running": deployment.replica_states.get("RUNNING", 0),
    }


def _tell(event: dict[str, Any]) -> None:
    print(json.dumps(event), flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Serves `ray.serve.llm:build_pd_openai_app` on a Ray of its own. Serving environment only; imports nothing of Tandem.

    python published_app.py CONFIG_FILE

The file is JSON: `args` for the builder, `port`, `num_cpus` and `temp_dir` for Ray. Stays until SIGTERM.
"""

import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import ray
from ray import serve
from ray.serve.config import HTTPOptions
from ray.serve.llm import build_pd_openai_app


def main() -> None:
    """Returns after SIGTERM; whoever started this ends what is left of its process session."""
    config = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    start_ray(config)
    serve.start(http_options=HTTPOptions(host="127.0.0.1", port=config["port"]))
    serve.run(build_pd_openai_app(config["args"]), name="published", route_prefix="/")
    stop.wait()
    ray.shutdown()


def start_ray(config: dict[str, Any]) -> None:
    """One node on loopback."""
    ray.init(
        address="local",
        num_cpus=config["num_cpus"],
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=100 * 1024**2,
        namespace="serve",
        _node_ip_address="127.0.0.1",
        _temp_dir=config["temp_dir"],
    )


if __name__ == "__main__":
    main()

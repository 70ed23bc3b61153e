"""Run by the serving environment's Python: the pinned Ray reads the serveConfigV2 of a RayService. Ray is not started.

    python serve_loads.py RAYSERVICE_FILE

Prints JSON: per phase the placement bundles that Ray makes of its config, and whether Ray was started.
"""

import json
import sys
from pathlib import Path

import ray
import yaml
from ray.serve.schema import ServeDeploySchema

from tandem.serving.builder import AppArgs

manifest = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
config = yaml.safe_load(manifest["spec"]["serveConfigV2"])
ServeDeploySchema.model_validate(config)
args = AppArgs.model_validate(config["applications"][0]["args"])
phases = {"prefill": args.prefill_config, "decode": args.decode_config, "pool": args.pool_config}
bundles = {name: given.get_engine_config().placement_bundles for name, given in phases.items() if given is not None}
print(json.dumps({"bundles": bundles, "started": ray.is_initialized()}))

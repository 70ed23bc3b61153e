"""The one file that reaches behind Ray's public names. A contract test holds each use against the pinned Ray.

- `VLLMEngine`: LLMServer takes an engine class, but the class to subclass has no public name. Of it, Tandem overrides
  `_start_async_llm_engine` (the only place where the vLLM client can be exchanged for one that routes) and reads
  `_engine_client`; `get_or_create_callback().ctx.run_init_node` switches its download step off.
- `add_port_to_grpc_server`: each replica opens an unauthenticated gRPC server that unpickles what it gets, on every
  network interface; no setting binds it elsewhere.
"""

from typing import Any

import ray
from ray.serve._private import replica as serve_replica


def vllm_engine_class() -> Any:
    """Ray's VLLMEngine. Imported when asked for, since it brings all of vLLM, which the ingress does not need."""
    from ray.llm._internal.serve.engines.vllm.vllm_engine import VLLMEngine

    return VLLMEngine


def bind_replica_server_to_node() -> None:
    """Makes this replica's own gRPC server listen on the node's address only. Call it in the constructor."""
    address = ray.util.get_node_ip_address()
    bind = serve_replica.add_port_to_grpc_server
    serve_replica.add_port_to_grpc_server = lambda server, _: bind(server, f"{address}:0")

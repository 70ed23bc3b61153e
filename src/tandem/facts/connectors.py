"""What the KV connectors of vLLM and NIXL's plugins take, beyond the types in `engine_args`.

Sources: vLLM's NixlConnector (https://docs.vllm.ai/en/stable/features/nixl_connector_usage/ and
https://github.com/vllm-project/vllm/tree/v0.29.0/vllm/distributed/kv_transfer/kv_connector/v1/nixl),
NIXL 1.3.2 plugins (https://github.com/ai-dynamo/nixl/tree/main/src/plugins).
"""

PULL = frozenset({"NixlConnector", "NixlPullConnector"})
PUSH = frozenset({"NixlPushConnector"})
NIXL = PULL | PUSH

NIXL_PLUGINS = frozenset(
    {"UCX", "LIBFABRIC", "POSIX", "GDS", "GDS_MT", "OBJ", "AZURE_BLOB", "GPUNETIO", "GUSLI", "INFINIA"}
)
"""Plugins in the nixl 1.3.2 wheel. Only UCX and LIBFABRIC move memory between nodes."""

BETWEEN_NODES = frozenset({"UCX", "LIBFABRIC"})

EXTRA_CONFIG = frozenset(
    {
        "backends",
        "kv_lease_duration",
        "kv_recompute_threshold",
        "bidirectional_kv_xfer",
        "decoder_kv_blocks_ttl",
        "push_registration_timeout",
        "num_threads",
        "engine_ttl",
        "enforce_handshake_compat",
        "connectors",
    }
)
"""What NixlConnector reads from `kv_connector_extra_config`; elsewhere the names are unknown or unread."""

BUFFER_DEVICES = {"gpu": frozenset({"cuda", "cpu", "xpu"}), "cpu": frozenset({"cpu"})}
"""`kv_buffer_device` by the device the engine runs on."""

DEFAULT_LEASE_SECONDS = 30
"""`kv_lease_duration` when none is given: how long prefill keeps blocks that nobody asked for."""

DEFAULT_PORT_BASES = {"prefill": 20000, "decode": 22000, "pool": 20000}
"""First NIXL side-channel port of each phase in ray.serve.llm (NIXL_SIDE_CHANNEL_PORT_BASE)."""

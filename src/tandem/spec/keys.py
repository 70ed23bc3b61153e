"""The top-level keys of a spec, for telling what a file is without building the models. A test holds them equal."""

SPEC_KEYS = frozenset(
    {
        "model",
        "engine",
        "prefill",
        "decode",
        "pool",
        "transfer",
        "routing",
        "slo",
        "target",
        "traffic",
        "prices",
        "managed_api",
    }
)

"""One language model on prefill nodes and decode nodes, behind one OpenAI-compatible endpoint."""

__version__ = "0.1.0"

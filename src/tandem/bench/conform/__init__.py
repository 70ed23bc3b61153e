"""Sends every request field of the pinned vLLM to a service and to one plain engine, and compares the answers."""

"""Thin readers of the running service into snapshots, and the one wait loop."""

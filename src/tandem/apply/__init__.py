"""A bundle onto a target: local, kubernetes, eks. Diff, confirm, steps, teardown."""

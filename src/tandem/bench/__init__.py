"""Workload in, requests out, raw records kept. Needs a base URL only."""

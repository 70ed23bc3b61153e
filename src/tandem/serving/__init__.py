"""The data plane: runs inside Ray Serve replicas. No other room imports it; render names its import path."""

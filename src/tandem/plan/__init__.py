"""Spec and facts in, Plan out: what would run, each number with its reason. Pure."""

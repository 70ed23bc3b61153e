"""One rule per file: spec and facts in, findings with path, reason and fix out. Pure."""

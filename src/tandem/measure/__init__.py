"""Raw records and snapshots in, numbers and verdicts out. One metric per file. Pure."""

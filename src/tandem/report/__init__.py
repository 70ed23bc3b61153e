"""Records to table, JSON, Markdown, HTML. Formats only."""

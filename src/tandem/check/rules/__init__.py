"""One rule per file. The file's name starts with the rule's id; `RULE` in it is the rule."""

"""One file per verb, thin. The only room that joins apply, observe and bench."""

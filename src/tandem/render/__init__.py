"""Plan in, Bundle (path to text) out. Pure: same input, same bytes."""

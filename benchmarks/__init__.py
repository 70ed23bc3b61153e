"""Measurements on the real stack. Each prints its numbers; none is a test."""

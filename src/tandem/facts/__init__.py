"""Sourced tables: accelerators, EC2 types, prices with dates, model shapes, versions. Look-up only."""

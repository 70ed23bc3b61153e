"""Units, value types and the one exception tree.

Nothing of ours is imported here, and nothing here reaches a clock, a network, a process or the environment.
"""

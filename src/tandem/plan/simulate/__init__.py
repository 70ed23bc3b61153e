"""A discrete-event simulation of engines under load. Pure: the seed is an argument, simulated time is a number."""

"""This machine: Ray, CPU engines and NIXL, started, watched and taken down to the last process."""

"""Ends a replica whose engine is dead, at once.

It can answer nothing any more, yet Serve would send it requests until its next health check, up to 10 s later, and
vLLM's HTTP layer would turn the death into an error for the client. A dead replica is restarted, and what it was
doing is done by another.
"""

import logging
import os
from typing import NoReturn

logger = logging.getLogger("ray.serve")


def end_replica(cause: BaseException) -> NoReturn:
    """Does not return; the cause stands in the replica's log."""
    logger.error("The engine is dead, the replica ends: %s: %s", type(cause).__name__, cause)
    for handler in logger.handlers:
        handler.flush()
    os._exit(1)

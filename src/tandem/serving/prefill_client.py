"""Decode's way to the prefill phase: a Serve handle, a circuit breaker and a deadline."""

import asyncio
import time

from ray.exceptions import RayError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError, RayServeException
from ray.serve.handle import DeploymentHandle

from tandem.serving.breaker import Breaker
from tandem.serving.engine import PrefillUnavailable
from tandem.serving.orchestrator import Health
from tandem.serving.wire import PrefillAnswer, PrefillCall

_UNREACHABLE = (RayError, RayServeException, DeploymentUnavailableError, BackPressureError)


class HandlePrefillClient:
    """Calls the prefill deployment; remembers failures so that a dead phase is not waited for again and again."""

    def __init__(self, handle: DeploymentHandle) -> None:
        self._handle = handle
        self._breaker = Breaker()

    def health(self) -> Health:
        """Prefill exists; the breaker tells whether it has lately answered."""
        return Health(breaker_open=not self._breaker.allows(time.monotonic()))

    async def prefill(self, call: PrefillCall, timeout_seconds: float) -> PrefillAnswer:
        """One attempt.

        Raises:
            TimeoutError: no answer in time; the call is cancelled.
            PrefillUnavailable: the replica died, was not there, or failed.
        """
        self._breaker.began(time.monotonic())
        response = self._handle.prefill.remote(call)
        try:
            answer: PrefillAnswer = await asyncio.wait_for(_result(response), timeout_seconds)
        except (TimeoutError, PrefillUnavailable):
            self._breaker.failed(time.monotonic())
            raise
        except asyncio.CancelledError:
            response.cancel()
            raise
        self._breaker.succeeded()
        return answer


async def _result(response: object) -> PrefillAnswer:
    try:
        answer: PrefillAnswer = await response  # type: ignore[misc]  # Ray's response is untyped
    except _UNREACHABLE as error:
        raise PrefillUnavailable(str(error)) from error
    return answer

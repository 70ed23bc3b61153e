"""Decode's way to the prefill phase: a Serve handle, a circuit breaker and a deadline."""

import asyncio
import time
from contextlib import suppress

from ray.exceptions import RayError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError, RayServeException
from ray.serve.handle import DeploymentHandle

from tandem.serving.breaker import Breaker
from tandem.serving.engine import PrefillUnavailable
from tandem.serving.orchestrator import Health
from tandem.serving.wire import PrefillAnswer, PrefillCall

_LOOK_SECONDS = 0.2
_PROBE_TOKENS = 16
_PROBE_SECONDS = 10.0
_UNREACHABLE = (RayError, RayServeException, DeploymentUnavailableError, BackPressureError)


class HandlePrefillClient:
    """Calls the prefill deployment; remembers failures so that a dead phase is not waited for again and again.

    After a failure no client's request goes there until prefill has answered a prompt of our own.
    """

    def __init__(self, handle: DeploymentHandle) -> None:
        self._handle = handle
        self._breaker = Breaker()
        self._recovery: asyncio.Task[None] | None = None

    def health(self) -> Health:
        """Prefill exists; the breaker tells whether it has lately answered."""
        return Health(breaker_open=not self._breaker.closed)

    async def prefill(self, call: PrefillCall, timeout_seconds: float) -> PrefillAnswer:
        """One attempt.

        Raises:
            TimeoutError: no answer in time; the call is cancelled.
            PrefillUnavailable: the replica died, was not there, or failed.
        """
        try:
            return await self._ask(call, timeout_seconds)
        finally:
            if not self._breaker.closed and (self._recovery is None or self._recovery.done()):
                self._recovery = asyncio.create_task(self._recover())

    async def _ask(self, call: PrefillCall, timeout_seconds: float) -> PrefillAnswer:
        self._breaker.began(time.monotonic())
        response = self._handle.prefill.remote(call)
        try:
            answer: PrefillAnswer = await asyncio.wait_for(_result(response), timeout_seconds)
        except (TimeoutError, PrefillUnavailable):
            self._breaker.failed(time.monotonic())
            response.cancel()
            raise
        except asyncio.CancelledError:
            response.cancel()
            raise
        self._breaker.succeeded()
        return answer

    async def _recover(self) -> None:
        while not self._breaker.closed:
            await asyncio.sleep(_LOOK_SECONDS)
            if self._breaker.allows(time.monotonic()):
                name = f"probe-{time.monotonic_ns()}"
                call = PrefillCall(request_id=name, token_ids=[0] * _PROBE_TOKENS, cache_salt=name)
                with suppress(TimeoutError, PrefillUnavailable):
                    await self._ask(call, _PROBE_SECONDS)


async def _result(response: object) -> PrefillAnswer:
    try:
        answer: PrefillAnswer = await response  # type: ignore[misc]  # Ray's response is untyped
    except _UNREACHABLE as error:
        raise PrefillUnavailable(str(error)) from error
    return answer

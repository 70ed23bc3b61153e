"""Requests that may read files of the node."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        path = engine.arg_path("allowed_local_media_path")
        if (
            engine.args.get("allowed_local_media_path") in ("/", "/etc", "/root", "/home", "/proc", "/var")
            and path not in seen
        ):
            seen.add(path)
            yield Hit(path, f"{engine.args['allowed_local_media_path']}")


RULE = Rule(
    id="TD807",
    title="requests may read the node's files",
    severity="warning",
    why="A client can name any file below this folder in a request, and the model tells what is in it.",
    fix="Name a folder that holds nothing but media.",
    sources=("https://docs.vllm.ai/en/stable/usage/security/",),
    find=_find,
)

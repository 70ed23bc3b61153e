"""Code from a model repository that runs in the engine."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    seen = set()
    for engine in subject.engines:
        path = engine.arg_path("trust_remote_code")
        if engine.args.get("trust_remote_code") is True and not engine.args.get("code_revision") and path not in seen:
            seen.add(path)
            yield Hit(path, "trust_remote_code without code_revision")


RULE = Rule(
    id="TD803",
    title="a model's own code, unpinned",
    severity="warning",
    why="The repository's Python runs in the engine, with its network and credentials, and can change at any restart.",
    fix="Pin code_revision to a commit you have read, or remove trust_remote_code.",
    sources=(
        "https://docs.vllm.ai/en/stable/usage/security/",
        "https://huggingface.co/docs/transformers/main/en/models#custom-models",
    ),
    find=_find,
)

"""An image whose tag can move."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.subject import Subject


def _find(subject: Subject) -> Iterator[Hit]:
    for group in subject.groups:
        name = group.image.rsplit("/", 1)[-1]
        if group.image and "@" not in name and (":" not in name or name.endswith((":latest", ":nightly"))):
            yield Hit((*group.container_path, "image"), group.image)


RULE = Rule(
    id="TD604",
    title="an image that is not pinned",
    severity="warning",
    why=(
        "A pod that restarts later may get another vLLM than its peer: NIXL refuses the handshake between two releases."
    ),
    fix="Pin a tag with a release, or a digest.",
    sources=(
        "https://kubernetes.io/docs/concepts/containers/images/",
        "https://docs.vllm.ai/en/stable/features/nixl_connector_usage/",
    ),
    find=_find,
)

"""Direct streaming beside what it does not support."""

from collections.abc import Iterator

from tandem.check.finding import Hit, Rule
from tandem.check.sources import RAY_LLM
from tandem.check.subject import Subject
from tandem.spec.reading import items, mapping

_NAME = "RAY_SERVE_LLM_ENABLE_DIRECT_STREAMING"


def _find(subject: Subject) -> Iterator[Hit]:
    if not any(var.name == _NAME and var.value == "1" for var in subject.environment()):
        return
    for app in subject.apps:
        args = mapping(app.data.get("args"))
        for key in ("ingress_deployment_config", "ingress_cls_config"):
            if mapping(args.get(key)):
                yield Hit((*app.path, "args", key), f"{key} with {_NAME}=1")
        if len(items(args.get("llm_configs"))) > 1:
            yield Hit((*app.path, "args", "llm_configs"), f"several models with {_NAME}=1")


RULE = Rule(
    id="TD710",
    title="direct streaming with an ingress of its own",
    severity="error",
    why="With direct streaming the engine's server is the ingress: Ray refuses ingress settings and a second model.",
    fix="Remove the setting, or the variable.",
    sources=(f"{RAY_LLM}/core/ingress/builder.py",),
    find=_find,
)

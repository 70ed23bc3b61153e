"""A fixed number of replicas beside autoscaling."""

from collections.abc import Iterator

from tandem.check.finding import Drop, Hit, Rule
from tandem.check.sources import RAY
from tandem.check.subject import Subject
from tandem.spec.reading import integer, mapping


def _find(subject: Subject) -> Iterator[Hit]:
    for engine in subject.engines:
        deployment = mapping(engine.config.get("deployment_config"))
        path = (*engine.path, "deployment_config", "num_replicas")
        if integer(deployment.get("num_replicas")) is not None and mapping(deployment.get("autoscaling_config")):
            yield Hit(path, "num_replicas is a number and autoscaling_config is given", (Drop(path),))


RULE = Rule(
    id="TD010",
    title="num_replicas beside autoscaling_config",
    severity="error",
    why="Serve refuses a deployment that has both: either the number is fixed or it scales.",
    fix="Remove num_replicas, or write num_replicas: auto.",
    sources=(f"{RAY}/serve/schema.py", "https://docs.ray.io/en/latest/serve/autoscaling-guide.html"),
    find=_find,
)

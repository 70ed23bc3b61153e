"""Spec in, bundle out: every file of a deployment on Kubernetes or Amazon EKS."""

from tandem.render.bundle import Bundle, bundle
from tandem.render.deployment import Deployment, Options, resolve
from tandem.render.eksctl import cluster_config
from tandem.render.helm import operator_values
from tandem.render.image import dockerfile
from tandem.render.policies import disruption_budgets, namespace, network_policy, pod_monitor, service_account
from tandem.render.rayservice import ray_service
from tandem.render.readme import readme
from tandem.render.yaml_text import yaml_text
from tandem.spec.models import Spec

_CLUSTER = "eksctl create cluster --config-file cluster.yaml"
_POLICY = "Only the pods themselves reach the ports of Ray and NIXL: those run code for whoever reaches them."
_SERVICE = "The service: Ray head, and one worker group for each phase. serveConfigV2 is a Ray Serve config."


def render(spec: Spec, options: Options) -> Bundle:
    """The bundle of a spec whose target is kubernetes or eks. Same arguments, same bytes.

    Raises:
        InputError: the spec cannot be rendered; carries every reason.
    """
    deployment = resolve(spec, options)
    eks = {"cluster.yaml": yaml_text(cluster_config(deployment), comment=_CLUSTER)} if spec.target.eks else {}
    return bundle(
        {
            **eks,
            **_kubernetes(deployment),
            "README.md": readme(deployment),
            "helm/kuberay-operator.yaml": yaml_text(operator_values(deployment), comment="Chart kuberay-operator."),
            "image/Dockerfile": dockerfile(),
            "monitoring/pod-monitor.yaml": yaml_text(pod_monitor(deployment), comment="For the Prometheus operator."),
        }
    )


def _kubernetes(deployment: Deployment) -> dict[str, str]:
    texts = {
        "10-namespace": yaml_text(namespace(deployment)),
        "20-service-account": yaml_text(service_account(deployment)),
        "30-network-policy": yaml_text(network_policy(deployment), comment=_POLICY),
        "40-rayservice": yaml_text(ray_service(deployment), comment=_SERVICE),
        "50-disruption-budgets": yaml_text(*disruption_budgets(deployment)),
    }
    return {f"kubernetes/{name}.yaml": text for name, text in texts.items()}

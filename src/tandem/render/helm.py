"""Values of the KubeRay operator's chart: https://github.com/ray-project/kuberay-helm."""

from typing import Any

from tandem.render.deployment import Deployment
from tandem.render.eksctl import ROLE_LABEL

CHART_VERSION = "1.7.0"
"""Of the chart and of KubeRay. Token authentication and `ray.io/initializing-timeout` need 1.5.0 or newer."""


def operator_values(deployment: Deployment) -> dict[str, Any]:
    """One operator for the cluster, on the system node, reading only the namespace of the service."""
    selector = {"nodeSelector": {ROLE_LABEL: "system"}} if deployment.system else {}
    return {
        "image": {"tag": f"v{CHART_VERSION}"},
        **selector,
        "watchNamespace": [deployment.namespace],
        "podSecurityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "resources": {
            "requests": {"cpu": "100m", "memory": "512Mi"},
            "limits": {"cpu": "500m", "memory": "512Mi"},
        },
    }

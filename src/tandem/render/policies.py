"""What stands around the RayService: namespace, service account, network policy, disruption budgets, metrics."""

from typing import Any

from tandem.render.deployment import Deployment, PhasePods
from tandem.render.pods import SERVICE_ACCOUNT

OPERATOR_NAMESPACE = "kuberay-operator"
CLIENT_LABEL = "tandem.dev/client"
MONITORING_LABEL = "tandem.dev/monitoring"
_NAMESPACE_NAME = "kubernetes.io/metadata.name"


def namespace(deployment: Deployment) -> dict[str, Any]:
    """Pods with a node's folder and IPC_LOCK are above the baseline standard, so it warns and does not refuse."""
    levels = {"enforce": "privileged", "warn": "baseline"}
    labels = {f"pod-security.kubernetes.io/{mode}": level for mode, level in levels.items()}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": deployment.namespace, "labels": labels}}


def service_account(deployment: Deployment) -> dict[str, Any]:
    """An account with no rights and no token in the pods: nothing in them asks the Kubernetes API."""
    return {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": _metadata(deployment, SERVICE_ACCOUNT),
        "automountServiceAccountToken": False,
    }


def network_policy(deployment: Deployment) -> dict[str, Any]:
    """Ray's ports run code for whoever reaches them and NIXL's have no key: only the pods themselves reach them."""
    own = {"podSelector": {"matchLabels": _selector(deployment)}}
    operator = {"namespaceSelector": {"matchLabels": {_NAMESPACE_NAME: OPERATOR_NAMESPACE}}}
    clients = [
        {"podSelector": {"matchLabels": {CLIENT_LABEL: "true"}}},
        {"namespaceSelector": {"matchLabels": {CLIENT_LABEL: "true"}}},
    ]
    monitoring = {"namespaceSelector": {"matchLabels": {MONITORING_LABEL: "true"}}}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": _metadata(deployment, deployment.name),
        "spec": {
            "podSelector": own["podSelector"],
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [
                {"from": [own]},
                {"from": [operator], "ports": _tcp(8265, 8000)},
                {"from": clients, "ports": _tcp(8000)},
                {"from": [monitoring], "ports": _tcp(8080)},
            ],
            "egress": [{"to": [own]}, _dns(), *_hub(deployment)],
        },
    }


def disruption_budgets(deployment: Deployment) -> list[dict[str, Any]]:
    """Whole numbers of pods: a budget by share needs a scale subresource, which Ray's pods have not. A lone prefill
    pod may be evicted, since decode computes prompts meanwhile."""
    keep = {"head": 1, **{pods.phase: _keep(pods) for pods in deployment.phases}}
    return [_budget(deployment, part, least) for part, least in keep.items() if least]


def pod_monitor(deployment: Deployment) -> dict[str, Any]:
    """For the Prometheus operator: every Ray pod's metrics, those of the engines among them."""
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PodMonitor",
        "metadata": _metadata(deployment, deployment.name),
        "spec": {
            "selector": {"matchLabels": _selector(deployment)},
            "podTargetLabels": ["app.kubernetes.io/component"],
            "podMetricsEndpoints": [{"port": "metrics", "interval": "15s"}],
        },
    }


def _keep(pods: PhasePods) -> int:
    return pods.pods - 1 if pods.phase == "prefill" else max(1, pods.pods - 1)


def _budget(deployment: Deployment, part: str, least: int) -> dict[str, Any]:
    selector = {**_selector(deployment), "app.kubernetes.io/component": part}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": _metadata(deployment, f"{deployment.name}-{part}"),
        "spec": {"minAvailable": least, "selector": {"matchLabels": selector}},
    }


def _hub(deployment: Deployment) -> list[dict[str, Any]]:
    """HTTPS to the outside, for the weights only: with a model in the image there is none."""
    inside = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]
    outside = {"ipBlock": {"cidr": "0.0.0.0/0", "except": inside}}
    return [{"to": [outside], "ports": _tcp(443)}] if deployment.download else []


def _dns() -> dict[str, Any]:
    server = {
        "namespaceSelector": {"matchLabels": {_NAMESPACE_NAME: "kube-system"}},
        "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
    }
    return {"to": [server], "ports": [{"protocol": "UDP", "port": 53}, *_tcp(53)]}


def _tcp(*ports: int) -> list[dict[str, Any]]:
    return [{"protocol": "TCP", "port": port} for port in ports]


def _metadata(deployment: Deployment, name: str) -> dict[str, Any]:
    labels = {"app.kubernetes.io/part-of": "tandem"}
    return {"name": name, "namespace": deployment.namespace, "labels": labels}


def _selector(deployment: Deployment) -> dict[str, str]:
    return {"app.kubernetes.io/part-of": "tandem", "app.kubernetes.io/instance": deployment.name}

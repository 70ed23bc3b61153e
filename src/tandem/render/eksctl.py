"""eksctl's ClusterConfig: https://eksctl.io/usage/schema/, EFA: https://eksctl.io/usage/efa/."""

import json
from typing import Any

from tandem.plan.cost import NODE_VOLUME_GB
from tandem.render.deployment import Deployment, PhasePods
from tandem.spec.targets import EksTarget

TAG = "tandem:deployment"
"""Tag of everything that is made on AWS. What lacks it is not ours."""
PHASE_LABEL = "tandem.dev/phase"
ROLE_LABEL = "tandem.dev/role"


def cluster_config(deployment: Deployment) -> dict[str, Any]:
    """Cluster, VPC and node groups. From `efaEnabled` eksctl makes the EFA interfaces, a cluster placement group, and
    installs the EFA and NVIDIA device plugins."""
    eks = deployment.spec.target.eks
    assert eks is not None
    return {
        "apiVersion": "eksctl.io/v1alpha5",
        "kind": "ClusterConfig",
        "metadata": {
            "name": deployment.name,
            "region": eks.region,
            "version": eks.kubernetes_version,
            "tags": {TAG: deployment.name},
        },
        "availabilityZones": list(deployment.zones),
        "vpc": {
            "nat": {"gateway": "Single"},
            "clusterEndpoints": {"privateAccess": True, "publicAccess": True},
            **({"publicAccessCIDRs": eks.api_access} if eks.api_access else {}),
        },
        "iam": {"withOIDC": True},
        "addonsConfig": {"autoApplyPodIdentityAssociations": True},
        "addons": _addons(),
        "managedNodeGroups": [_system(deployment, eks), *(_gpu(deployment, eks, pods) for pods in deployment.phases)],
    }


def _addons() -> list[dict[str, Any]]:
    network_policy = json.dumps({"enableNetworkPolicy": "true"})
    return [
        {"name": "eks-pod-identity-agent"},
        {"name": "vpc-cni", "useDefaultPodIdentityAssociations": True, "configurationValues": network_policy},
        {"name": "coredns"},
        {"name": "kube-proxy"},
    ]


def _system(deployment: Deployment, eks: EksTarget) -> dict[str, Any]:
    return {
        "name": "system",
        "instanceType": eks.system_node,
        "availabilityZones": [deployment.zones[0]],
        **_size(1),
        "labels": {ROLE_LABEL: "system"},
        **_safe(deployment, volume=80),
    }


def _gpu(deployment: Deployment, eks: EksTarget, pods: PhasePods) -> dict[str, Any]:
    return {
        "name": pods.phase,
        "instanceType": pods.instance.name if pods.instance else "",
        "availabilityZones": [deployment.zones[0]],
        **_size(pods.pods),
        **({"efaEnabled": True} if pods.efa else {}),
        **_capacity(eks),
        "labels": {ROLE_LABEL: "gpu-worker", PHASE_LABEL: pods.phase},
        **_safe(deployment, volume=NODE_VOLUME_GB),
    }


def _size(nodes: int) -> dict[str, int]:
    return {"minSize": nodes, "maxSize": nodes, "desiredCapacity": nodes}


def _safe(deployment: Deployment, volume: int) -> dict[str, Any]:
    return {
        "amiFamily": "AmazonLinux2023",
        "privateNetworking": True,
        "volumeSize": volume,
        "volumeType": "gp3",
        "volumeEncrypted": True,
        "disablePodIMDS": True,
        "tags": {TAG: deployment.name},
        "propagateASGTags": True,
    }


def _capacity(eks: EksTarget) -> dict[str, Any]:
    if eks.capacity == "spot":
        return {"spot": True}
    if eks.capacity_reservation_id is None or eks.capacity == "on-demand":
        return {}
    target = {"capacityReservationTarget": {"capacityReservationID": eks.capacity_reservation_id}}
    block = {"instanceMarketOptions": {"marketType": "capacity-block"}} if eks.capacity == "capacity-block" else {}
    return {"capacityReservation": target, **block}

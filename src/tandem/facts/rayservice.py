"""Keys of a RayService manifest, level by level.

Source: the RayService CRD of KubeRay 1.7.0
(https://github.com/ray-project/kuberay/blob/v1.7.0/helm-chart/kuberay-operator/crds/ray.io_rayservices.yaml),
which includes every key of 1.4.0. A contract test compares both.
"""

MAX_NAME_LENGTH = 47
"""Longest RayService name that KubeRay takes: the cluster's name (53) without its random ending."""

UPGRADE_TYPES = frozenset({"NewClusterWithIncrementalUpgrade", "NewCluster", "None"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SPEC = _words(
    """deploymentUnhealthySecondThreshold excludeHeadPodFromServeSvc managedBy rayClusterConfig
    rayClusterDeletionDelaySeconds serveConfigV2 serveService serviceUnhealthySecondThreshold suspend upgradeStrategy"""
)
CLUSTER = _words(
    """authOptions autoscalerOptions enableInTreeAutoscaling gcsFaultToleranceOptions headGroupSpec
    headServiceAnnotations historyServerOptions managedBy networkPolicy rayVersion suspend tlsOptions upgradeStrategy
    workerGroupSpecs"""
)
WORKER = _words(
    """groupName idleTimeoutSeconds labels maxReplicas minReplicas numOfHosts priority rayStartParams replicas resources
    scaleStrategy suspend template"""
)
HEAD = _words("enableIngress headService ingressOptions labels rayStartParams resources serviceType template")
POD = _words(
    """activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy enableServiceLinks
    ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets
    initContainers nodeName nodeSelector os overhead preemptionPolicy priority priorityClassName readinessGates
    resourceClaims resources restartPolicy runtimeClassName schedulerName schedulingGates schedulingGroup
    securityContext serviceAccount serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain
    terminationGracePeriodSeconds tolerations topologySpreadConstraints volumes"""
)
CONTAINER = _words(
    """args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe resizePolicy
    resources restartPolicy restartPolicyRules securityContext startupProbe stdin stdinOnce terminationMessagePath
    terminationMessagePolicy tty volumeDevices volumeMounts workingDir"""
)

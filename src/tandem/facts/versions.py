"""Which releases belong together.

Ray and vLLM: `ray[llm]` pins vLLM and nixl (https://github.com/ray-project/ray/blob/master/python/requirements/llm/llm-requirements.txt).
Image: AWS Deep Learning Containers (https://aws.github.io/deep-learning-containers/).
KubeRay: https://github.com/ray-project/kuberay/releases and the RayService CRDs of 1.4.0 and 1.7.0.
"""

import re
from dataclasses import dataclass

PINNED_RAY = "2.60.0"
PINNED_VLLM = "0.29.0"
PINNED_NIXL = "1.3.2"

VLLM_OF_RAY = {"2.60": "0.29.0", "2.58": "0.26.0", "2.57": "0.25.1", "2.56": "0.22.0"}
"""vLLM that a Ray minor release pins."""

RAY_OF_IMAGE = {"public.ecr.aws/deep-learning-containers/ray:serve-llm-cuda-v1.0": "2.58.0"}
"""Ray inside images whose tag does not say it."""

AFTER_KUBERAY_1_4 = frozenset(
    {
        "spec.managedBy",
        "spec.rayClusterDeletionDelaySeconds",
        "spec.suspend",
        "spec.rayClusterConfig.authOptions",
        "spec.rayClusterConfig.networkPolicy",
        "spec.rayClusterConfig.tlsOptions",
        "spec.rayClusterConfig.historyServerOptions",
    }
)
"""Keys that the CRD of KubeRay 1.7.0 has and the one of 1.4.0 has not: there they are dropped in silence."""

INITIALIZING_TIMEOUT_SINCE = "1.5.0"
"""KubeRay that reads the annotation `ray.io/initializing-timeout`."""

EFA_IN_CLUSTER_GROUP_SINCE = "1.33"
"""Kubernetes on EKS whose cluster security group lets EFA traffic through between managed nodes."""

TOKEN_AUTH_SINCE_RAY = "2.52.0"
"""Ray that knows token authentication (KubeRay's own check on `authOptions.mode: token`)."""

_RAY_TAG = re.compile(r"(?:^|/)ray(?:-llm|-ml)?:(?:nightly-)?(\d+\.\d+\.\d+)")
_SEMVER = re.compile(r"^v?(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, order=True)
class Version:
    """A release number that compares."""

    major: int
    minor: int
    patch: int = 0

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_version(text: str) -> Version | None:
    """The release in `text`, or None when it does not start with one."""
    match = _SEMVER.match(text.strip())
    return Version(int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def ray_in_image(image: str) -> str | None:
    """The Ray release that an image name tells, or None when it tells none."""
    match = _RAY_TAG.search(image)
    return match[1] if match else RAY_OF_IMAGE.get(image)


def vllm_of_ray(ray: str) -> str | None:
    """The vLLM that a Ray release pins, or None when the table does not know the release."""
    version = parse_version(ray)
    return VLLM_OF_RAY.get(f"{version.major}.{version.minor}") if version else None

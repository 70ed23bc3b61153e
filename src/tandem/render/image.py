"""The Dockerfile of the image with the Ray, vLLM and NIXL that the data plane is tested with.

Sources: Ray's extra `llm` pins vLLM and NIXL; vLLM 0.29.0 links CUDA 13 (its wheel wants libcudart.so.13); the EFA
installer brings libfabric and aws-ofi-nccl, and its signature is checked against the fingerprint that AWS prints:
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html.
"""

import tandem
from tandem.facts.versions import PINNED_NIXL, PINNED_RAY, PINNED_VLLM

CUDA_BASE = "nvidia/cuda:13.0.1-devel-ubuntu24.04"
EFA_INSTALLER = "1.50.0"
EFA_FINGERPRINT = "4E9091BCBB97A96B26B15E59A05480B1DD2D3CCC"
WHEEL = f"tandem_llm-{tandem.__version__}-py3-none-any.whl"


def dockerfile() -> str:
    """Build it in the bundle's `image` folder, with the wheel of this Tandem beside it."""
    return _TEMPLATE.format(
        base=CUDA_BASE,
        efa=EFA_INSTALLER,
        fingerprint=EFA_FINGERPRINT,
        ray=PINNED_RAY,
        vllm=PINNED_VLLM,
        nixl=PINNED_NIXL,
        wheel=WHEEL,
    )


_TEMPLATE = """\
# Ray, vLLM, NIXL and EFA's libfabric on CUDA, with Tandem's data plane. No GPU is needed to build it.
FROM {base}

# bash and wget: KubeRay's commands and probes. libhwloc15, libnuma1: NIXL's LIBFABRIC plugin and vLLM.
RUN apt-get update \\
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \\
        bash ca-certificates curl gnupg libhwloc15 libnuma1 python3 python3-dev python3-venv wget \\
    && rm -rf /var/lib/apt/lists/*

# libfabric with the efa provider, and aws-ofi-nccl. The kernel module belongs to the node.
RUN mkdir /tmp/efa && cd /tmp/efa \\
    && curl --fail --silent --show-error --remote-name-all \\
        https://efa-installer.amazonaws.com/aws-efa-installer-{efa}.tar.gz \\
        https://efa-installer.amazonaws.com/aws-efa-installer-{efa}.tar.gz.sig \\
        https://efa-installer.amazonaws.com/aws-efa-installer.key \\
    && gpg --import aws-efa-installer.key \\
    && gpg --fingerprint --with-colons | grep --quiet "^fpr:*{fingerprint}:" \\
    && gpg --verify aws-efa-installer-{efa}.tar.gz.sig \\
    && tar --extract --file aws-efa-installer-{efa}.tar.gz && cd aws-efa-installer \\
    && apt-get update && ./efa_installer.sh --yes --skip-kmod --skip-limit-conf --no-verify \\
    && rm -rf /tmp/efa /var/lib/apt/lists/* /root/.gnupg
ENV LD_LIBRARY_PATH=/opt/amazon/efa/lib:$LD_LIBRARY_PATH

RUN python3 -m venv /opt/tandem
ENV PATH=/opt/tandem/bin:/opt/amazon/efa/bin:$PATH
RUN pip install --no-cache-dir "ray[llm,serve]=={ray}" "vllm=={vllm}" "nixl=={nixl}"
COPY {wheel} /tmp/
RUN pip install --no-cache-dir /tmp/{wheel} && rm /tmp/{wheel} && pip check

# The user that pods without EFA run as. Its home is an empty volume there.
RUN userdel --remove ubuntu && useradd --uid 1000 --create-home ray
USER 1000
WORKDIR /home/ray
"""

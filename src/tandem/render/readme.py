"""The bundle's README: the same deployment by hand, with aws, eksctl, helm, kubectl and docker alone."""

from collections.abc import Iterable

from tandem.render.deployment import OWN_IMAGE, Deployment
from tandem.render.eksctl import PHASE_LABEL, TAG
from tandem.render.helm import CHART_VERSION
from tandem.render.image import WHEEL
from tandem.render.pods import HUGGING_FACE_SECRET
from tandem.render.policies import CLIENT_LABEL, MONITORING_LABEL, OPERATOR_NAMESPACE

_HELM_REPOSITORY = "https://ray-project.github.io/kuberay-helm/"


def readme(deployment: Deployment) -> str:
    """Markdown. Every command can be copied as it stands; what the reader must set is a shell variable."""
    spec = deployment.spec
    parts = [_head(deployment)]
    steps = [_image(deployment)] if deployment.image == OWN_IMAGE else []
    if spec.target.eks:
        steps.insert(0, _account(deployment))
        steps.append(_cluster(deployment))
    steps += [_operator(), _service(deployment), _ask(deployment), _proof(deployment), _remove(deployment)]
    parts += [f"## {number}. {text}" for number, text in enumerate(steps, start=1)]
    return "".join([*parts, _files(deployment)])


def _head(deployment: Deployment) -> str:
    spec = deployment.spec
    rows = [
        f"| {pods.phase} | {pods.pods} × {pods.instance.name if pods.instance else 'a node with GPUs'} | "
        f"{spec.phases()[pods.phase].replicas.max} | {pods.gpus} | {pods.efa} |"
        for pods in deployment.phases
    ]
    tools = "aws, eksctl, helm, kubectl and docker" if spec.target.eks else "helm, kubectl and docker"
    return _lines(
        f"# {deployment.name}",
        "",
        f"{spec.model.source}, rendered by Tandem. Run these steps in this folder.",
        f"They need {tools}, and nothing of Tandem but the wheel that goes into the image.",
        "",
        "| phase | pods and nodes | engines | GPUs of a pod | EFA interfaces of a pod |",
        "|---|---|---|---|---|",
        *rows,
        "",
        "A phase with a range of replicas has pods for the most. Serve scales engines in them; nodes do not scale.",
        "",
    )


def _account(deployment: Deployment) -> str:
    eks = deployment.spec.target.eks
    assert eks is not None
    zone, second = deployment.zones
    types = ",".join(dict.fromkeys(pods.instance.name for pods in deployment.phases if pods.instance))
    access = (
        f"The Kubernetes API answers {', '.join(eks.api_access)} only."
        if eks.api_access
        else "The Kubernetes API can be reached from everywhere, behind IAM. To narrow it, set `target.eks.api_access`."
    )
    return _lines(
        "Look before you pay",
        "",
        "The account you are about to use, whether the zones exist, and whether the GPU zone offers the nodes:",
        "",
        "```sh",
        "aws sts get-caller-identity",
        f"aws ec2 describe-availability-zones --region {eks.region} --zone-names {zone} {second}",
        f"aws ec2 describe-instance-type-offerings --region {eks.region} --location-type availability-zone \\",
        f"  --filters Name=location,Values={zone} Name=instance-type,Values={types}",
        f"aws cloudformation describe-stacks --region {eks.region} --stack-name eksctl-{deployment.name}-cluster",
        "```",
        "",
        "The last one must fail with «does not exist»: delete a stack that an earlier attempt left. Quotas for the",
        "vCPUs of these nodes stand in the Service Quotas console. A type with quota may still have no capacity.",
        access,
        "",
    )


def _image(deployment: Deployment) -> str:
    eks = deployment.spec.target.eks
    if eks is None:
        push = [f"IMAGE=registry.example/{OWN_IMAGE} # your registry"]
    else:
        push = [
            f"REGISTRY=$(aws sts get-caller-identity --query Account --output text).dkr.ecr.{eks.region}.amazonaws.com",
            f"IMAGE=$REGISTRY/{OWN_IMAGE}",
            f"aws ecr create-repository --region {eks.region} --repository-name {OWN_IMAGE.split(':')[0]} \\",
            f"  --image-tag-mutability IMMUTABLE --tags Key={TAG},Value={deployment.name}",
            f"aws ecr get-login-password --region {eks.region} \\",
            '  | docker login --username AWS --password-stdin "$REGISTRY"',
        ]
    return _lines(
        "The image",
        "",
        f"Put the wheel of this Tandem, `{WHEEL}`, into `image/`. Then build and push:",
        "",
        "```sh",
        *push,
        'docker build --platform linux/amd64 --tag "$IMAGE" image',
        'docker push "$IMAGE"',
        "```",
        "",
    )


def _cluster(deployment: Deployment) -> str:
    return _lines(
        "Cluster and nodes",
        "",
        "VPC with private subnets and NAT, control plane, node groups, device plugins. From here on it costs money.",
        "",
        "```sh",
        "eksctl create cluster --config-file cluster.yaml",
        "kubectl get nodes --label-columns " + f"{PHASE_LABEL},topology.kubernetes.io/zone",
        "```",
        "",
        *(_efa_allocatable() if deployment.efa else []),
    )


def _efa_allocatable() -> Iterable[str]:
    return (
        "Every GPU node must offer its EFA interfaces. Where the number is missing, the plugin does not run:",
        "",
        "```sh",
        "kubectl get nodes -o custom-columns='NAME:.metadata.name,EFA:.status.allocatable.vpc\\.amazonaws\\.com/efa'",
        "```",
        "",
    )


def _operator() -> str:
    return _lines(
        "KubeRay",
        "",
        "```sh",
        f"helm upgrade --install kuberay-operator kuberay-operator --repo {_HELM_REPOSITORY} \\",
        f"  --version {CHART_VERSION} --namespace {OPERATOR_NAMESPACE} --create-namespace \\",
        "  --values helm/kuberay-operator.yaml --wait",
        "```",
        "",
    )


def _service(deployment: Deployment) -> str:
    space = deployment.namespace
    secret = [
        "For a gated model, with your token in `HF_TOKEN`:",
        "",
        "```sh",
        f'kubectl create secret generic {HUGGING_FACE_SECRET} --namespace {space} --from-literal=token="$HF_TOKEN"',
        "```",
        "",
    ]
    service = "kubernetes/40-rayservice.yaml"
    own = f'sed "s|{OWN_IMAGE}|$IMAGE|" {service} | kubectl apply --filename -'
    return _lines(
        "The service",
        "",
        "```sh",
        "kubectl apply --filename kubernetes/10-namespace.yaml",
        "kubectl apply --filename kubernetes/20-service-account.yaml --filename kubernetes/30-network-policy.yaml",
        "```",
        "",
        *(secret if deployment.download else []),
        "```sh",
        own if deployment.image == OWN_IMAGE else f"kubectl apply --filename {service}",
        "kubectl apply --filename kubernetes/50-disruption-budgets.yaml",
        f"kubectl wait rayservice/{deployment.name} --namespace {space} --for=condition=Ready --timeout=60m",
        "```",
        "",
        "If it does not become ready: `kubectl describe` the RayService and its pods, and read the engines' logs.",
        "They lie inside the pods in `/tmp/ray/session_latest/logs`, not in `kubectl logs`.",
        "",
        "With the Prometheus operator: `kubectl apply --filename monitoring/pod-monitor.yaml`, and the label",
        f"`{MONITORING_LABEL}=true` on the namespace of Prometheus.",
        "",
    )


def _ask(deployment: Deployment) -> str:
    body = (
        f'{{"model": "{deployment.spec.model.id}", "max_tokens": 32, '
        '"messages": [{"role": "user", "content": "What is the capital of France?"}]}'
    )
    route = " --header 'X-Tandem-Route: remote'" if deployment.spec.disaggregated else ""
    return _lines(
        "Ask it",
        "",
        "```sh",
        f"kubectl port-forward --namespace {deployment.namespace} service/{deployment.name}-serve-svc 8000:8000 &",
        f"curl --include http://127.0.0.1:8000/v1/chat/completions --header 'Content-Type: application/json'{route} \\",
        f"  --data '{body}'",
        "```",
        "",
        f"Pods that are clients carry the label `{CLIENT_LABEL}=true`, or their namespace does.",
        "Nothing is reachable from outside the cluster.",
        "",
    )


def _proof(deployment: Deployment) -> str:
    if not deployment.spec.disaggregated:
        return _lines("Watch it", "", "The answer's `Server-Timing` header tells how long each part took.", "")
    space = deployment.namespace
    efa = [
        "That shows that the cache moved, not by which way. For EFA, ask a decode pod for its provider:",
        "",
        "```sh",
        f"POD=$(kubectl get pods --namespace {space} --selector ray.io/group=decode --output name | head -1)",
        f'kubectl exec --namespace {space} --container ray-worker "$POD" -- fi_info -p efa',
        "```",
        "",
        "The log line «Backend LIBFABRIC was instantiated» proves the plugin, not EFA.",
        "",
    ]
    return _lines(
        "Did the KV cache move?",
        "",
        'The answer\'s `Server-Timing` header says `route;desc="remote"` and the `bytes` that decode read.',
        "",
        *(efa if deployment.efa else []),
    )


def _remove(deployment: Deployment) -> str:
    eks = deployment.spec.target.eks
    told = [
        "The last command must print an empty list. What it prints may still cost money; an entry can outlive its",
        "resource by some minutes.",
        "",
    ]
    return _lines(
        "Remove it",
        "",
        "```sh",
        f"kubectl delete rayservice {deployment.name} --namespace {deployment.namespace} --wait",
        *(_remove_cluster(deployment) if eks else [_delete_ours()]),
        "```",
        "",
        *(told if eks else []),
    )


def _remove_cluster(deployment: Deployment) -> list[str]:
    eks = deployment.spec.target.eks
    assert eks is not None
    repository = f"aws ecr delete-repository --region {eks.region} --repository-name {OWN_IMAGE.split(':')[0]} --force"
    return [
        f"kubectl delete namespace {deployment.namespace}",
        f"helm uninstall kuberay-operator --namespace {OPERATOR_NAMESPACE} --wait",
        "eksctl delete cluster --config-file cluster.yaml --wait --disable-nodegroup-eviction",
        *([repository] if deployment.image == OWN_IMAGE else []),
        f"aws resourcegroupstaggingapi get-resources --region {eks.region} \\",
        f"  --tag-filters Key={TAG},Values={deployment.name} --query 'ResourceTagMappingList[].ResourceARN'",
    ]


def _delete_ours() -> str:
    names = ("50-disruption-budgets", "30-network-policy", "20-service-account")
    return "kubectl delete " + " ".join(f"--filename kubernetes/{name}.yaml" for name in names)


def _files(deployment: Deployment) -> str:
    rows = {
        "cluster.yaml": "eksctl: VPC, control plane, node groups",
        "helm/kuberay-operator.yaml": "values of the KubeRay operator's chart",
        "image/Dockerfile": "the image",
        "kubernetes/": "namespace, service account, network policy, RayService, disruption budgets, in this order",
        "monitoring/pod-monitor.yaml": "metrics, for the Prometheus operator",
        "manifest.json": "sha256 of every file: Tandem does not overwrite what you edited",
    }
    there = {path: told for path, told in rows.items() if path != "cluster.yaml" or deployment.spec.target.eks}
    return _lines("## Files", "", "| file | what |", "|---|---|", *(f"| `{p}` | {t} |" for p, t in there.items()))


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)

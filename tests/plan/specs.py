"""Specs that tests plan with."""

from tandem.plan.build import Circumstances, Plan, make_plan
from tandem.spec.loader import parse_spec
from tandem.spec.models import Spec
from tests.plan.closed_loop import shape

LLAMA_8B = "meta-llama/Llama-3.1-8B-Instruct"


def eks_spec(
    model: str = LLAMA_8B, node: str = "p5.48xlarge", prompt: object = 1000, output: object = 250, rate: float = 40.0,
    ttft: int = 2000, itl: int = 25, over: str = "efa", goal: str = "slo", tensor_parallel: int = 1, more: str = "",
    region: str = "us-east-1", max_model_len: int = 16_384,
) -> Spec:  # fmt: skip
    """A disaggregated service on EKS."""
    text = f"""
model: {{ source: {model} }}
engine: {{ max_model_len: {max_model_len}, gpu_memory_utilization: 0.9 }}
transfer: {{ backend: libfabric, over: {over} }}
slo: {{ ttft_ms: {ttft}, itl_ms: {itl} }}
target:
  eks: {{ region: {region}, prefill_node: {node}, decode_node: {node}, gpus_per_replica: {tensor_parallel} }}
traffic: {{ requests_per_second: {rate}, input_tokens: {prompt}, output_tokens: {output}, goal: {goal} }}
{more}
"""
    return parse_spec(text)


def plan_of(spec: Spec, circumstances: Circumstances | None = None) -> Plan:
    """The plan with the shipped shape of its model."""
    return make_plan(spec, shape(spec.model.source), circumstances)

"""Arrivals from distributions and from the three published trace formats."""

from itertools import pairwise
from statistics import fmean, median, pstdev

import pytest

from tandem.core.errors import InputError
from tandem.plan.simulate.workload import Arrival, Lengths, draw_arrivals, read_trace

AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:15:46.6805900,374,44
2023-11-16 18:15:50.9951690,396,109
2023-11-16 18:15:51.2224670,879,55
"""
"""Form of https://github.com/Azure/AzurePublicDataset/blob/master/AzureLLMInferenceDataset2023.md"""
BURSTGPT = """Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
5,ChatGPT,472,18,490,Conversation log
45,ChatGPT,1087,230,1317,Conversation log
118,GPT-4,417,0,417,API log
"""
"""Form of https://github.com/HPMLL/BurstGPT; the last row is a request without a response."""
MOONCAKE = """{"timestamp": 0, "input_length": 1200, "output_length": 52, "hash_ids": [1, 2, 3]}
{"timestamp": 3000, "input_length": 1500, "output_length": 26, "hash_ids": [1, 2, 9]}
"""
"""Form of https://github.com/kvcache-ai/Mooncake/blob/main/FAST25-release/traces/README.md"""


def test_azure() -> None:
    found = read_trace(AZURE, "azure.csv")
    assert [(a.prompt, a.output) for a in found] == [(374, 44), (396, 109), (879, 55)]
    assert found[1].time == pytest.approx(4.314579, abs=1e-5)


def test_azure_of_2024_with_a_time_zone() -> None:
    text = (
        AZURE.replace("6805900", "680590+00:00").replace("9951690", "995169+00:00").replace("2224670", "222467+00:00")
    )
    assert read_trace(text, "azure.csv")[1].time == pytest.approx(4.314579, abs=1e-5)


def test_burstgpt_without_its_failed_requests() -> None:
    found = read_trace(BURSTGPT, "burst.csv")
    assert found == [Arrival(0.0, 472, 18), Arrival(40.0, 1087, 230)]


def test_mooncake_with_its_shared_prefix() -> None:
    found = read_trace(MOONCAKE, "mooncake.jsonl")
    assert found == [Arrival(0.0, 1200, 52, 0), Arrival(3.0, 1500, 26, 1024)]


@pytest.mark.parametrize("text", ["a,b,c\n1,2,3\n", "", "\n\n"])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a trace that Tandem reads"):
        read_trace(text, "other.csv")


@pytest.mark.parametrize(("text", "line"), [
    (AZURE.replace("396,109", "many,109"), 3),
    (MOONCAKE.replace('"input_length": 1500, ', ""), 2),
    (MOONCAKE + "{not json\n", 3),
])  # fmt: skip
def test_a_bad_line_is_named(text: str, line: int) -> None:
    with pytest.raises(InputError) as error:
        read_trace(text, "trace")
    assert error.value.problems[0].line == line


def test_lengths_have_their_percentiles_and_moments() -> None:
    lengths = Lengths(1000, 4000)
    drawn = [a.prompt for a in draw_arrivals(20_000, 1.0, lengths, Lengths(1, 1), 10**9, 7)]
    assert median(drawn) == pytest.approx(1000, rel=0.03)
    assert sorted(drawn)[int(0.95 * len(drawn))] == pytest.approx(4000, rel=0.05)
    assert fmean(drawn) == pytest.approx(lengths.mean, rel=0.03)
    assert fmean(d * d for d in drawn) == pytest.approx(lengths.mean_square, rel=0.1)
    assert sum(d >= 2000 for d in drawn) / len(drawn) == pytest.approx(lengths.above(2000), abs=0.01)


def test_a_prompt_and_its_answer_never_exceed_the_longest() -> None:
    drawn = list(draw_arrivals(5000, 1.0, Lengths(3000, 20_000), Lengths(500, 9000), 4096, 7))
    assert max(a.prompt + a.output for a in drawn) <= 4096
    assert min(a.output for a in drawn) >= 1


@pytest.mark.parametrize("variation", [0.0, 0.5, 1.0, 3.0])
def test_gaps_have_their_rate_and_variation(variation: float) -> None:
    drawn = [a.time for a in draw_arrivals(40_000, 4.0, Lengths(1, 1), Lengths(1, 1), 10, 7, variation)]
    gaps = [b - a for a, b in pairwise(drawn)]
    assert fmean(gaps) == pytest.approx(0.25, rel=0.05)
    assert pstdev(gaps) / fmean(gaps) == pytest.approx(variation, rel=0.08, abs=0.01)

"""The same application by other ways: libfabric over TCP, UCX over TCP, a pool, and the embedded model."""

from pathlib import Path

import httpx
import pytest

from tests.real.service import Service, running, server_timing, tiny_spec
from tests.unit.check.article import articles, yaml_of

pytestmark = pytest.mark.real

LONG = "The sea is wide and the ships are many. " * 30


@pytest.mark.parametrize("transfer", [{"backend": "libfabric", "over": "tcp"}, {"backend": "ucx", "over": "tcp"}])
def test_another_transport_gives_the_same_tokens(tmp_path: Path, tiny_folder: Path, transfer: dict[str, str]) -> None:
    with running(tmp_path, tiny_spec(tiny_folder, transfer=transfer)) as service:
        local = service.complete(LONG, "local")
        remote = service.complete(LONG, "remote", cache_salt="fresh")
        assert server_timing(remote)["route"] == "remote"
        assert int(server_timing(remote)["bytes"]) > 0
        assert remote.json()["choices"][0]["text"] == local.json()["choices"][0]["text"]
        assert service.status()["transfer"]["backend"] == transfer["backend"]


def test_a_pool_serves_without_disaggregation(tmp_path: Path, tiny_folder: Path) -> None:
    with running(tmp_path, tiny_spec(tiny_folder, pool={"replicas": 1})) as service:
        answer = service.complete(LONG)
        assert answer.status_code == 200
        assert server_timing(answer)["route"] == "local"
        assert set(service.status()["phases"]) == {"pool"}


def test_the_embedded_model_answers_through_a_remote_prefill(tmp_path: Path) -> None:
    with running(tmp_path, {}) as service:
        question = {"role": "user", "content": "What is the capital of France?"}
        answer = httpx.post(
            f"{service.endpoint}/chat/completions",
            json={"model": "smollm2-135m", "messages": [question], "max_tokens": 32, "temperature": 0},
            headers={"X-Tandem-Route": "remote"},
            timeout=120,
            trust_env=False,
        )
        assert "Paris" in answer.json()["choices"][0]["message"]["content"]
        assert server_timing(answer)["route"] == "remote"
        assert service.status()["transfer"]["bytes_total"] > 0
        said = service.tandem("chat", "What is the capital of France?", "--route", "remote", seconds=120)
        assert "route remote" in said.stdout
        assert "TTFT" in said.stdout


def test_the_published_article_is_served_as_it_is(tmp_path: Path, tiny_folder: Path) -> None:
    """Its YAML, misplaced keys and all; only the model is a small local one instead of the big one."""
    [published] = [text for article in articles() if (text := yaml_of(article)) is not None]
    published = published.replace("model_source: Qwen/Qwen3.5-9B", f"model_source: {tiny_folder}")
    assert str(tiny_folder) in published
    file = tmp_path / "article.yaml"
    file.write_text(published)
    service = Service(tmp_path / "home", 8000, file)
    try:
        status = service.up()
        assert status["ready"]
        answer = httpx.post(
            f"{service.endpoint}/completions",
            json={"model": "qwen3.5-9b", "prompt": LONG, "max_tokens": 8, "temperature": 0},
            headers={"X-Tandem-Route": "remote"},
            timeout=120,
            trust_env=False,
        )
        assert answer.status_code == 200, answer.text
        assert int(server_timing(answer)["bytes"]) > 0
        assert service.status()["transfer"]["backend"] == "libfabric"  # as the article says it
    finally:
        service.down()

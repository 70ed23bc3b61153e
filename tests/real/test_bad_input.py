"""Bad input is refused before anything is started: exit 2, what is wrong, what to do, and nothing left running."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.real.service import Service, new_service, tiny_spec

pytestmark = pytest.mark.real


def test_a_typo_names_line_and_nearest_key(tmp_path: Path) -> None:
    _refused(tmp_path, {"modle": {}}, "unknown key 'modle'", "Did you mean 'model'?")


def test_a_folder_without_config_json(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    _refused(tmp_path, {"model": {"source": str(tmp_path / "empty")}}, "no config.json", "Hugging Face")


def test_a_hybrid_model_is_offered_a_pool(tmp_path: Path, tiny_folder: Path) -> None:
    folder = tmp_path / "hybrid"
    folder.mkdir()
    config = {"model_type": "qwen3_5", "layer_types": ["linear_attention"] * 3 + ["full_attention"]}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "model.safetensors").touch()
    _refused(tmp_path, {"model": {"source": str(folder)}}, "hybrid", "pool: {replicas: 1}")


def test_a_port_in_use_names_its_holder(tmp_path: Path, tiny_folder: Path) -> None:
    service = new_service(tmp_path, tiny_spec(tiny_folder))
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", service.port))
        holder.listen()
        done = service.tandem("up", str(service.spec), seconds=120)
    assert done.returncode == 2
    assert "in use" in done.stderr
    assert "held by pid" in done.stderr
    _nothing_started(service)


def test_too_little_memory_says_what_would_fit(tmp_path: Path, tiny_folder: Path) -> None:
    spec = tiny_spec(tiny_folder, target={"local": {"kv_cache": "4000GiB"}})
    _refused(tmp_path, spec, "too little memory", "Set kv_cache to")


def test_a_transport_that_this_machine_cannot_give(tmp_path: Path, tiny_folder: Path) -> None:
    _refused(tmp_path, tiny_spec(tiny_folder, transfer={"over": "efa"}), "'efa'", "shm, tcp")


def test_a_changed_model_file_is_told_with_the_folder_to_remove(
    tmp_path: Path, embedded_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    (cache / "models").mkdir(parents=True)
    copy = cache / "models" / embedded_folder.name
    copy.mkdir()
    for file in embedded_folder.iterdir():
        (copy / file.name).symlink_to(file)
    (copy / "config.json").unlink()
    (copy / "config.json").write_text("{}")
    (cache / "serving").symlink_to(embedded_folder.parent.parent / "serving")
    monkeypatch.setenv("TANDEM_CACHE", str(cache))
    service = new_service(tmp_path, {})
    done = service.tandem("up", str(service.spec), seconds=120)
    assert done.returncode in (1, 2)
    assert "config.json" in done.stderr
    assert str(copy) in done.stderr
    _nothing_started(service)


def _refused(folder: Path, spec: dict[str, Any], *texts: str) -> None:
    service = new_service(folder, spec)
    done = service.tandem("up", str(service.spec), seconds=120)
    assert done.returncode == 2, done.stderr
    shown = " ".join(done.stderr.split())
    for text in texts:
        assert text in shown
    _nothing_started(service)


def _nothing_started(service: Service) -> None:
    status = service.status()
    assert status["ready"] is False
    assert status["state"] == "down"

"""Weights are fetched once for a node, and a broken-off download is not taken for a whole one."""

import threading
from pathlib import Path

import pytest

from tandem.serving.weights import ensure, read_all


class _Hub:
    """Writes one file of ten bytes, or ends half-way."""

    def __init__(self, fails: bool = False) -> None:
        self.calls: list[tuple[str, str | None]] = []
        self.fails = fails

    def __call__(self, source: str, folder: Path, revision: str | None) -> None:
        self.calls.append((source, revision))
        (folder / "model.safetensors").write_bytes(b"0123456789")
        if self.fails:
            raise ConnectionError("gone")


def test_the_second_pod_downloads_nothing(tmp_path: Path) -> None:
    hub = _Hub()
    assert ensure("a/b", tmp_path / "m", None, hub)
    assert not ensure("a/b", tmp_path / "m", None, hub)
    assert hub.calls == [("a/b", None)]


def test_another_revision_is_another_download(tmp_path: Path) -> None:
    hub = _Hub()
    ensure("a/b", tmp_path / "m", "v1", hub)
    assert ensure("a/b", tmp_path / "m", "v2", hub)
    assert hub.calls == [("a/b", "v1"), ("a/b", "v2")]


def test_a_broken_download_is_tried_again(tmp_path: Path) -> None:
    with pytest.raises(ConnectionError):
        ensure("a/b", tmp_path / "m", None, _Hub(fails=True))
    assert ensure("a/b", tmp_path / "m", None, _Hub())


def test_a_change_of_revision_that_breaks_off_leaves_no_mark_of_the_old_one(tmp_path: Path) -> None:
    ensure("a/b", tmp_path / "m", "v1", _Hub())
    with pytest.raises(ConnectionError):
        ensure("a/b", tmp_path / "m", "v2", _Hub(fails=True))
    assert ensure("a/b", tmp_path / "m", "v1", _Hub())


def test_pods_at_the_same_time_download_once(tmp_path: Path) -> None:
    hub = _Hub()
    threads = [threading.Thread(target=ensure, args=("a/b", tmp_path / "m", None, hub)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hub.calls) == 1


def test_every_byte_is_read(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a").write_bytes(b"x" * 5)
    (tmp_path / "b").write_bytes(b"y" * 7)
    assert read_all(tmp_path) == 12

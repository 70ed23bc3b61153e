"""The weights of a Hugging Face model in a folder of the node, fetched once, and read into the page cache.

    python -m tandem.serving.weights SOURCE FOLDER [--revision REVISION]

Several pods of a node share the folder: one downloads, the others wait for it. A download that was broken off goes on
where it stopped. The page cache holds what was read, so the engine that starts next loads from memory.
"""

import argparse
import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_BLOCK = 16 * 1024 * 1024
_DONE = ".complete"
Fetch = Callable[[str, Path, str | None], None]


def main(arguments: list[str] | None = None) -> None:
    """Downloads unless it is there, then reads, and tells how long both took."""
    parser = argparse.ArgumentParser(prog="python -m tandem.serving.weights")
    parser.add_argument("source", help="Hugging Face id")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--revision")
    given = parser.parse_args(arguments)
    begun = time.monotonic()
    downloaded = ensure(given.source, given.folder, given.revision, from_hub)
    print(f"weights {'downloaded' if downloaded else 'were there'} after {time.monotonic() - begun:.1f} s", flush=True)
    begun = time.monotonic()
    size = read_all(given.folder)
    print(f"{size:,} bytes read into the page cache in {time.monotonic() - begun:.1f} s", flush=True)


def ensure(source: str, folder: Path, revision: str | None, fetch: Fetch) -> bool:
    """True when `fetch` had to download. The folder is complete when its mark names this source and revision."""
    mark, wanted = folder / _DONE, f"{source}@{revision or 'main'}"
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_name(f"{folder.name}.lock")):
        if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
            return False
        mark.unlink(missing_ok=True)
        fetch(source, folder, revision)
        mark.write_text(wanted, encoding="utf-8")
    return True


def from_hub(source: str, folder: Path, revision: str | None) -> None:
    """What vLLM needs of the model: configuration, tokenizer, safetensors."""
    from huggingface_hub import snapshot_download

    unused = ["*.bin", "*.pth", "*.pt", "*.gguf", "*.onnx", "original/*"]
    snapshot_download(source, revision=revision, local_dir=folder, ignore_patterns=unused)


def read_all(folder: Path) -> int:
    """Reads every file below the folder once; gives the bytes."""
    total = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    total += len(block)
    return total


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main()

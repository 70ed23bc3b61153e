#!/usr/bin/env bash
# Writes the lock files anew from their .in files. `--upgrade` takes newer versions, without it pins are kept.
# The torch wheel is looked for in PIP_FIND_LINKS when that is set, else on PyTorch's CPU index.
set -euo pipefail
cd "$(dirname "$0")/.."

uv="${UV:-uv}"
locks=src/tandem/apply/local/locks
if [[ -n "${PIP_FIND_LINKS:-}" ]]; then
    torch_source=(--find-links "$PIP_FIND_LINKS")
else
    torch_source=(--torch-backend cpu)
fi

"$uv" pip compile "$locks/serving.in" --output-file "$locks/serving.txt" \
    --override "$locks/overrides.txt" --no-emit-package torch "${torch_source[@]}" \
    --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
    --python-version 3.11 --python-platform x86_64-manylinux_2_28 \
    --custom-compile-command scripts/lock.sh --quiet "$@"

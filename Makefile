# Two commands: `make up` serves a model on this machine, `make test` runs every test. Both set up what is missing.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
FILE ?=

.PHONY: up down status setup test check unit real long bench-faults lock clean

up: setup
	$(BIN)/tandem up $(FILE)

down: setup
	$(BIN)/tandem down

status: setup
	$(BIN)/tandem status

setup: .venv/ready

.venv/ready: requirements-dev.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet uv==0.13.9
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $@

test: check unit real

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks
	$(BIN)/lint-imports --no-cache

unit: setup
	$(BIN)/pytest -q tests --ignore tests/real

# Real engines, Ray and NIXL on this machine; the serving environment is installed into the cache on first use.
real: setup
	$(BIN)/tandem setup
	$(BIN)/pytest -q tests/real -m "not long"

# Every request field against one plain engine, by both routes: too long for every change.
long: setup
	$(BIN)/tandem setup
	$(BIN)/pytest -q tests/real -m long

# Load while the prefill replica is killed, here and on the application that Ray publishes: docs/faults.md.
bench-faults: setup
	$(BIN)/tandem setup
	$(BIN)/python -m benchmarks.faults

lock: setup
	UV=$(BIN)/uv scripts/lock.sh
	$(BIN)/uv pip compile requirements-dev.in pyproject.toml --extra local --constraint src/tandem/apply/local/locks/serving.txt \
		--generate-hashes --no-annotate --python-version 3.11 --universal --quiet -o requirements-dev.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache dist

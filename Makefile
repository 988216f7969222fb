# Two commands for a fresh machine: `make demo` and `make test`. Both set up all that they need in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
STAMP := $(VENV)/.ready
TEST_FLAGS ?=

.PHONY: help demo demo-check test check bench generate clean

help: ## say what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml constraints.txt tools/setup_venv.sh
	@PYTHON="$(PYTHON)" VENV="$(VENV)" sh tools/setup_venv.sh

demo: $(STAMP) ## a real task: the bundled model drives a real browser, and you watch
	@$(PY) -m tools.chromium --prefer playwright --optional
	@$(PY) -m tools.demo

demo-check: $(STAMP) ## the demo's task for 50 seeds; counts how many succeed
	@$(PY) -m tools.chromium --prefer playwright
	@$(PY) -m tools.demo --seeds 50

check: $(STAMP) ## format, lint, types, floors, generated files: seconds
	@$(BIN)/ruff format --check -q src tests benchmarks tools examples
	@$(BIN)/ruff check -q src tests benchmarks tools examples
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(PY) -m axstream.spec.generate --check

test: check ## check, then all tests, on a real Chromium and the bundled model
	@$(PY) -m tools.chromium --prefer debian
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest $(TEST_FLAGS)
	@$(PY) -m tools.floor_coverage

bench: $(STAMP) ## our figures with the peers' beside them, in one run
	@$(PY) -m tools.chromium --prefer debian
	@$(PY) -m benchmarks

generate: $(STAMP) ## write again what is computed from the catalogue
	@$(PY) -m axstream.spec.generate

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
GAMES := tests/envs/kintsugi tests/envs/patchwork tests/envs/kitsu tests/envs/klink

.PHONY: help demo test test-all test-modes lint format pages bench clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlour needs Python 3.11 or newer")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[train,test]'
	@touch $@

demo: $(READY)  ## train a bot for Kintsugi in two minutes and let it play
	$(BIN)/python -m parlour.training.demo

test: $(READY)  ## the quick suite
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadfile

test-all: $(READY)  ## the slow tests too
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-modes: $(READY)  ## the rules with bounds checks, and as plain Python
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -m "not slow" -n 2 --dist loadfile -k lockstep $(GAMES)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m "not slow" -n 2 --dist loadfile -k "rules or scoring" $(GAMES)

lint: $(READY)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)  ## let ruff tidy up
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pages: $(READY)  ## rewrite the generated tables of the games' pages
	$(BIN)/python -m parlour.envs.core.pages

bench: $(READY)  ## measure speed, beside peers where they are installed
	$(BIN)/parlour bench

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache

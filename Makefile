# One command for each thing that people do in a checkout. `.ci/run` calls the same ones.

PYTHON ?= python3
BIN := .venv/bin
INSTALL = $(BIN)/pip install -q --no-deps --no-build-isolation -e .

.PHONY: help run setup test slow faults lint scripts docs bench growth check

help:  ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

run:  ## serve the demonstration matches, after an installation if there is none
	[ -x $(BIN)/plybook ] || { $(PYTHON) -m venv .venv && $(BIN)/pip install -q --require-hashes \
		-r requirements.lock -r requirements-build.lock && $(INSTALL); }
	$(BIN)/plybook serve --demo

setup:  ## make .venv with everything that the tests need
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q --require-hashes -r requirements-test.lock
	$(INSTALL)

test:  ## run the tests, without the longer jobs; `setup` comes first if it is due
	[ -x $(BIN)/pytest ] || $(MAKE) setup
	$(BIN)/pytest

slow:  ## run the longer jobs, and those on PostgreSQL
	$(BIN)/pytest -m '(slow or postgres) and not faults' --durations=30 --durations-min=20

faults:  ## kill, cut off and damage for a minute of each fault job
	$(BIN)/pytest -m faults --fault-minutes 1 -n 4

lint:  ## check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

scripts:  ## check the types of the JavaScript
	npm ci --prefix tests/js --no-audit --no-fund --silent
	npm run --prefix tests/js --silent check

docs:  ## build the pages of docs in build/docs
	$(BIN)/sphinx-build -W --keep-going -n -q docs build/docs

bench:  ## measure how fast Plybook is
	$(BIN)/python -m bench

growth:  ## fail if a cost grows with the book or with a match: half a minute
	$(BIN)/python -m bench --check reads:5500 upkeep:2000 http-long:1000 calls

check:  ## run all of it, as the forge does
	.ci/run

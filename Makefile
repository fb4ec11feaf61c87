# Targets of the book. `make book` and `make test` set up everything they need by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# What says that the environment is complete. Empty in the environment: take it as it is, install nothing.
SITE_READY ?= $(VENV)/site-ready
ALL_READY ?= $(VENV)/all-ready
BROWSER_READY ?= $(VENV)/browser-ready

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help setup book site test lint notebooks experiments widgets sheets audit links new-chapter new-figure bench real-sentences colab test-matrix clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

book: site ## set up, build the website, serve it and print its address
	$(BIN)/python -m tools.serve

setup: $(ALL_READY) ## set up all that notebooks and training need (make test adds a browser)

site: $(SITE_READY) ## build the website into _build/html
	$(BIN)/python -m tools.site

test: $(ALL_READY) $(BROWSER_READY) lint ## run every test: package, builder, notebooks, JavaScript, site
	CONTEXTBOOK_PROGRESS=off $(BIN)/pytest -q -n 2 --dist loadscope tests
	CONTEXTBOOK_PROGRESS=off $(BIN)/pytest -q -n 2 --dist loadscope --nbval --nbval-sanitize-with tests/notebooks/sanitize.cfg notebooks/en

lint: $(ALL_READY) ## check style and types of the Python code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell chapters_src book README.md CONTRIBUTING.md contextbook tools tests benchmarks widgets/src contextbook/words/en.json

notebooks: $(ALL_READY) ## make the notebooks whose sources changed (CHAPTER=13: one; FORCE=1: anyway)
	CONTEXTBOOK_PROGRESS=off $(BIN)/python -m tools.notebooks $(CHAPTER)

experiments: $(ALL_READY) ## run the experiments that the record lacks
	$(BIN)/python -m contextbook.experiments

widgets: $(ALL_READY) ## build the JavaScript of the figures
	$(BIN)/python -m tools.node npm --prefix widgets run build

sheets: $(ALL_READY) ## make exercise sheets without solutions in _build/sheets
	$(BIN)/python -m tools.sheets

audit: $(ALL_READY) $(BROWSER_READY) site ## look at every page in a browser and measure it (FAST=1: no Lighthouse)
	$(BIN)/python -m tools.site.audit $(if $(FAST),--fast)

links: site ## list external links and check their form
	$(BIN)/python -m tools.links

bench: $(ALL_READY) ## run the benchmarks and write their results
	$(BIN)/python -m benchmarks.bpe
	$(BIN)/python -m benchmarks.transformer
	$(BIN)/python -m benchmarks.layers

new-chapter: $(SITE_READY) ## start a chapter: make new-chapter NUMBER=13 NAME=my-chapter
	$(BIN)/python -m tools.new_chapter $(NUMBER) $(NAME)

real-sentences: $(ALL_READY) ## fetch Tatoeba's sentences, train three translators on them and record it
	$(BIN)/python -m contextbook.real_sentences --threads 1 --record contextbook/real_sentences/record.json

new-figure: $(SITE_READY) ## start a figure: make new-figure NAME=my-figure
	$(BIN)/python -m tools.new_figure $(NAME)

colab: $(ALL_READY) ## run every chapter in Colab's conditions (a quarter of an hour)
	CONTEXTBOOK_COLAB=every CONTEXTBOOK_PROGRESS=off $(BIN)/pytest -q -s tests/colab

test-matrix: $(ALL_READY) ## run the package's tests with the oldest and newest versions (ARGS=--torch)
	CONTEXTBOOK_PROGRESS=off $(BIN)/python -m tools.matrix $(ARGS)

clean: ## remove what was built (not the environment)
	rm -rf _build

# The website's part: no torch, no Node.
$(VENV)/site-ready: requirements-site.txt requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "the book is built with Python 3.11 or newer: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -r requirements-site.txt
	touch $@

# Everything but a browser: the notebooks, the tests and Node.
$(VENV)/all-ready: $(VENV)/site-ready requirements.txt widgets/package-lock.json tools/lighthouse/package-lock.json
	$(BIN)/pip install --quiet -r requirements.txt
	$(BIN)/pip install --quiet --no-deps -e .
	$(BIN)/python -m tools.node npm --prefix widgets ci --no-audit --no-fund
	$(BIN)/python -m tools.node npm --prefix tools/lighthouse ci --no-audit --no-fund
	touch $@

# What tests and audit look at pages with.
$(VENV)/browser-ready: $(ALL_READY)
	$(BIN)/python -m tools.chromium
	touch $@

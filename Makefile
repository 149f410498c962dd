# make dashboard   install everything and open the dashboard
# make check       linters, types and the quick tests that need no browser
# make test        install everything and run all tests but the long ones
# make test-all    all tests, with more examples and inputs, a soak of the dashboard, and the release
# make test-lowest install the lowest versions that pyproject.toml allows, and try every command and tab
# make release     build wheel and sdist, check them, try them in empty environments of each Python
# make messages    bring the French catalogue up to date with the sources
# make docs        build the documentation as a site, in site/
# make bench       measure speed, as ratios; docs/performance.md is written anew
# make load        30 sessions at once: are all alive, how much slower, how much memory
# make pictures    take the README's pictures of the dashboard anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Where it is set, pytest would rewrite every test module anew in each process.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: dashboard check quick-tests test tests test-all test-lowest release lint messages docs bench load pictures chromium clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# make /make /p' Makefile

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "INSAnonym needs Python 3.11 or newer; found $$($(PYTHON) --version). Call make PYTHON=/path/to/newer/python."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) \
	  || { echo "Python's venv module is missing: on Debian run 'apt-get install python3-venv', then make again."; rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@

dashboard: $(INSTALLED)
	$(BIN)/insanonym dashboard

# The browser tests need a Chromium: taken from the system, installed when we may.
chromium:
	@command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 \
	  || { command -v apt-get >/dev/null 2>&1 && [ "$$(id -u)" = 0 ] \
	       && echo "Installing Chromium for the browser tests…" \
	       && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } \
	  || { echo "The browser tests need Chromium and it could not be installed from here: install the package 'chromium' (as root: apt-get install -y chromium), then run make test again."; exit 1; }

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/wrong_types.py
	$(BIN)/lint-imports

# The linters need one core for half a minute: they run beside the tests.
check: $(INSTALLED)
	@$(MAKE) --no-print-directory -j2 lint quick-tests

quick-tests: $(INSTALLED)
	INSANONYM_TESTS=check $(BIN)/pytest -q -m "not browser and not slow and not long" --durations 5 --durations-min 3

test: $(INSTALLED) chromium
	@$(MAKE) --no-print-directory -j2 lint tests

tests: $(INSTALLED)
	$(BIN)/pytest -m "not long" --durations 40 --durations-min 3

test-all: $(INSTALLED) lint chromium
	INSANONYM_TESTS=all $(BIN)/pytest
	$(MAKE) release

test-lowest: chromium
	$(PYTHON) -m tests.release --lowest

release: chromium
	$(PYTHON) -m tests.release

messages: $(INSTALLED)
	$(BIN)/python -m tests.texts

docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "Open site/index.html; its search needs a server: $(BIN)/python -m http.server -b 127.0.0.1 -d site"

pictures: $(INSTALLED) chromium
	INSANONYM_PICTURES=1 $(BIN)/pytest -q tests/browser_dashboard/test_pictures.py

bench: $(INSTALLED) chromium
	$(BIN)/python -m benchmarks --write

load: $(INSTALLED) chromium
	$(BIN)/python -m benchmarks.load

clean:
	rm -rf $(VENV) .venv-peers .venv-release site dist build .mypy_cache .pytest_cache .ruff_cache

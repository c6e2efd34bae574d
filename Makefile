# Stanchion. `make` prints the targets; Python 3.11 or newer and make are all that a machine needs.
PYTHON ?= python3
UV_VERSION := 0.13.9
TOOLS := .stanchion/tools
UV := $(TOOLS)/bin/uv
RUN := $(UV) run --no-sync
SOURCES := libs services deploy tests scripts
CA_HINT := stanchion: where a certificate is the cause (UnknownIssuer), set SSL_CERT_FILE and REQUESTS_CA_BUNDLE to your authority's PEM file
export UV_PYTHON_PREFERENCE = only-system

.DEFAULT_GOAL := help
.PHONY: help sync run smoke stop test unit lint fmt gen line bench chaos truth simulate histories pin clean

help: ## Print the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(UV):
	@echo "stanchion: making the environment (once; about a minute with a fast network)"
	@$(PYTHON) -m venv $(TOOLS) && $(TOOLS)/bin/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

sync: $(UV) ## Make the environment from the lock file.
	@$(UV) sync --quiet --locked --python $(PYTHON) || { echo "$(CA_HINT)"; exit 1; }

run: sync ## A broker, the six services and a first answer; stays up until Ctrl-C.
	@$(RUN) stanchion up --import-dir docs/decisions

smoke: sync ## The same job once, checked, then stopped.
	@$(RUN) stanchion up --import-dir docs/decisions --once

stop: ## End what `make run` left running.
	@test ! -x .venv/bin/stanchion || .venv/bin/stanchion down

test: sync ## Every test, on a real broker.
	@$(RUN) pytest tests/unit tests/property tests/contract -n 2 -q
	@$(RUN) pytest tests/integration tests/e2e -q

unit: sync ## Unit, property and contract tests.
	@$(RUN) pytest tests/unit tests/property tests/contract -n 2 -q

lint: sync ## Style, types, imports, contracts, generated code.
	@$(RUN) ruff check $(SOURCES)
	@$(RUN) ruff format --check $(SOURCES)
	@$(RUN) mypy $(SOURCES)
	@$(RUN) lint-imports
	@$(RUN) buf lint proto
	@$(RUN) buf breaking proto --against proto/baseline.binpb
	@$(RUN) python scripts/gen.py --check
	@$(RUN) python scripts/check_schemas.py

fmt: sync ## Format the code.
	@$(RUN) ruff format $(SOURCES)
	@$(RUN) ruff check --fix $(SOURCES)

gen: sync ## Generate code from proto and schemas.
	@$(RUN) python scripts/gen.py

line: sync ## Draw the line, as the register of topics states it.
	@$(RUN) python scripts/line.py

bench: sync ## Measure; writes .stanchion/bench.json with machine, versions and ratios.
	@PYTHONPATH=tests $(RUN) python scripts/bench.py $(ONLY)

chaos: sync ## Break the real thing for SECONDS (default 600), 20,000 events a run, and prove that nothing came of it.
	@PYTHONPATH=tests $(RUN) python scripts/chaos.py --seconds $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED))

truth: sync ## How often what is believed is true, beside vote, CRH and ACCU; FOLDER=… [WORD= READ= TOLERANCE=] tries a set of yours.
	@PYTHONPATH=tests $(RUN) python scripts/truth.py $(if $(FOLDER),--folder "$(FOLDER)") $(if $(WORD),--word "$(WORD)") $(if $(READ),--read $(READ)) $(if $(TOLERANCE),--tolerance $(TOLERANCE))

pin: gen ## Pin new schema versions and the proto baseline, when a contract is released.
	@$(RUN) python scripts/pin.py

simulate: sync ## Crashes, zombies, duplicates and late claims over the memory log; SEED=… replays one schedule.
	@SEED=$(SEED) $(RUN) pytest tests/property/runtime/test_simulation.py -q

histories: sync ## Tell COUNT histories (default 20000) to the product and to a naive implementation of the records page.
	@HISTORIES=$(or $(COUNT),20000) $(RUN) pytest tests/property/records -n 2 -q --timeout 0

clean: ## Remove the environment and all local data.
	rm -rf .venv .stanchion

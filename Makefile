# Tenon's front door. On a bare Debian 12 (root or sudo):
#     make run     builds the tool and runs the main job on examples/four_bar_linkage.yaml
#     make test    builds everything with sanitizers and runs all tests
#     make docs    builds the documentation as a site: results/docs/index.html
#     make deb     builds a Debian package: tool, libraries, examples, docs, manual page
#     make dist    everything that is released, each installed into an empty folder and tried: results/dist
# The build itself is CMake; see CMakePresets.json for the other configurations.
.DEFAULT_GOAL := help
.PHONY: help run test bits races build deb dist wheel viewer npm gallery bench bench-peers bench-accuracy docs format lint fuzz clean setup-run setup-test setup-viewer setup-lint

MODEL   := examples/four_bar_linkage.yaml
RESULTS := results/$(basename $(notdir $(MODEL)))
JOBS    := $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS := 600
ROUNDS  := 10

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

setup-run:
	@sh scripts/setup.sh run
setup-test:
	@sh scripts/setup.sh run test viewer browser docs
setup-viewer:
	@sh scripts/setup.sh run viewer
setup-lint:
	@sh scripts/setup.sh run test lint

# Only builds: the tool ends up at build/tenon.
build: setup-run
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS)

# tenon_VERSION_ARCHITECTURE.deb, and tenon-mpi apart, in build/
deb: build
	@cd build && cpack -G DEB

run: build
	@mkdir -p results
	build/tenon run $(MODEL) --csv $(RESULTS).csv --report $(RESULTS).json
	@build/tenon view $(MODEL) --out $(RESULTS).html >/dev/null
	@echo "Results: $(RESULTS).csv (trajectory), $(RESULTS).json (report)"
	@echo "See it move: open $(RESULTS).html in a browser"

# Builds the page of `tenon view` from web/ and the library, and stores it as web/page.tar.xz.
viewer: setup-viewer
	@cmake --preset viewer --log-level=WARNING >/dev/null
	@cmake --build --preset viewer -j $(JOBS)
	@sh web/store_page.sh build-viewer/page/page.html

# The documentation as a site, searchable without a network: docs/, the interfaces of C and Python, live examples.
docs: build
	@sh scripts/setup.sh run docs
	@mkdir -p results
	@python3 -B scripts/make_docs.py build/tenon results/docs
	@echo "Documentation: open results/docs/index.html in a browser"

# The engine for Node and other pages: results/tenon-VERSION.tgz, for npm install.
npm: setup-viewer
	@cmake --preset viewer --log-level=WARNING >/dev/null
	@cmake --build --preset viewer --target npm_package -j $(JOBS)
	@mkdir -p results
	@cd results && npm pack --silent ../build-viewer/page/npm

# All examples on one page, tiles that move under the pointer.
gallery: build
	@command -v python3 >/dev/null || { echo "make gallery needs python3"; exit 1; }
	@mkdir -p results
	@python3 -B scripts/make_page_gallery.py build/tenon results/gallery.html

test: setup-test
	@sh scripts/test.sh $(JOBS)

# The bits of fifty runs, from gcc and clang at all levels, with and without AVX2, as WebAssembly.
bits: setup-test
	@cmake --preset release -DTENON_TESTS=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS) --target bits_runs
	@sh scripts/bits.sh build/bits build/tests/bits_runs

# Threads under a sanitizer that sees what they share.
races: setup-test
	@cmake --preset races --log-level=WARNING >/dev/null
	@cmake --build --preset races -j $(JOBS) --target test_threads test_batch test_lanes tenon tenon_io_static
	@CK_FORK=no TSAN_OPTIONS=halt_on_error=1 build-races/tests/test_threads
	@CK_FORK=no TSAN_OPTIONS=halt_on_error=1 build-races/tests/test_batch
	@CK_FORK=no TSAN_OPTIONS=halt_on_error=1 build-races/tests/test_lanes
	@PRELOAD=$$(gcc -print-file-name=libtsan.so) TSAN_OPTIONS=exitcode=66 TENON_ROUNDS=$(ROUNDS) sh scripts/test_python.sh build-races \
		$$(python3 -c 'import cffi, wheel' 2>/dev/null && echo python3 || echo /usr/bin/python3) $(CURDIR)/bindings/python/tests/test_threads.py

bench: setup-run
	@cmake --preset release -DTENON_BENCH=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@echo "Benchmarks: build/bench/"

# Other engines on the same mechanisms, one table: docs/explanation/peers.md says what it shows.
bench-peers:
	@sh scripts/setup.sh run peers
	@cmake --preset release -DTENON_PEERS=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@mkdir -p results
	@sh bench/peers/run.sh build | tee results/peers.md

# Error and time of runs to an accuracy, beside Simbody: docs/explanation/accuracy.md.
bench-accuracy:
	@sh scripts/setup.sh run test peers
	@cmake --preset release -DTENON_TESTS=ON -DTENON_PEERS=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS) --target work_precision
	@mkdir -p results
	@build/bench/accuracy/work_precision > results/work_precision.txt
	@python3 bench/accuracy/report.py results/work_precision.txt results/work_precision.md results/work_precision.svg

# The Python package, with the library and the tool inside: results/tenon-....whl
wheel: build
	@sh scripts/setup.sh run wheel
	@mkdir -p results
	@sh scripts/make_wheel.sh build $$(python3 -c 'import cffi, wheel' 2>/dev/null && echo python3 || echo /usr/bin/python3) results

# Source archive, .deb, wheel, npm package and site, with checksums; each is installed into an empty folder and tried.
dist: wheel npm docs
	@sh scripts/dist.sh build $$(python3 -c 'import cffi, wheel' 2>/dev/null && echo python3 || echo /usr/bin/python3)

format: setup-test
	@sh scripts/format.sh

# Slower static analysis, not part of the tests.
lint: setup-lint
	@sh scripts/lint.sh $(JOBS)

# Every libFuzzer program for FUZZ_SECONDS.
fuzz: setup-test
	@sh scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

clean:
	rm -rf build build-* results

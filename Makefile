# Everything a newcomer needs: `make demo` and `make test`. Each target installs what is missing first.
# `make python` builds the Python package and installs it, `make install` the program and the library, `make docs` a site.
.PHONY: demo what-demo-does test test-report tidy build python install docs bench sanitize sanitize-threads fuzz clean dependencies
SHELL := /bin/bash

build: dependencies
	@echo "build: configuring and compiling into build/ (the first time some 5 minutes on 2 cores, 3 GB of memory)"
	@cmake --preset release -Wno-dev $(CMAKE_FLAGS) > build.log 2>&1 || { cat build.log; exit 1; }; rm -f build.log
	@cmake --build --preset release --target driftless_cli

demo: what-demo-does build
	build/driftless run models/pendulum.mo --output pendulum.csv --plot x,y,lambda --plot-file pendulum.svg

what-demo-does:
	@echo "demo: installs missing packages, compiles the program without its tests, runs models/pendulum.mo and draws it"
	@echo "demo: the first time some 5 minutes on 2 cores, besides the packages; later some seconds"

test: build
	@echo "test: compiling and running all tests (the first time some 25 minutes on 2 cores)"
	@cmake --build --preset release
	ctest --preset release
	@python3 tests/walls/check_walls.py .

# The page of a report in a real browser, which is installed if there is none.
test-report: build
	@scripts/install-browser build/report
	ctest --test-dir build -R report_page --output-on-failure

# The Python package, in the virtual environment that is active or in .venv (docs/python.md).
python: build
	@cmake --build --preset release --target driftless_python
	@scripts/install-python

# Program, manual page, completion for bash, zsh and fish, C++ library, libraries of Modelica, models.
PREFIX ?= /usr/local
install: build
	@cmake --install build --prefix $(PREFIX) > /dev/null
	@echo "install: $(DESTDIR)$(PREFIX)/bin/driftless; man driftless; new shells complete its options"
	@echo "install: models and parts are in $(PREFIX)/share/driftless; MODELICAPATH=$(PREFIX)/share/driftless/libraries finds the parts"

# The documents as a site that opens from the disk, with a reference of the headers and of the Python package.
docs:
	@scripts/install-dependencies python3-markdown python3-pygments
	@/usr/bin/python3 scripts/site/build.py build/site

# clang-tidy over all sources. What has not changed is not looked at again.
tidy: dependencies
	@cmake --preset release -Wno-dev > /dev/null
	python3 tests/lint/check_tidy.py build $$(command -v clang-tidy-19) --all

# The same tests with address and undefined-behaviour sanitizers.
sanitize: dependencies
	@cmake --preset sanitize -Wno-dev > /dev/null
	@cmake --build --preset sanitize
	ctest --preset sanitize

# Runs of one compiled model in several threads, with the thread sanitizer. It needs addresses that are not random.
sanitize-threads: dependencies
	@cmake --preset sanitize-threads -Wno-dev > /dev/null
	@cmake --build --preset sanitize-threads --target models_compiled_test driftless_integrate_test
	setarch $$(uname -m) -R build-sanitize-threads/tests/models/models_compiled_test --gtest_filter='*Thread*'
	setarch $$(uname -m) -R build-sanitize-threads/library/driftless_integrate_test --gtest_filter='CompiledSystem*'

# Ten minutes of malformed model text under the sanitizers.
fuzz: dependencies
	@cmake --preset sanitize -Wno-dev > /dev/null
	@cmake --build --preset sanitize --target driftless_parse_fuzz
	build-sanitize/tests/fuzz/driftless_parse_fuzz --seconds $(or $(SECONDS_TO_RUN),600) models/*.mo

# Writes bench/results/.
bench: dependencies
	@cmake --preset release -Wno-dev -DDRIFTLESS_BENCH=ON > /dev/null
	@cmake --build --preset release --target driftless_cli bench/all
	bench/run build

dependencies:
	@scripts/install-dependencies

clean:
	rm -rf build build-sanitize build-sanitize-threads pendulum.csv pendulum.svg

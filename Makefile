# Bare `make` prints what there is. Each target makes the machine ready first, so any of them is enough on its own.

PREFIX ?= /usr/local
# A few tests at a time, where this Swift can: a time limit then counts a test's own work, not its wait for others.
WIDTH := --experimental-maximum-parallelization-width
SWIFT_TEST = swift test --disable-xctest $(if $(shell swift test --help-hidden | grep -e $(WIDTH)),$(WIDTH) $(AT_ONCE))
AT_ONCE = $(shell expr 2 '*' $$(nproc))
STATIC := swift build -c release --static-swift-stdlib --product pingline
VENV := .venv
PYTEST := $(VENV)/bin/pytest -q -p no:cacheprovider
LANES := $(shell expr 1 + $$(nproc))# end-to-end tests at a time: most of their time they wait for a pause to end

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build run test golden e2e schema tsan asan format lint smoke check conformance \
	websocket-conformance fuzz simulate simulate-briefly simulate-bugs torture bench picture clean install uninstall

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check Swift, install missing Debian packages
	@.ci/setup build

build: setup ## build everything for debugging
	swift build

run: setup ## build, then chat with the demo's people
	@.ci/setup run
	swift build --product pingline
	@.build/debug/pingline demo

test: setup ## run the Swift tests; T=Outbox runs those whose names match
	@.ci/setup test
	$(SWIFT_TEST) $(if $(T),--filter '$(T)')

golden: setup ## record the whole-screen pictures anew; then read the diff
	PINGLINE_RECORD=1 $(SWIFT_TEST) --filter ScreensTests
	git diff --stat -- Tests/ScreensTests

e2e: setup $(VENV)/ready ## drive the program on a pseudo-terminal; T=outage runs those whose names match
	swift build --product pingline
	$(PYTEST) -n $(LANES) Tests/EndToEndTests $(if $(T),-k '$(T)')

conformance: setup $(VENV)-conformance/ready ## hold the server against Supabase's own clients; T=step_024 runs those that match
	swift build --product pingline
	@$(VENV)-conformance/bin/pytest -q -p no:cacheprovider Tests/Conformance $(if $(T),-k '$(T)')

websocket-conformance: setup $(VENV)-websocket/ready ## hold both ends of our WebSocket code against the Autobahn suite
	@.ci/setup test
	swift build --build-tests
	@$(VENV)-websocket/bin/python -u Tests/Conformance/websocket/run.py $(SWIFT_TEST) --skip-build

schema: setup $(VENV)-schema/ready ## hold the server and a real PostgreSQL to the same rules; T=reaction runs those that match
	@.ci/setup schema
	swift build --product pingline
	$(VENV)-schema/bin/pytest -q -p no:cacheprovider Tests/Schema $(if $(T),-k '$(T)')

# Under a sanitizer a test's work takes many times as long.
tsan asan: AT_ONCE = $(shell nproc)

tsan: setup ## run the Swift tests under the thread sanitizer
	TSAN_OPTIONS='suppressions=$(CURDIR)/.ci/thread-sanitizer' $(SWIFT_TEST) --sanitize=thread --scratch-path .build-tsan $(if $(T),--filter '$(T)')

asan: setup ## run the Swift tests under the address and leak sanitizers
	LSAN_OPTIONS='suppressions=$(CURDIR)/.ci/leak-sanitizer' $(SWIFT_TEST) --sanitize=address --scratch-path .build-asan $(if $(T),--filter '$(T)')

# Optimised and under the address sanitizer; comparisons are counted on their way to libFuzzer. SwiftPM hands the two
# sanitizers on in an order of its hashes, and the compiler takes the last: it is told of both at once, and the hashes
# are the same each time, or another order would build everything anew.
FUZZ_BUILD := SWIFT_DETERMINISTIC_HASHING=1 PINGLINE_FUZZING=1 swift build -c release --scratch-path .build-fuzz \
	--sanitize=fuzzer --sanitize=address -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing $(foreach size,1 2 4 8,$(foreach kind,cmp const_cmp,\
	-Xlinker --wrap=__sanitizer_cov_trace_$(kind)$(size)))

fuzz: setup ## throw mutated bytes at every reader of foreign bytes; SECONDS=600 each, T=rest for one, REPLAY=file
	$(FUZZ_BUILD) --product FuzzDriver
	@python3 Tests/Fuzz/fuzz.py .build-fuzz/release/FuzzDriver $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(T),--target $(T)) $(if $(REPLAY),--replay $(REPLAY))

format: setup ## rewrite the sources in the house format
	swift format -i -r -p Sources Tests Package.swift

lint: setup ## check format and architecture; warnings are errors in every build
	swift format lint --strict -r -p Sources Tests Package.swift
	$(SWIFT_TEST) --filter ArchitectureTests

smoke: setup ## build the release binary and see it start
	$(STATIC)
	.build/release/pingline --version

check: ## all that CI runs, and how long each step took
	@for step in test lint e2e conformance schema smoke websocket-conformance; do \
		printf '\n== %s\n' $$step; began=$$(date +%s); \
		$(MAKE) --no-print-directory $$step || exit 1; \
		printf '== %s: %d s\n' $$step $$(($$(date +%s) - began)); \
	done

simulate: setup ## live through worlds of a seed with every fault; SEEDS=100000, SECONDS=60, SEED=7 shows one
	swift build -c release --scratch-path .build-simulation --product Simulation
	@python3 Tests/Simulation/simulate.py .build-simulation/release/Simulation $(if $(SEED),--seed $(SEED)) \
		$(if $(SEEDS),--seeds $(SEEDS)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(BASE),--base $(BASE))

# New seeds each time. The debug build is there already; its jobs are other ones, and so are the worlds of its seeds.
simulate-briefly: setup
	swift build --product Simulation
	@python3 Tests/Simulation/simulate.py .build/debug/Simulation --replay 'make simulate-briefly' \
		$(if $(SEED),--seed $(SEED),--seconds 60)

simulate-bugs: setup ## plant bugs on purpose, one at a time, and say how soon the simulation finds each
	@python3 Tests/Simulation/bugs.py

torture: setup $(VENV)/ready ## kill, stop, cut off and fill up real clients and a server; KILLS=1000 SEED=7
	$(STATIC)
	$(VENV)/bin/python Tests/Torture/torture.py $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

bench: setup $(VENV)/ready ## measure a release build next to weechat and irssi
	@.ci/setup bench
	$(STATIC)
	$(VENV)/bin/python Tests/Bench/bench.py

picture: setup $(VENV)/ready ## draw the pictures in Docs/pictures from real runs
	@.ci/setup picture
	swift build --product pingline
	$(VENV)/bin/python Tests/EndToEndTests/picture.py Docs/pictures

clean: ## remove everything that was built
	rm -rf .build .build-tsan .build-asan .build-simulation .build-fuzz $(VENV) $(VENV)-conformance $(VENV)-websocket $(VENV)-schema

install: setup ## install a release binary under PREFIX (/usr/local)
	$(STATIC)
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -s -m 755 .build/release/pingline '$(DESTDIR)$(PREFIX)/bin/pingline'

uninstall: ## remove the installed binary
	rm -f '$(DESTDIR)$(PREFIX)/bin/pingline'

# Each keeps to versions of its own, so each has an environment of its own.
$(VENV)/ready: Tests/EndToEndTests/requirements.txt
$(VENV)-conformance/ready: Tests/Conformance/requirements.txt
$(VENV)-websocket/ready: Tests/Conformance/websocket/requirements.txt Tests/Conformance/websocket/port.py
$(VENV)-schema/ready: Tests/Schema/requirements.txt

$(VENV)/ready $(VENV)-conformance/ready $(VENV)-websocket/ready $(VENV)-schema/ready:
	@.ci/setup $(if $(findstring websocket,$@),websocket,e2e)
	python3 -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	$(if $(findstring websocket,$@),$(@D)/bin/python Tests/Conformance/websocket/port.py)
	@touch $@

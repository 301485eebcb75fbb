# make demo      builds touchtree and shows it at work
# make check     after an edit: lint, and the suites of what changed
# make test      what vouches for a change on this machine, the virtual machine included
# make test-all  that, Debian 12's kernel, 64-bit ARM and the examples
#
# All of them install the Debian packages they need. CONTRIBUTING.md says how long each takes, and lists the other targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# Modules import one way only: see Package.swift.
SWIFT_FLAGS := --explicit-target-dependency-import-check error
# The processor that release, shipped, install and deb are for, by Debian's name. By default this machine's; `make deb ARCH=arm64` on an
# x86-64 machine builds for 64-bit ARM, with the SDK that scripts/arm64-sdk makes.
HOST := $(shell dpkg --print-architecture 2>/dev/null)
ARCH := $(HOST)
ifeq ($(ARCH),$(HOST))
BUILD := .build
DEB_FOLDER := .build/deb
SDK :=
STAND_INS := scripts/stand-ins $(BUILD)/stand-ins
BUILD_SWIFT := swift build
RUN :=
STRIP := strip
DEPS_DEB := deb
else ifeq ($(ARCH),arm64)
BUILD := $(or $(TOUCHTREE_ARM64_BUILD),.build-arm64)
DEB_FOLDER := $(BUILD)/deb
SDK := scripts/arm64-sdk
ARM64_ROOT := $(CURDIR)/.cache/arm64/root
STAND_INS := scripts/stand-ins $(BUILD)/stand-ins -target aarch64-unknown-linux-gnu -sdk $(ARM64_ROOT) \
	-resource-dir $(ARM64_ROOT)/usr/lib/swift_static
# Without them pkg-config names this machine's libraries.
BUILD_SWIFT := PKG_CONFIG_SYSROOT_DIR=$(ARM64_ROOT) PKG_CONFIG_PATH=$(ARM64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig \
	swift build --swift-sdks-path .cache/arm64/sdks --swift-sdk touchtree-arm64
# The man pages and completions come from the programs.
RUN := scripts/on-arm64
STRIP := aarch64-linux-gnu-strip
DEPS_DEB := deb-arm64
else
$(error ARCH=$(ARCH) is not known: on this machine it can be $(HOST) or arm64)
endif

# Without debug information: the packages are stripped, and to write it is a tenth of the build.
# FoundationEssentials, which the argument parser imports for two small things, would be a third of the program: scripts/stand-ins.
RELEASE_FLAGS = $(SWIFT_FLAGS) $(OPTIMISED) --static-swift-stdlib -debug-info-format none --scratch-path $(BUILD) \
	-Xswiftc -I$(CURDIR)/$(BUILD)/stand-ins -Xlinker -L$(CURDIR)/$(BUILD)/stand-ins
# `make test` has a folder of its own for 64-bit ARM, in which pixels alone are optimised: that is a third of the work. What is published is
# built, and tried, by `make nightly-arm64`. `release` is a link there, because the scripts look for programs in it.
QUICK_ARM64 := .build-arm64-quick
OPTIMISED = $(if $(filter $(QUICK_ARM64),$(BUILD)),-c debug $(WHOLE_MODULES),-c release)
RELEASE := $(BUILD)/release
PREFIX ?= /usr

.PHONY: build build-tests whole-modules release benchmarks fuzzers sdk shipped dist demo check test test-rest test-all linkage sequences attacks baseline \
	bench bench-peers bridged-peers nightly nightly-arm64 nightly-kms arm64-files mutate soak lint deps deps-test vm-image image image-6.1 \
	install deb clean

# The quick build, for `make demo`, `make check` and the tests: in a folder of its own, so that it can go on beside a release build. A module
# is compiled as a whole, once, and without debug information, which halves the time of the processor; pixels alone are optimised.
# `swift build` builds what a debugger wants.
WHOLE_MODULES := -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -disable-batch-mode \
	-Xswiftc -no-emit-module-separately-wmo
QUICK := .build-tests
BUILD_QUICK := swift build $(SWIFT_FLAGS) $(WHOLE_MODULES) --scratch-path $(QUICK)

# What the demo needs. SwiftPM takes seconds to find that nothing has changed, so make looks first.
build: deps $(QUICK)/built
$(QUICK)/built: Package.swift $(shell find Sources -type f)
	@if [[ ! -d $(QUICK)/debug ]]; then echo 'touchtree is compiled. The first time this takes one to three minutes, on two cores:'; fi
	$(BUILD_QUICK) --product touchtree
	$(BUILD_QUICK) --product bell
	@touch $@

demo: build
	@scripts/demo $(QUICK)/debug

build-tests: deps
	$(BUILD_QUICK) --build-tests

# For scripts/examples, which builds on the same modules.
whole-modules:
	@echo $(WHOLE_MODULES)

# The program, the sample plugins, and what the tests and benchmarks need of a release: product by product, because the other targets are
# parts of the tests, and use Foundation. Each contains the parts of Swift's runtime that it needs, because a board has none.
SHIPPED := touchtree touchtree-instrument touchtree-mqtt touchtree-preview bell
# What is in the virtual machine, and what else is made of a release.
TESTED := $(SHIPPED) lamp allocation-counter display-witness vm-guest example-chain example-shelter
BENCHMARKS := hit-benchmark operation-benchmark display-benchmark kit-benchmark ten-lines
# The reports of panels name the commit of the program. A build for the tests does not, so that a commit compiles nothing.
COMMIT = $(shell git rev-parse --short=12 HEAD 2>/dev/null)$(shell git diff --quiet HEAD 2>/dev/null || [[ $$? != 1 ]] || echo +)
release shipped benchmarks fuzzers: export TOUCHTREE_COMMIT = $(COMMIT)
release: deps sdk
	for product in $(TESTED); do $(BUILD_SWIFT) $(RELEASE_FLAGS) --product $$product; done
	$(if $(filter $(QUICK_ARM64),$(BUILD)),ln -sfn debug $(RELEASE))
benchmarks: release
	for product in $(BENCHMARKS); do $(BUILD_SWIFT) $(RELEASE_FLAGS) --product $$product; done
fuzzers: release
	$(BUILD_SWIFT) $(RELEASE_FLAGS) --product fuzz

# What a release build needs besides packages.
sdk:
	@$(if $(SDK),$(SDK) &&) $(STAND_INS)

# What the packages have, without benchmarks and tools of the tests.
shipped: deps sdk
	for product in $(SHIPPED); do $(BUILD_SWIFT) $(RELEASE_FLAGS) --product $$product; done

# What vouches for a change on this machine, in stages that run side by side where they can. Each prints its row when it ends; the rows are
# printed once more at the end, with what failed.
test: deps-test
	@scripts/stage --begin
	@swift package resolve # once: both builds would write Package.resolved
	@$(MAKE) --no-print-directory --jobs 5 --keep-going $(STAGES) || true
	@scripts/stage --table

# The rest: the same on Debian 12's kernel where it depends on the kernel, 64-bit ARM, and the examples.
test-rest: deps-test
	@scripts/stage --begin
	@$(MAKE) --no-print-directory --jobs 4 --keep-going $(STAGES_REST) || true
	@scripts/stage --table

test-all: test
	@$(MAKE) --no-print-directory test-rest

# In the order in which they should begin: what the virtual machine needs is built first, and what waits longest starts first.
STAGES := $(addprefix stage-, release tests lint kernels image tests-displays tests-devices deb tests-service tests-connectors tests-units \
	benchmarks gates fuzzers attacks fuzz documentation linkage)
STAGES_REST := $(addprefix stage-, arm64-sdk arm64-files arm64-release image-6.1 tests-devices-6.1 tests-displays-6.1 tests-connectors-6.1 arm64-image arm64-deb \
	tests-arm64 arm64-compare examples)
.PHONY: $(STAGES) $(STAGES_REST)
STAGE = @scripts/stage $(@:stage-%=%)
stage-release:
	$(STAGE) $(MAKE) -o deps release
stage-tests:
	$(STAGE) $(MAKE) -o deps build-tests
stage-lint:
	$(STAGE) $(MAKE) lint
stage-kernels:
	$(STAGE) Bench/VM/fetch-kernel
stage-image: stage-release stage-kernels
	$(STAGE) $(MAKE) -o release image
stage-tests-displays stage-tests-devices stage-tests-connectors: stage-tests stage-image
	$(STAGE) Tests/run $(@:stage-tests-%=%)
stage-tests-service: stage-tests stage-image stage-deb
	$(STAGE) Tests/run service
stage-tests-units: stage-tests
	$(STAGE) Tests/run units
# Packed less densely than what is published: that would be a third of the stage.
stage-deb stage-arm64-deb: export DPKG_DEB_COMPRESSOR_LEVEL := 1
stage-deb: stage-release
	$(STAGE) $(MAKE) -o shipped deb
# Two builds in one folder would wait for each other.
stage-benchmarks: stage-release
	$(STAGE) $(MAKE) -o release benchmarks
stage-fuzzers: stage-release | stage-benchmarks
	$(STAGE) $(MAKE) -o release fuzzers
stage-gates: stage-benchmarks stage-image
	$(STAGE) Bench/Benchmarks/gates
stage-attacks: stage-fuzzers
	$(STAGE) $(MAKE) -o fuzzers attacks
stage-fuzz: stage-fuzzers
	$(STAGE) $(MAKE) -o fuzzers sequences
stage-documentation: stage-tests
	$(STAGE) scripts/documentation
stage-linkage: stage-benchmarks
	$(STAGE) $(MAKE) -o benchmarks linkage
# What `make test` has built is there.
stage-image-6.1:
	$(STAGE) $(MAKE) -o release image-6.1
stage-tests-devices-6.1 stage-tests-displays-6.1 stage-tests-connectors-6.1: stage-image-6.1
	$(STAGE) Tests/run $(@:stage-tests-%=%)
stage-examples:
	$(STAGE) scripts/examples
stage-arm64-sdk stage-arm64-release stage-arm64-deb stage-arm64-image stage-tests-arm64 stage-arm64-compare: \
	export TOUCHTREE_ARM64_BUILD := $(QUICK_ARM64)
stage-arm64-sdk:
	$(STAGE) $(MAKE) sdk ARCH=arm64
stage-arm64-files:
	$(STAGE) $(MAKE) arm64-files
stage-arm64-release: stage-arm64-sdk
	$(STAGE) $(MAKE) -o deps -o sdk release ARCH=arm64
stage-arm64-deb: stage-arm64-release
	$(STAGE) $(MAKE) -o shipped deb ARCH=arm64
stage-arm64-image: stage-arm64-release stage-arm64-files
	$(STAGE) Bench/VM/build-image --arm64 --debian 13-16k
stage-tests-arm64: stage-arm64-image
	$(STAGE) Tests/run arm64
stage-arm64-compare: stage-arm64-release
	$(STAGE) Tests/ARM/compare 20

linkage: benchmarks
	scripts/check-linkage $(RELEASE)/touchtree
	scripts/check-linkage $(RELEASE)/touchtree-instrument
	scripts/check-linkage $(RELEASE)/touchtree-mqtt 13
	scripts/check-linkage $(RELEASE)/touchtree-preview
	scripts/check-linkage $(RELEASE)/example-chain 13
	scripts/check-linkage $(RELEASE)/ten-lines 13

# Senseless sequences for the contact trackers, dispatch and the protocol, and mutated input for all that is read.
sequences: fuzzers
	FUZZ_CORPUS=/nowhere $(RELEASE)/fuzz texts 1 || test $$? = 66
	$(RELEASE)/fuzz contacts 200000
	$(RELEASE)/fuzz dispatch 100000
	$(RELEASE)/fuzz lengths 20000
	$(RELEASE)/fuzz protocol 200000
	$(RELEASE)/fuzz expressions 200000
attacks: fuzzers
	$(call attack,2000)

# An answer after an edit: the style of the files that differ from the last commit, and the suites of their modules.
check: deps
	scripts/check-changes

# Accepts what operations cost now, on both processors: commit the files that it writes.
baseline: deps-test benchmarks arm64-files
	$(MAKE) --no-print-directory -o release vm-image
	Bench/Benchmarks/gates --record
	$(MAKE) --no-print-directory -o deps benchmarks ARCH=arm64
	Bench/VM/build-image --arm64
	Bench/Benchmarks/gates --arm64 --record

# What Weston and Qt make of a panel that is broken, and bridged.
bridged-peers: release
	scripts/install-deps peers
	Bench/VM/fetch-kernel
	Bench/VM/bridged-peers

# Prints every figure of Bench/Benchmarks/README.md that needs no other program, and the baseline.
bench: deps benchmarks
	Bench/Benchmarks/bench

# Mutated configurations, recordings, pictures, texts, lines and command lines: so many of each, side by side.
attack = printf '%s\n' commands lines bounds texts configurations recordings pictures | \
	xargs -P "$$(nproc)" -I % $(RELEASE)/fuzz % $(1)

# Runs the fuzzers for hours: ten million sequences for the contact trackers, dispatch and the protocol, and 200 000 attacks of each
# kind. Each night has its own seed; FUZZ_SEED=… repeats one. Then it plants errors in the sources, as `make mutate` does.
FUZZ_SEED := $(or $(FUZZ_SEED),$(shell date +%s))
nightly: deps fuzzers
	@echo "FUZZ_SEED=$(FUZZ_SEED)"
	$(RELEASE)/fuzz contacts 10000000 $(FUZZ_SEED)
	$(RELEASE)/fuzz dispatch 10000000 $(FUZZ_SEED)
	$(RELEASE)/fuzz lengths 2000000 $(FUZZ_SEED)
	$(RELEASE)/fuzz protocol 10000000 $(FUZZ_SEED)
	$(RELEASE)/fuzz expressions 10000000 $(FUZZ_SEED)
	export FUZZ_SEED=$(FUZZ_SEED); $(call attack,200000)
	scripts/mutate --unnoticed 2
	$(MAKE) --no-print-directory nightly-kms
	TOUCHTREE_PROBES=2000000 Tests/run units
	Tests/run panels
	TOUCHTREE_BRIDGE_ROUNDS=1000 Tests/run devices
	Bench/VM/bridge-delay
	$(MAKE) --no-print-directory nightly-arm64

# Groups of tests, all of them, so that a night shows each failure.
each_group = failed=; for group in $(1); do Tests/run $$group || failed+=" $$group"; done; \
	if [[ -n $$failed ]]; then echo "failed:$$failed" >&2; exit 1; fi

# All that shows a picture once more by KMS: the console, other terminals, an untouched display, the package's service. Cables,
# modes and terminals change 1000 times.
nightly-kms: deps-test release
	$(MAKE) --no-print-directory -o shipped deb
	$(MAKE) --no-print-directory -o release vm-image
	Bench/VM/build-service-image
	Bench/VM/build-service-image --packages
	$(MAKE) --no-print-directory -o deps build-tests
	$(call each_group,kms-6.1 kms-6.12)

# All that is tried on 64-bit ARM: Tests/ARM/README.md. What was built and fetched is in .build-arm64 and .cache.
ON_ARM := Tests/ARM/with-libraries qemu-aarch64-static
nightly-arm64: deps-test release arm64-files
	$(MAKE) --no-print-directory -o deps benchmarks fuzzers ARCH=arm64
	$(MAKE) --no-print-directory -o shipped deb ARCH=arm64
	for debian in 12 13 13-16k; do Bench/VM/build-image --arm64 --debian $$debian; \
		Bench/VM/build-service-image --arm64 --debian $$debian; \
		Bench/VM/build-service-image --arm64 --debian $$debian --packages; done
	$(MAKE) --no-print-directory -o deps build-tests
	Tests/ARM/installable
	Tests/ARM/compare
	for part in contacts dispatch expressions protocol; do $(ON_ARM) .build-arm64/release/fuzz $$part 20000 $(FUZZ_SEED); done
	$(ON_ARM) .build-arm64/release/fuzz lengths 2000 $(FUZZ_SEED)
	for part in configurations pictures recordings texts; do \
		$(ON_ARM) .build-arm64/release/fuzz $$part 500 $(FUZZ_SEED); done
	Bench/Benchmarks/gates --arm64
	Tests/ARM/unit-tests
	$(call each_group,arm64-6.1 arm64-6.12 arm64-16k arm64-kms)

arm64-files:
	Bench/VM/fetch-kernel --arm64
	Bench/VM/fetch-root

# Plants errors in a copy of the sources, one at a time, and fails if more than two of them stay unnoticed.
mutate: deps
	scripts/mutate --unnoticed 2

# Runs the virtual machine at full speed for an hour, and prints a line each minute. SOAK_SEED=… repeats a run's choices.
SOAK_MINUTES ?= 60
SOAK_SEED := $(or $(SOAK_SEED),$(shell date +%s))
soak: deps-test release
	Bench/VM/fetch-kernel
	Bench/VM/build-image
	$(MAKE) --no-print-directory -o deps build-tests
	SOAK_MINUTES=$(SOAK_MINUTES) SOAK_SEED=$(SOAK_SEED) .build-tests/debug/touchtreePackageTests.xctest \
		--testing-library swift-testing --filter '^VMTests.*/Soak/'

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Instrument MQTT Preview Bench

vm-image: release
	Bench/VM/fetch-kernel
	$(MAKE) --no-print-directory -o release image

# With Debian 13's kernel for the suites, and with Debian 12's for the gates, whose counts are those of one kernel.
image: release image-6.1
	Bench/VM/build-image --debian 13
	Bench/VM/build-service-image --debian 13
	Bench/VM/build-service-image --debian 13 --packages
image-6.1: release
	Bench/VM/build-image

# Compares touchtree with tslib and Qt: from a touch to its pixels, on the kernels of Debian 12 and 13. Before that, with LVGL=PATH of a clone
# of LVGL: how long a panel and a list that is dragged take to paint.
bench-peers: benchmarks
	scripts/install-deps peers
	$(if $(LVGL),Bench/Benchmarks/Peers/lvgl $(LVGL))
	Bench/VM/fetch-kernel
	Bench/VM/build-bench-image 12
	Bench/VM/build-bench-image 13
	VM_IMAGE=.build/vm/bench-12 BENCH=times Bench/VM/bench
	VM_IMAGE=.build/vm/bench-13 BENCH=times Bench/VM/bench

deps:
	scripts/install-deps build

deps-test:
	scripts/install-deps test

# Needs no Swift: root may not have it in its path. An existing configuration is kept.
# What names an installed file is given this PREFIX; the folders below share/doc are laid out as here, so that links and the
# commands in the documents work there.
SHARE := $(PREFIX)/share/touchtree
DOC := $(PREFIX)/share/doc/touchtree
PROGRAMS := $(foreach program,touchtree touchtree-instrument touchtree-preview touchtree-mqtt,'$(RUN) $(RELEASE)/$(program)')
SCHEMA := s|\$$schema=\(\.\./\)\?\(touchtree[-a-z]*\.schema\.json\)|$$schema=$(SHARE)/\2|
install:
	@test -x $(RELEASE)/touchtree || { echo "$(RELEASE)/touchtree is missing: run 'make release' first"; exit 1; }
	install -D -m 755 -s --strip-program=$(STRIP) $(RELEASE)/touchtree $(DESTDIR)$(PREFIX)/bin/touchtree
	for program in touchtree-instrument touchtree-preview; do install -D -m 755 -s --strip-program=$(STRIP) $(RELEASE)/$$program \
		$(DESTDIR)$(PREFIX)/libexec/touchtree/$$program || exit; done
	install -D -m 755 -s --strip-program=$(STRIP) $(RELEASE)/touchtree-mqtt $(DESTDIR)$(PREFIX)/bin/touchtree-mqtt
	install -D -m 644 $(RELEASE)/libbell.so $(DESTDIR)$(PREFIX)/lib/touchtree/libbell.so
	install -D -m 644 Sources/CTouchtree/include/touchtree.h $(DESTDIR)$(PREFIX)/include/touchtree.h
	install -D -m 644 config/touchtree.schema.json $(DESTDIR)$(SHARE)/touchtree.schema.json
	install -m 644 config/touchtree-rehearsal.schema.json $(DESTDIR)$(SHARE)/touchtree-rehearsal.schema.json
	install -m 644 config/touchtree-profile.schema.json $(DESTDIR)$(SHARE)/touchtree-profile.schema.json
	install -D -m 644 -t $(DESTDIR)$(SHARE)/profiles config/profiles/*.yaml
	install -D -m 644 -t $(DESTDIR)$(SHARE)/quirks config/quirks/*.yaml
	install -D -m 644 -t $(DESTDIR)$(SHARE)/themes config/themes/*.yaml
	install -D -m 644 -t $(DESTDIR)$(SHARE)/keyboards config/keyboards/*.yaml
	install -d $(DESTDIR)/etc/touchtree $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(DOC)/docs \
		$(DESTDIR)$(DOC)/config/experiments $(DESTDIR)$(DOC)/config/examples
	test -e $(DESTDIR)/etc/touchtree/touchtree.yaml || \
		sed '$(SCHEMA)' config/touchtree.yaml | install -m 644 /dev/stdin $(DESTDIR)/etc/touchtree/touchtree.yaml
	for unit in touchtree.service touchtree@.service touchtree-bridge.service touchtree-mqtt.service touchtree-fetch.service \
		touchtree-fetch.timer; do \
		sed 's,/usr/\(bin\|share\)/,$(PREFIX)/\1/,g' systemd/$$unit | \
		install -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit; done
	install -D -m 644 -t $(DESTDIR)$(DOC)/systemd systemd/touchtree.service.d/*.conf
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/udev/rules.d systemd/90-touchtree-backlight.rules systemd/90-touchtree-bridge.rules
	install -D -m 644 systemd/touchtree.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/touchtree.conf
	install -m 644 systemd/touchtree-fetch.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/touchtree-fetch.conf
	install -m 755 Fleet/touchtree-fetch $(DESTDIR)$(PREFIX)/bin/touchtree-fetch
	install -d $(DESTDIR)$(DOC)/Fleet
	cp -R Fleet/Prometheus Fleet/Recipes $(DESTDIR)$(DOC)/Fleet
	chmod -R u=rwX,go=rX $(DESTDIR)$(DOC)/Fleet
	install -m 644 README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE $(DESTDIR)$(DOC)
	cp -R docs/. $(DESTDIR)$(DOC)/docs
	chmod -R u=rwX,go=rX $(DESTDIR)$(DOC)/docs
	install -m 644 config/demo.evemu $(DESTDIR)$(DOC)/config
	install -m 644 config/examples/*.evemu config/examples/*.png $(DESTDIR)$(DOC)/config/examples
	install -m 755 config/examples/*.sh config/examples/*.py $(DESTDIR)$(DOC)/config/examples
	for file in config/touchtree.yaml config/gallery.yaml config/experiments/*.yaml config/examples/*.yaml; do \
		sed '$(SCHEMA)' $$file | install -m 644 /dev/stdin $(DESTDIR)$(DOC)/$$file; done
	scripts/manual $(BUILD)/manual $(PROGRAMS)
	for section in 1 5 7; do install -d $(DESTDIR)$(PREFIX)/share/man/man$$section && \
		install -m 644 $(BUILD)/manual/*.$$section $(DESTDIR)$(PREFIX)/share/man/man$$section; done
	scripts/completions $(DESTDIR)$(PREFIX)/share $(PROGRAMS)
	install -d $(DESTDIR)$(SHARE)/templates
	install -m 644 Sources/TouchTools/New/Starter/* $(DESTDIR)$(SHARE)/templates
	scripts/library $(DESTDIR)$(PREFIX)/src/touchtree

# Debian packages, in .build/deb; with ARCH=arm64, in .build-arm64/deb. What is built is packed in a copy of the tree, because
# dpkg-buildpackage writes beside it.
DEB := $(DEB_FOLDER)/touchtree
deb: shipped
	scripts/install-deps $(DEPS_DEB)
	rm -rf $(DEB_FOLDER)
	mkdir -p $(DEB)/$(BUILD)
	cp -R *.md LICENSE Makefile Fleet Sources config debian docs scripts systemd $(DEB)
	ln -s $(CURDIR)/$(RELEASE) $(DEB)/$(BUILD)/release
	ln -s $(CURDIR)/.cache $(DEB)/.cache
	cd $(DEB) && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -b -a $(ARCH) --no-sign --no-check-builddeps
	rm -rf $(DEB)
	lintian --fail-on error,warning --display-info --tag-display-limit 0 $(DEB_FOLDER)/*.changes
	@ls $(DEB_FOLDER)/*.deb

# What a release publishes: the packages of both processors, and their checksums, in .build/dist.
DIST := .build/dist
dist:
	$(MAKE) --no-print-directory deb ARCH=amd64
	$(MAKE) --no-print-directory deb ARCH=arm64
	rm -rf $(DIST)
	mkdir -p $(DIST)
	cp .build/deb/*.deb .build-arm64/deb/*_arm64.deb $(DIST)
	cd $(DIST) && sha256sum -- *.deb >SHA256SUMS
	@cat $(DIST)/SHA256SUMS

clean:
	rm -rf .build .build-arm64 $(QUICK_ARM64) .build-mutate .build-tests .build-stages out

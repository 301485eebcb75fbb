# make demo   builds touchtree and shows it at work
# make test   runs everything, the virtual machine included
#
# Both install the Debian packages that they miss. CONTRIBUTING.md says what else there is.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

# Rooms import one way only: see Package.swift.
SWIFT_FLAGS := --explicit-target-dependency-import-check error
# A section for each function, so that the linker can put those side by side that starting needs: scripts/order-startup.
RELEASE_FLAGS := $(SWIFT_FLAGS) -c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections
RELEASE := .build/release
PREFIX ?= /usr

.PHONY: build release demo test nightly lint deps deps-test vm-image install clean

build: deps
	swift build $(SWIFT_FLAGS)

# The program and the sample plugins, each with what it needs of Swift's runtime in it: a board has none.
release: deps
	swift build $(RELEASE_FLAGS)

demo: release
	scripts/demo $(RELEASE)

test: deps-test lint release
	scripts/check-linkage $(RELEASE)/touchtree
	$(RELEASE)/fuzz-contacts 200000
	$(RELEASE)/fuzz-dispatch 100000
	$(MAKE) --no-print-directory -o release vm-image
	swift build $(SWIFT_FLAGS) --build-tests
	swift test $(SWIFT_FLAGS) --skip-build

# The fuzzers, for hours: ten million sequences for the contact trackers, for dispatch, and as many broken recordings. Others
# every night; FUZZ_SEED=… has those of one night again.
FUZZ_SEED := $(or $(FUZZ_SEED),$(shell date +%s))
nightly: deps release
	@echo "FUZZ_SEED=$(FUZZ_SEED)"
	$(RELEASE)/fuzz-contacts 10000000 $(FUZZ_SEED)
	$(RELEASE)/fuzz-dispatch 10000000 $(FUZZ_SEED)
	TOUCHTREE_FUZZ=10000000 TOUCHTREE_FUZZ_SEED=$(FUZZ_SEED) swift test $(SWIFT_FLAGS) -c release -Xswiftc -enable-testing \
		--scratch-path .build/nightly --filter 'Tests.*Fuzz'

lint:
	swift format lint --strict --recursive Package.swift Sources Tests

vm-image: release
	Tests/VM/fetch-kernel
	Tests/VM/build-image
	Tests/VM/build-service-image

deps:
	scripts/install-deps build

deps-test:
	scripts/install-deps test

# Needs no Swift: root may not have it in its path. The configuration is yours once it is there.
install:
	@test -x $(RELEASE)/touchtree || { echo "$(RELEASE)/touchtree is missing: run 'make release' first"; exit 1; }
	install -D -m 755 -s $(RELEASE)/touchtree $(DESTDIR)$(PREFIX)/bin/touchtree
	install -D -m 644 $(RELEASE)/libbell.so $(DESTDIR)$(PREFIX)/lib/touchtree/libbell.so
	install -D -m 644 Sources/CTouchtree/include/touchtree.h $(DESTDIR)$(PREFIX)/include/touchtree.h
	test -e $(DESTDIR)/etc/touchtree/touchtree.yaml || \
		install -D -m 644 config/touchtree.yaml $(DESTDIR)/etc/touchtree/touchtree.yaml
	install -D -m 644 config/touchtree.schema.json $(DESTDIR)$(PREFIX)/share/touchtree/touchtree.schema.json
	install -D -m 644 systemd/touchtree.service $(DESTDIR)$(PREFIX)/lib/systemd/system/touchtree.service
	install -D -m 644 systemd/touchtree.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/touchtree.conf
	install -D -m 644 README.md $(DESTDIR)$(PREFIX)/share/doc/touchtree/README.md

clean:
	rm -rf .build out

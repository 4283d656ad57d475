# The commands of the project; `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# What runs the Go tests; .ci/run puts its counting runner here.
export GO_TEST ?= go test
# The race detector needs a C compiler; without one the tests run all the same.
RACE := $(if $(shell command -v $${CC:-gcc} clang 2>/dev/null),-race)
# Linters are pinned here and built by the module cache, outside of go.mod.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/main.go))))
GO_DIRS := functions pkg scripts

-include scripts/aws.mk

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | awk -F'|' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: dev
dev: ## Run the whole service on localhost:3000 with demo content (PORT, DATA_DIR, SEED=none and others: see README)
	@go build -o .build/dev ./scripts/dev
	@exec .build/dev

.PHONY: test
test: ## Every test that needs nothing but Go, with the race detector
	$(GO_TEST) $(RACE) -timeout 10m ./...

.PHONY: test-browser
test-browser: ## The admin area in a real browser (needs chromium: scripts/tools/chromium.sh install)
	BROWSER=1 $(GO_TEST) -timeout 10m -count=1 ./scripts/browser

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@unformatted=$$(gofmt -l $(GO_DIRS)); if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) ./...

.PHONY: build
build: ## The local server and every function, as for AWS, into .build/
	go build -o .build/dev ./scripts/dev
	@for f in $(FUNCTIONS); do \
		echo "functions/$$f"; \
		mkdir -p .build/functions/$$f && \
		$(MAKE) --no-print-directory -C functions/$$f build-$$f ARTIFACTS_DIR=$(CURDIR)/.build/functions/$$f || exit 1; \
	done

.PHONY: bench
bench: ## Round trips, units and times of every kind of request (BENCH_FLAGS="-sizes 100,10000,100000")
	@go build -o .build/bench ./scripts/bench
	@.build/bench $(BENCH_FLAGS)

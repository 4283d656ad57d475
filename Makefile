# The commands of the project; `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# What runs the Go tests; .ci/run puts its counting runner here.
export GO_TEST ?= go test
# The race detector needs a C compiler; without one the tests run all the same.
RACE := $(if $(shell command -v $${CC:-gcc} clang 2>/dev/null),-race)
# nodynamic: package webp never looks for a shared library, and programs are static.
export GOFLAGS := $(GOFLAGS) -tags=nodynamic
# Linters are pinned here and built by the module cache, outside of go.mod.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.16.0
CRANE := github.com/google/go-containerregistry/cmd/crane@v0.22.1
GO_DIRS := functions pkg scripts

-include scripts/aws.mk

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | awk -F'|' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: dev
dev: ## Run the whole service on localhost:3000 with demo content (PORT, DATA_DIR, SEED=none and others: see pkg/docs/configuration.md)
	@go build -o .build/dev ./scripts/dev
	@exec .build/dev

# Packages whose goroutines share memory. `make test` runs these with the race detector.
SHARING := ./pkg/apikeys/... ./pkg/db/... ./pkg/delivery/... ./pkg/fulltext/... ./pkg/hooks/... ./pkg/index/... \
	./pkg/jobs/... ./pkg/purge/... ./pkg/queue/... ./pkg/table/bolt/... ./pkg/table/sim/... ./pkg/web/...

.PHONY: check
check: ## Short tests of the packages that differ from main and of those that import them (BASE=commit)
	@scripts/ci/check.sh $(BASE)

.PHONY: test
test: ## Every test that needs nothing but Go; the race detector where goroutines share memory
	$(GO_TEST) $(TEST_FLAGS) -timeout 10m $$(comm -23 <(go list ./... | sort) <(go list $(SHARING) | sort))
	$(if $(RACE),CGO_ENABLED=1) $(GO_TEST) $(RACE) $(TEST_FLAGS) -timeout 10m $(SHARING)

.PHONY: test-race
test-race: ## Every test of `make test` with the race detector
	$(if $(RACE),CGO_ENABLED=1) $(GO_TEST) $(RACE) $(TEST_FLAGS) -timeout 15m ./...

.PHONY: test-all
test-all: test test-race test-types test-openapi test-sites test-aws test-localstack test-browser ## Every test; installs what it needs into .tools/

# How long each fuzz test of `make fuzz` runs.
FUZZTIME ?= 10s

.PHONY: fuzz
fuzz: ## Random requests at the embedded server and at the functions' events (FUZZTIME=10s each)
	$(GO_TEST) -run '^$$' -fuzz '^FuzzRequests$$' -fuzztime $(FUZZTIME) ./pkg/app/embedded
	$(GO_TEST) -run '^$$' -fuzz '^FuzzEvents$$' -fuzztime $(FUZZTIME) ./pkg/app/lambdahttp

# The database of `make vuln`; file:///… reads a copy (https://go.dev/doc/security/vuln/database).
VULN_DB ?= https://vuln.go.dev

.PHONY: vuln
vuln: ## Known vulnerabilities in what the code calls (asks vuln.go.dev, or VULN_DB)
	go run $(GOVULNCHECK) -db $(VULN_DB) ./...

.PHONY: test-types
test-types: ## The file of cms types with two versions of TypeScript, and its client on a service (needs Node.js)
	scripts/tools/node.sh install
	NODE_TOOLS=$(CURDIR)/.tools/node $(GO_TEST) -timeout 10m -count=1 -run 'TestTypes|TestClient' ./scripts/cms/... ./pkg/api/typescript

.PHONY: test-exports
test-exports: ## Importers on public exports of other systems, downloaded and checked against their checksums
	scripts/tools/exports.sh install
	EXPORTS=$(CURDIR)/.tools/exports $(GO_TEST) -timeout 30m -count=1 -v -run TestPublicExports ./scripts/cms

.PHONY: guide-pictures
guide-pictures: ## The pictures of the guide for editors, made anew
	scripts/tools/node.sh install axe
	BROWSER=1 GUIDE_PICTURES=$(CURDIR)/pkg/admin/ui/assets go test -count=1 -run TestPictures ./scripts/browser

.PHONY: styleguide-pictures
styleguide-pictures: ## The pictures that the style guide is compared with, made anew
	scripts/tools/node.sh install axe
	BROWSER=1 go test -count=1 -run TestStyleGuide ./scripts/browser -renew-pictures

.PHONY: test-openapi
test-openapi: ## The OpenAPI documents with redocly and generators of TypeScript, Go and Python, and /mcp with its official clients (needs Node.js and Python)
	scripts/tools/openapi.sh install
	TOOLS=$(CURDIR)/.tools $(GO_TEST) -timeout 10m -count=1 -run 'TestOpenAPI|TestMCP' ./scripts/clients

.PHONY: test-sites
test-sites: ## Example sites with Astro and Next.js, and those of the guides, built and served on a service (needs Node.js and Python)
	scripts/tools/sites.sh install
	for name in stega eleventy nuxt sveltekit astro next; do scripts/tools/node.sh install $$name || exit 1; done
	scripts/tools/venv.sh $(CURDIR)/.tools/hugo "$$(command -v python3)" hugo
	GUIDES=$(CURDIR)/.tools SITES=$(CURDIR)/.tools/sites STEGA=$(CURDIR)/.tools/stega $(GO_TEST) -timeout 15m -count=1 -run 'TestAstro|TestNext|TestStega|TestGuide' ./scripts/clients

.PHONY: test-browser
test-browser: ## The admin area in Chromium, and its main pages in Firefox (needs chromium: scripts/tools/chromium.sh install)
	scripts/tools/node.sh install axe
	@scripts/tools/firefox.sh install && echo "Firefox: $$(scripts/tools/firefox.sh path)" || echo "Firefox cannot be installed: TestFirefox is skipped"
	BROWSER=1 $(GO_TEST) -timeout 60m -count=1 ./scripts/browser

.PHONY: lint
lint: ## gofmt, go vet and all checks of staticcheck
	@unformatted=$$(gofmt -l $(GO_DIRS)); if [ -n "$$unformatted" ]; then echo "gofmt these:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go run $(STATICCHECK) -checks all ./...

.PHONY: build
build: ## The local server and every function, as for AWS, with the list of what they are made of (sbom.cdx.json), into .build/
	go build -o .build/dev ./scripts/dev
	go run ./scripts/sbom >.build/sbom.cdx.json
	@$(MAKE) --no-print-directory -C functions -f build.mk all ARTIFACTS_DIR=$(CURDIR)/.build/functions

.PHONY: sbom
sbom:
	@mkdir -p .build
	go run ./scripts/sbom >.build/sbom.cdx.json

.PHONY: release-snapshot
release-snapshot: sbom package ## Archives of cms for each platform, image, npm packages and the package for AWS, without publishing; starts those for this machine
	go run $(GORELEASER) release --clean --snapshot
	scripts/ci/archive.sh .build/release
	scripts/ci/package.sh .build/release
	@$(MAKE) --no-print-directory image
	$(if $(shell command -v node),scripts/ci/npm.sh .build/release .build/npm)

# The archive of this machine by the flags of .goreleaser.yaml: to build GoReleaser alone takes two minutes.
HERE = .build/here/cms_0.0.0-here_$(shell go env GOOS)_$(shell go env GOARCH).tar.gz

.PHONY: release-here
release-here: ## Archive and image of this machine alone, without GoReleaser, and starts them
	@rm -rf .build/here && mkdir -p .build/here/files
	CGO_ENABLED=0 go build $$(sed -n 's/^ *flags: \[\(.*\)\]/\1/p' .goreleaser.yaml | tr , ' ') -o .build/here/files/cms \
		-ldflags "$$(sed -n "s/^ *ldflags: \['\(.*\){{ .Version }}'\]/\1/p" .goreleaser.yaml)0.0.0-here" ./scripts/cms
	cp LICENSE CHANGELOG.md .build/here/files
	tar -czf $(HERE) -C .build/here/files cms LICENSE CHANGELOG.md
	cd .build/here && sha256sum *.tar.gz >checksums.txt
	scripts/ci/archive.sh .build/here
	@$(MAKE) --no-print-directory image RELEASE=.build/here

# RELEASE is the folder of the archives.
RELEASE ?= .build/release

.PHONY: image
image: ## The container image of the archives in .build/release, without a container engine; starts it
	@mkdir -p .build/bin
	GOBIN=$(CURDIR)/.build/bin go install $(CRANE)
	go run ./scripts/image $(RELEASE) .build/image
	IMAGE=$(CURDIR)/.build/image CRANE=$(CURDIR)/.build/bin/crane $(GO_TEST) -count=1 -run TestImage ./scripts/image

.PHONY: release-check
release-check: ## The settings of GoReleaser (needs a git remote)
	go run $(GORELEASER) check

.PHONY: release
release: sbom package ## A draft of a release on GitHub, of the tag that is checked out (needs GITHUB_TOKEN)
	go run $(GORELEASER) release --clean

.PHONY: bench
bench: ## Round trips, units and times of every kind of request, and of variants of pictures (BENCH_FLAGS="-sizes 100,10000,100000")
	@go build -o .build/bench ./scripts/bench
	@.build/bench $(BENCH_FLAGS)
	@go test -run '^$$' -bench . -benchtime 1x ./pkg/assets/webp ./pkg/assets/picture ./pkg/assets/images | grep ^Bench # time and memory of variants

.PHONY: bench-pages
bench-pages: ## How long people wait for pages of the admin area on a slow device, and for keys in long texts (needs Chromium)
	scripts/tools/node.sh install axe
	BROWSER=1 BENCH_PAGES=1 go test -count=1 -v -run TestPace ./scripts/browser | grep -v '^=== '

.PHONY: bench-ranking
bench-ranking: ## How well searches rank real pages, beside SQLite (DOCS=pages.jsonl.gz)
	@go run ./scripts/benchranking -docs $(DOCS) $(BENCH_RANKING_FLAGS)

.PHONY: bench-sim
bench-sim: ## Load figures on the simulated DynamoDB (BENCH_SIM_FLAGS="-span 10s")
	@go test -count=1 -v -timeout 3h ./scripts/benchsim $(BENCH_SIM_FLAGS) | grep -v '^=== '

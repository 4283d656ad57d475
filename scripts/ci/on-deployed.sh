#!/bin/sh
# What `make test-deployed` runs on a stack: a smoke test, a look through CloudFront and a small load, then the end-to-end suite. SHORT=1 leaves the
# suite out, for a stage that people use: it changes settings and locales.
set -eu
GO_TEST=${GO_TEST:-go test}
export E2E_LOAD="${E2E_LOAD:-500}"

$GO_TEST -count=1 -v -timeout 10m -run 'TestSmoke|TestEdge|TestLoad' ./scripts/e2e
if [ -z "${SHORT:-}" ]; then
  $GO_TEST -count=1 -timeout 30m -run TestEndToEnd ./scripts/e2e
fi

#!/bin/sh
# What `make test-localstack` runs while the stack is deployed: the end-to-end suite, and after the upgrade the check that
# the content is still there.
set -eu
exec ${GO_TEST:-go test} -count=1 -timeout 30m ./scripts/e2e

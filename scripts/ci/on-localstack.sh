#!/bin/sh
# What `make test-localstack` runs while the stack is deployed: the end-to-end suite, and after the upgrade the check that
# the content is still there. Before that, `make test-deployed` in its short form, by the outputs of the stack, and the drill
# of a restore, which copies the table and so comes before the suite fills it. At the end the step of scripts/account that
# deletes a stack with its data.
set -eu
if [ -z "${E2E_AFTER_UPGRADE:-}" ]; then
  export ADMIN_EMAIL=root@example.com ADMIN_PASSWORD='a long enough password'
  SHORT=1 E2E_LOAD=100 go run ./scripts/deployed -stack "$STACK" -url "$E2E_BASE_URL" -- scripts/ci/on-deployed.sh
  DRILL=1 ${GO_TEST:-go test} -count=1 -run '^TestDrill$' ./scripts/restore
fi
# Scenarios that wait give their place to others, so that many of them can run at a time.
${GO_TEST:-go test} -count=1 -timeout 30m -parallel 12 ./scripts/e2e
if [ -n "${E2E_AFTER_UPGRADE:-}" ]; then
  PATH=$PWD/.tools/localstack/bin:$PATH scripts/account "${STACK#headless-}" delete
fi

#!/bin/sh
# What `make test-aws` runs while scripts/awslocal serves the functions: the conformance suites of the adapters on the same
# emulators, then the end-to-end suite and the sample events.
set -eu
GO_TEST=${GO_TEST:-go test}

# Each adapter's suite reads its endpoint from a variable of its own.
DYNAMODB_ENDPOINT=$AWS_ENDPOINT_URL_DYNAMODB S3_ENDPOINT=$AWS_ENDPOINT_URL_S3 \
  SQS_ENDPOINT=$AWS_ENDPOINT_URL_SQS SES_ENDPOINT=$AWS_ENDPOINT_URL_SESV2 \
  $GO_TEST -count=1 -timeout 10m ./pkg/table/dynamo/... ./pkg/blob/s3/... ./pkg/queue/sqs/... ./pkg/mail/ses/...

# Scenarios that wait for queues, sweeps and purges give their place to others, so that many of them can run at a time.
E2E_EDGE_URL=$E2E_BASE_URL $GO_TEST -count=1 -timeout 20m -parallel 12 ./scripts/e2e

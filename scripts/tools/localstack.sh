#!/bin/sh
# LocalStack (the edition without a licence) in .tools/localstack, run without containers.
#   localstack.sh install          installs it once, DynamoDB Local included
#   localstack.sh run PORT DIR     serves on 127.0.0.1:PORT with its state under DIR, in the foreground
set -eu
cd "$(dirname "$0")/../.."
tools=$PWD/.tools
case ${1:-} in
install)
  scripts/tools/dynamodb-local.sh install
  scripts/tools/venv.sh "$tools/localstack" "$(scripts/tools/python.sh 3.13)" localstack
  ;;
run)
  port=$2
  mkdir -p "$3/tmp"
  state=$(cd "$3" && pwd)
  # No look-ups of certificates, names or analytics, and no end of idle functions while tests run. Polling once a second, the
  # default, reads 50 records of the stream a second: less than a busy suite makes. The database is in memory, since a file is
  # slow enough on a busy machine that calls run out of time, and shared by all access keys, so that functions find their table
  # at DynamoDB Local (see host.py). The folder for temporary files must not be that of another LocalStack: each empties it when
  # it starts.
  exec env \
    TMPDIR="$state/tmp" \
    DYNAMODB_IN_MEMORY=1 \
    DYNAMODB_SHARE_DB=1 \
    DDB_LIB="$tools/dynamodb-local/lib" \
    FILESYSTEM_ROOT="$state" \
    GATEWAY_LISTEN="127.0.0.1:$port" \
    LOCALSTACK_HOST="localhost:$port" \
    PROVIDER_OVERRIDE_DYNAMODB=v2 \
    PROVIDER_OVERRIDE_DYNAMODBSTREAMS=v2 \
    S3_SKIP_SIGNATURE_VALIDATION=0 \
    DNS_ADDRESS=0 SKIP_SSL_CERT_DOWNLOAD=1 DISABLE_EVENTS=1 \
    LAMBDA_KEEPALIVE_MS=600000 \
    LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC=0.1 \
    "$tools/localstack/bin/python" scripts/localstack/host.py
  ;;
*)
  echo "usage: $0 install | run PORT DIR" >&2
  exit 2
  ;;
esac

#!/bin/sh
# Deletes what stays of a deleted stack: its table, and its bucket with all versions of all files.
#
#   scripts/ci/drop.sh TABLE BUCKET
#
# What is gone already is no error. Needs the AWS CLI. `aws s3 rb --force` fails here: it leaves former versions and marks of deletions, and a bucket that has them stays.
set -eu
if [ $# -ne 2 ]; then
  echo "usage: $0 TABLE BUCKET" >&2
  exit 2
fi
versions=$(mktemp)
trap 'rm -f "$versions"' EXIT

# list writes up to 1,000 versions, which one call deletes.
list() {
  aws s3api list-object-versions --bucket "$1" --no-paginate --output json \
    --query '{Objects: [Versions, DeleteMarkers][].{Key: Key, VersionId: VersionId}}' >"$versions"
}

if aws dynamodb describe-table --table-name "$1" >/dev/null 2>&1; then
  aws dynamodb delete-table --table-name "$1" >/dev/null
fi
if ! aws s3api head-bucket --bucket "$2" >/dev/null 2>&1; then
  exit
fi
list "$2"
while grep -q VersionId "$versions"; do
  aws s3api delete-objects --bucket "$2" --delete "file://$versions" >/dev/null
  list "$2"
done
aws s3api delete-bucket --bucket "$2"

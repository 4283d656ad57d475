#!/bin/sh
# Restores a stack as it was at a time, as a second stack beside the running one, and checks it.
#
#   scripts/ci/restore.sh headless headless-2 2026-11-20T08:00:00Z
#
# The steps are table, secrets, stack, files and check. Each can be repeated: a step that was done is not done again, so run
# the same line after an interruption. STEPS="files check" does only these. The time is UTC.
#
#   TABLE=name       a table that was restored already, such as from a copy in another region (AWS Backup); the step table
#                    then only gives it what a restored table lacks
#   KMS_KEY=arn      the key that encrypts the copied secrets, where it is not that of the stack
#   FROM_BUCKET=name the bucket to copy files from, where it is not that of the stack; NEW_BUCKET likewise to copy to
#
# Needs Go, the AWS CLI (version 2), and the SAM CLI for the step stack.
set -eu
cd "$(dirname "$0")/../.."
stack=${1:-} new=${2:-} at=${3:-}
case $at in
20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z) ;;
*)
  echo "usage: $0 STACK NEW 2026-11-20T08:00:00Z" >&2
  exit 2
  ;;
esac
if [ "$stack" = "$new" ]; then
  echo "$0: the restored stack stands beside $stack, so it needs another name" >&2
  exit 2
fi
table=${TABLE:-$new-restored}
work=.build/restore-$new
mkdir -p "$work"

# output STACK KEY: an output of a stack.
output() {
  aws cloudformation describe-stacks --stack-name "$1" --output text --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue"
}

# describe QUERY: a property of the restored table.
describe() { aws dynamodb describe-table --table-name "$table" --output text --query "Table.$1"; }

# wait_for_table waits until the table is active, which takes up to hours for a large one.
wait_for_table() {
  until [ "$(describe TableStatus)" = ACTIVE ]; do
    echo "waiting for the table $table"
    sleep "${PAUSE:-20}"
  done
}

# restore_table restores the table and gives it what the template has and a restored table lacks.
restore_table() {
  if ! aws dynamodb describe-table --table-name "$table" >/dev/null 2>&1; then
    if [ -n "${TABLE:-}" ]; then
      echo "$0: there is no table $table" >&2
      exit 1
    fi
    aws dynamodb restore-table-to-point-in-time --source-table-name "$(output "$stack" TableName)" --target-table-name "$table" \
      --restore-date-time "$at" >/dev/null
  fi
  wait_for_table
  if [ "$(describe StreamSpecification.StreamEnabled)" != True ]; then
    view=$(go run ./scripts/adopt Table | sed -n 's/.*"StreamViewType": "\([A-Z_]*\)".*/\1/p')
    aws dynamodb update-table --table-name "$table" --stream-specification "StreamEnabled=true,StreamViewType=$view" >/dev/null
    wait_for_table
  fi
  ttl=$(aws dynamodb describe-time-to-live --table-name "$table" --output text --query TimeToLiveDescription.TimeToLiveStatus)
  case $ttl in
  ENABL*) ;;
  *) aws dynamodb update-time-to-live --table-name "$table" --time-to-live-specification Enabled=true,AttributeName=x >/dev/null ;;
  esac
  aws dynamodb update-continuous-backups --table-name "$table" --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true >/dev/null
}

# restore_secrets copies the keys that seal the secrets of the table, and the other secrets of the stack.
restore_secrets() {
  kms=${KMS_KEY-$(aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].Parameters[?ParameterKey=='KmsKey'].ParameterValue")}
  go run ./scripts/restore secrets -from "$stack" -to "$new" ${kms:+-kms-key "$kms"}
}

# adopt_table makes the new stack around the table: an import, to which the deployment adds all the rest.
adopt_table() {
  if aws cloudformation describe-stacks --stack-name "$new" >/dev/null 2>&1; then
    return
  fi
  go run ./scripts/adopt Table >"$work/adopt.json"
  # What is imported must have the table's own key: DynamoDB refuses to be told later to encrypt with the key that it uses.
  kms=$(describe SSEDescription.KMSMasterKeyArn)
  [ "$kms" != None ] || kms=""
  aws cloudformation create-change-set --stack-name "$new" --change-set-name adopt --change-set-type IMPORT \
    --template-body "file://$work/adopt.json" ${kms:+--parameters "ParameterKey=KmsKey,ParameterValue=$kms"} --resources-to-import \
    "[{\"ResourceType\":\"AWS::DynamoDB::Table\",\"LogicalResourceId\":\"Table\",\"ResourceIdentifier\":{\"TableName\":\"$table\"}}]" >/dev/null
  aws cloudformation wait change-set-create-complete --stack-name "$new" --change-set-name adopt
  aws cloudformation execute-change-set --stack-name "$new" --change-set-name adopt
  aws cloudformation wait stack-import-complete --stack-name "$new"
}

# restore_stack deploys with the parameters of the running stack, but without its domains, which only one stack can have, and the
# versions of the secret of CloudFront, whose copy begins with 1 again.
restore_stack() {
  adopt_table
  aws cloudformation describe-stacks --stack-name "$stack" --output text \
    --query 'Stacks[0].Parameters[].[ParameterKey, ParameterValue]' >"$work/parameters"
  set --
  while IFS='	' read -r key value; do
    case $key in
    DomainName | CertificateArn | DeliveryDomainName | DeliveryCertificateArn | SiteUrl | MediaBaseUrl | FunctionConcurrency | DefaultEndpoint | OriginVerify*) ;;
    *) set -- "$@" "$key=\"$value\"" ;;
    esac
  done <"$work/parameters"
  scripts/tools/sam.sh run build
  scripts/tools/sam.sh run deploy --stack-name "$new" --s3-prefix "$new" --no-confirm-changeset --parameter-overrides "$@"
}

# restore_files copies the files as they were at the time, also those that were replaced or deleted since.
restore_files() {
  from=${FROM_BUCKET:-$(output "$stack" MediaBucketName)}
  to=${NEW_BUCKET:-$(output "$new" MediaBucketName)}
  go run ./scripts/restore files -from "$from" -to "$to" -at "$at"
}

# check_all reads users, opens all secrets and looks for the object of each file.
check_all() {
  to=${NEW_BUCKET:-$(output "$new" MediaBucketName)}
  go run ./scripts/restore check -table "$table" -bucket "$to" -stack "$new"
}

for step in ${STEPS:-table secrets stack files check}; do
  echo "== $step"
  case $step in
  table) restore_table ;;
  secrets) restore_secrets ;;
  stack) restore_stack ;;
  files) restore_files ;;
  check) check_all ;;
  *)
    echo "$0: the steps are table, secrets, stack, files and check, not $step" >&2
    exit 2
    ;;
  esac
done
echo "$new is restored to $at. Look at it at its ApiUrl; infra/README.md says how to move over."

#!/bin/sh
# Takes the functions of a stack that was deployed with CANARY=1 back to what they were at a time, without a build.
#
#   scripts/ci/rollback.sh headless-prod 2026-11-22T10:00
#
# It moves each alias to the newest version from before that time (UTC). Content stays. The next deployment moves them on.
# Needs the AWS CLI and the rights lambda:ListVersionsByFunction, lambda:GetAlias and lambda:UpdateAlias.
set -eu
stack=${1:-} before=${2:-}
case $before in
20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]*) ;;
*)
  echo "usage: $0 STACK 2026-11-22T10:00" >&2
  exit 2
  ;;
esac

# All targets are found before the first alias moves.
moves=$(aws cloudformation describe-stacks --stack-name "$stack" --output text \
  --query "Stacks[0].Outputs[?ends_with(OutputKey, 'FunctionName')].[OutputValue]" | while read -r function; do
  version=$(aws lambda list-versions-by-function --function-name "$function" --output text \
    --query "Versions[?Version != '\$LATEST' && LastModified < '$before'].[LastModified, Version]" | sort | tail -n 1 | cut -f 2)
  echo "$function ${version:-none}"
done)
case $moves in
'' | *' none'*)
  echo "$0: these functions have no version from before $before:" >&2
  echo "$moves" | grep -v ' [0-9]' >&2
  exit 1
  ;;
esac
echo "$moves" | while read -r function version; do
  aws lambda update-alias --function-name "$function" --name live --function-version "$version" --routing-config AdditionalVersionWeights={} \
    --query '[AliasArn, FunctionVersion]' --output text
done

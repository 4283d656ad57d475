#!/bin/sh
# Deploys or deletes a stage, also one for a single change, such as pr-12.
#
#   scripts/ci/stage.sh deploy NAME     builds, and deploys the stack headless-NAME
#   scripts/ci/stage.sh delete NAME     deletes the stack; table and bucket stay, and it says how to remove them
#
# CANARY=1 moves the functions to their new versions slowly, and back when they fail (scripts/canary); once used, keep it.
# A stage that samconfig.toml lists has its settings; any other has those of dev without CloudFront, or with PARAMETERS in place
# of that, such as "MediaCdn=true". EXECUTION_ROLE_ARN and
# FUNCTION_BOUNDARY_ARN are outputs of infra/ci-role.yaml; without them the caller's own rights are used.
set -eu
cd "$(dirname "$0")/../.."
action=${1:-} name=${2:-}
case $name in
'' | *[!a-z0-9-]*)
  echo "usage: $0 deploy|delete NAME (a to z, 0 to 9 and -)" >&2
  exit 2
  ;;
esac
stack=headless-$name
config=dev
own=${PARAMETERS-"MediaCdn=false"} # distributions take minutes, and an account has 20 cache policies
if grep -q "^\[$name\.deploy\.parameters\]" samconfig.toml; then
  config=$name own=""
fi
role=${EXECUTION_ROLE_ARN:+--role-arn $EXECUTION_ROLE_ARN}

case $action in
deploy)
  # What the command line overrides replaces the list of samconfig.toml, so that list is read and extended.
  parameters=$(sed -n "/^\[$config\.deploy\.parameters\]/,/^\[/s/^parameter_overrides = \"\(.*\)\"/\1/p" samconfig.toml)
  parameters="$parameters${own:+ $own}${FUNCTION_BOUNDARY_ARN:+ PermissionsBoundary=$FUNCTION_BOUNDARY_ARN}"
  source=template.yaml built=.aws-sam/build
  if [ -n "${CANARY:-}" ]; then
    mkdir -p .build
    source=.build/canary.json
    go run ./scripts/canary >"$source"
  fi
  scripts/tools/sam.sh run build --config-env "$config" --template-file "$source" --base-dir . --build-dir "$built"
  go run ./scripts/built "$built" "$parameters"
  mkdir -p .build
  go run ./scripts/sbom >.build/sbom.cdx.json
  # shellcheck disable=SC2086 # roles and parameters are lists of words
  scripts/tools/sam.sh run deploy --template-file "$built/template.yaml" --config-env "$config" --stack-name "$stack" --s3-prefix "$stack" --no-confirm-changeset $role --parameter-overrides $parameters
  ;;
delete)
  if [ "$config" = "$name" ]; then
    echo "$0: $name is a stage of samconfig.toml; delete it by hand (infra/README.md)" >&2
    exit 2
  fi
  outputs=$(scripts/tools/sam.sh run list stack-outputs --stack-name "$stack" --output json)
  value() { printf '%s' "$outputs" | tr -d '\n' | tr '{' '\n' | sed -n "s/.*\"OutputKey\": *\"$1\".*\"OutputValue\": *\"\([^\"]*\)\".*/\1/p"; }
  table=$(value TableName) bucket=$(value MediaBucketName)
  scripts/tools/sam.sh run delete --stack-name "$stack" --no-prompts
  echo "Its data stays. To remove it: scripts/ci/drop.sh $table $bucket"
  ;;
*)
  echo "usage: $0 deploy|delete NAME" >&2
  exit 2
  ;;
esac

#!/bin/sh
# The SAM CLI (with cfn-lint) in .tools/sam.
#   sam.sh install        installs it once
#   sam.sh run ARGS...    runs `sam ARGS...`
set -eu
cd "$(dirname "$0")/../.."
tools=$PWD/.tools
case ${1:-} in
install)
  scripts/tools/venv.sh "$tools/sam" "$(command -v python3)" sam
  ;;
run)
  shift
  SAM_CLI_TELEMETRY=0 exec "$tools/sam/bin/sam" "$@"
  ;;
*)
  echo "usage: $0 install | run ARGS..." >&2
  exit 2
  ;;
esac

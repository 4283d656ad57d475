#!/bin/sh
# The linter and the generators that read the OpenAPI documents in tests, in .tools/openapi: redocly and openapi-typescript with
# TypeScript, openapi-python-client, and oapi-codegen as scripts/clients/testdata/go/go.mod names it. And
# the official clients of the Model Context Protocol, in .tools/mcp and as scripts/clients/testdata/mcp/go.mod names them. Needs Node.js, Python and Go.
#
#   openapi.sh install   installs them once
set -eu
cd "$(dirname "$0")/../.."

case ${1:-} in
install)
  scripts/tools/node.sh install openapi
  scripts/tools/venv.sh "$PWD/.tools/openapi-python" "$(command -v python3)" openapi
  scripts/tools/node.sh install mcp
  (cd scripts/clients/testdata/go && go mod download)
  (cd scripts/clients/testdata/mcp && go mod download)
  ;;
*)
  echo "usage: $0 install" >&2
  exit 2
  ;;
esac

#!/bin/sh
# moto, a stand-in for SQS, SES v2 and SSM, in .tools/moto.
#   moto.sh install     installs it once
#   moto.sh run PORT    installs it and serves on 127.0.0.1:PORT, in the foreground; sent mail is listed by /moto-api/data.json
set -eu
cd "$(dirname "$0")/../.."
tools=$PWD/.tools

install_moto() {
  scripts/tools/venv.sh "$tools/moto" "$(command -v python3)" moto
}

case ${1:-} in
install)
  install_moto
  ;;
run)
  install_moto
  exec "$tools/moto/bin/moto_server" -H 127.0.0.1 -p "$2"
  ;;
*)
  echo "usage: $0 install | run PORT" >&2
  exit 2
  ;;
esac

#!/bin/sh
# The npm packages that tests use, at the versions and checksums of scripts/tools/NAME/package-lock.json. Needs Node.js 20 or later with npm.
#
#   node.sh install [NAME]   installs them to .tools/NAME, unless they are there; NAME is node unless another one is given
#   node.sh path [NAME]      prints where they are
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
name=${2:-node}
home=$root/.tools/$name
wanted=$here/$name/package-lock.json

case ${1:-} in
install)
  if [ -e "$home/installed" ] && cmp -s "$home/installed" "$wanted"; then
    exit 0
  fi
  for tool in node npm; do
    command -v "$tool" >/dev/null || { echo "node.sh: $tool is missing" >&2; exit 1; }
  done
  rm -rf "$home"
  mkdir -p "$home"
  cp "$here/$name/package.json" "$wanted" "$home"
  (cd "$home" && npm ci --silent --no-audit --no-fund --ignore-scripts)
  cp "$wanted" "$home/installed"
  ;;
path)
  echo "$home"
  ;;
*)
  echo "usage: $0 install [NAME] | path [NAME]" >&2
  exit 2
  ;;
esac

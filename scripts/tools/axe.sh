#!/bin/sh
# axe-core, the checker of accessibility that the browser tests run on each page, at the version and
# checksum of scripts/tools/axe/package-lock.json. Needs npm.
#
#   axe.sh install   installs it to .tools/axe, unless it is there
#   axe.sh path      prints where the script is
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
home=$root/.tools/axe

case ${1:-} in
install)
  if [ -e "$home/installed" ] && cmp -s "$home/installed" "$here/axe/package-lock.json"; then
    exit 0
  fi
  command -v npm >/dev/null || { echo "axe.sh: npm is missing" >&2; exit 1; }
  rm -rf "$home"
  mkdir -p "$home"
  cp "$here/axe/package.json" "$here/axe/package-lock.json" "$home"
  (cd "$home" && npm ci --silent --no-audit --no-fund --ignore-scripts)
  cp "$here/axe/package-lock.json" "$home/installed"
  ;;
path)
  echo "$home/node_modules/axe-core/axe.min.js"
  ;;
*)
  echo "usage: $0 install | path" >&2
  exit 2
  ;;
esac

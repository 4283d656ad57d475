#!/bin/sh
# The example sites below scripts/clients with the npm packages of their package-lock.json, in .tools/sites. Needs Node.js 20 or later with npm.
#
#   sites.sh install   installs them once; tests copy the sources of the sites there before they build them
set -eu
cd "$(dirname "$0")/../.."

install_site() {
  from=scripts/clients/$1 home=$PWD/.tools/sites/$1
  if [ -e "$home/installed" ] && cmp -s "$home/installed" "$from/example/package-lock.json"; then
    return
  fi
  rm -rf "$home"
  mkdir -p "$home"
  cp -R "$from/." "$home"
  (cd "$home/example" && npm ci --silent --no-audit --no-fund --ignore-scripts)
  cp "$from/example/package-lock.json" "$home/installed"
}

case ${1:-} in
install)
  for tool in node npm; do
    command -v "$tool" >/dev/null || { echo "sites.sh: $tool is missing" >&2; exit 1; }
  done
  install_site astro
  install_site next
  ;;
*)
  echo "usage: $0 install" >&2
  exit 2
  ;;
esac

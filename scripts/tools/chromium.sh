#!/bin/sh
# Chromium, which the browser tests drive, by Debian's package manager. Needs root (or sudo) where it is not installed yet.
#   chromium.sh install   installs it once
#   chromium.sh path      prints where it is
set -eu
find_browser() {
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" && return
  done
  return 1
}
case ${1:-} in
install)
  find_browser >/dev/null && exit 0
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  $root apt-get update -qq
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
  find_browser
  ;;
path)
  find_browser
  ;;
*)
  echo "usage: $0 install | path" >&2
  exit 2
  ;;
esac

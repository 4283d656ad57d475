#!/bin/sh
# Chromium, which the browser tests drive, by Debian's package manager: the headless shell where there is a package of it, since
# it takes a quarter less of the processor's time. Needs root (or sudo) where it is not installed yet.
#   chromium.sh install   installs it once
#   chromium.sh path      prints where it is
set -eu
find_browser() {
  for name in chromium-headless-shell chromium chromium-browser google-chrome; do
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
  browser=chromium-headless-shell
  apt-cache show "$browser" >/dev/null 2>&1 || browser=chromium
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$browser" fonts-dejavu-core
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

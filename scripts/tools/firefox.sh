#!/bin/sh
# Firefox by Debian's package manager, and the npm packages that drive it. Needs npm, and root (or sudo) where Firefox is not installed yet.
#   firefox.sh install   installs them once
#   firefox.sh path      prints where Firefox is, if all is installed
set -eu
here=$(cd "$(dirname "$0")" && pwd)
find_browser() {
  command -v firefox-esr || command -v firefox
}
case ${1:-} in
install)
  if ! find_browser >/dev/null; then
    root=
    [ "$(id -u)" = 0 ] || root=sudo
    $root apt-get update -qq
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr
  fi
  "$here/node.sh" install firefox
  ;;
path)
  [ -e "$("$here/node.sh" path firefox)/installed" ] && find_browser
  ;;
*)
  echo "usage: $0 install | path" >&2
  exit 2
  ;;
esac

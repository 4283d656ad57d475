#!/bin/sh
# Public exports of other systems, on which the importers are tried: the test data of WordPress themes
# (github.com/WordPress/theme-test-data) and a blog of Contentful (MIT). They are downloaded, not
# kept in the repository. Needs curl and sha256sum.
#
#   exports.sh install   downloads them to .tools/exports, unless they are there
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
home=$root/.tools/exports
wordpress=https://raw.githubusercontent.com/WordPress/theme-test-data/b47acf980696897936265182cb684dca648476c7
contentful=https://raw.githubusercontent.com/contentful/starter-gatsby-blog/568f1b417277da135c7054a9ef80bbc166e34610

# take downloads a file, which must have the checksum.
take() { # name checksum address
  if echo "$2  $home/$1" | sha256sum --check --status 2>/dev/null; then
    return
  fi
  curl -fsSL --retry 3 -o "$home/$1.part" "$3"
  echo "$2  $home/$1.part" | sha256sum --check --quiet
  mv "$home/$1.part" "$home/$1"
}

case ${1:-} in
install)
  mkdir -p "$home"
  take themeunittestdata.wordpress.xml 457aace6ec93cf77369bbcc6158996e52da8798bd5e39c83d58dfab9b50d64fa "$wordpress/themeunittestdata.wordpress.xml"
  take 64-block-test-data.xml 59e0eefd78087740f7ee98253666a7697ad57e1f2e7a80f6b8d74ae397072aea "$wordpress/64-block-test-data.xml"
  take theme-preview.xml 1d9a0778e2fcb08a4efc1f7afdc32e268210e19c3f180d4eebe4a019f6521a5f "$wordpress/theme-preview.xml"
  take contentful.json a13e9cc936818001febcaf17895e1a84789999fe32f5c6d3a1bd059b55b55ec6 "$contentful/contentful/export.json"
  ;;
*)
  echo "usage: $0 install" >&2
  exit 2
  ;;
esac

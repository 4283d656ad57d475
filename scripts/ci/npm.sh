#!/usr/bin/env bash
# Makes npm packages of the archives of a release, installs those for this machine where nothing else is, and starts the program.
#
#   npm.sh DIR OUT   DIR has the archives, OUT gets the packages
set -euo pipefail
node "$(dirname "$0")/../clients/cms/pack.js" "$1" "$2"
out=$(cd "$2" && pwd)
here=$(node -p '`${process.platform}-${process.arch}`')
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --offline --silent --no-audit --no-fund "$out"/headless-cms-[0-9]*.tgz "$out"/headless-cms-"$here"-*.tgz
npx --offline cms --version
if npx --offline cms unknown 2>/dev/null; then
  echo "npx cms unknown ends well"
  exit 1
fi

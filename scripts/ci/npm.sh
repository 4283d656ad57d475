#!/usr/bin/env bash
# Makes the npm packages of a release and its archives, installs those for this machine where nothing else is, and starts the program.
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
# The packages for Astro and Next.js have all that they load; what needs no framework runs here.
for framework in astro next; do
  mkdir $framework
  tar -xzf "$out"/headless-$framework-[0-9]*.tgz -C $framework
  node -e "import('$dir/$framework/package/plain.js').catch((err) => { console.error(err); process.exit(1) })"
done

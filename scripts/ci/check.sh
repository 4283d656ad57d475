#!/usr/bin/env bash
# Tests what a change can break, in seconds: the rules of the house, each package that differs from the main branch, and
# the packages that import one of them directly. No race detector, short tests only; `make test` runs everything.
#
#   scripts/ci/check.sh [BASE]     BASE is the commit to compare with: by default where this branch left main
set -euo pipefail
cd "$(dirname "$0")/../.."
base=${1:-$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || echo HEAD)}

# The folders of changed files, up to the nearest one that is a package: an asset belongs to the package that embeds it.
changed() {
  { git diff --name-only "$base" -- functions pkg scripts; git ls-files --others --exclude-standard functions pkg scripts; } |
    while read -r file; do
      dir=$(dirname "$file")
      while [[ $dir == */* ]] && ! compgen -G "$dir/*.go" >/dev/null; do dir=$(dirname "$dir"); done
      ! compgen -G "$dir/*.go" >/dev/null || echo "headless/$dir"
    done | sort -u
}

packages=$(changed)
if [ -z "$packages" ]; then
  exec ${GO_TEST:-go test} -short ./pkg
fi
go vet $packages
# The importers of each, by the tests' imports too.
importers=$(go list -f '{{$p := .ImportPath}}{{range .Imports}}{{.}} {{$p}}{{"\n"}}{{end}}{{range .TestImports}}{{.}} {{$p}}{{"\n"}}{{end}}{{range .XTestImports}}{{.}} {{$p}}{{"\n"}}{{end}}' ./... |
  awk 'NR == FNR {changed[$1]; next} $1 in changed {print $2}' <(echo "$packages") - | sort -u)
exec ${GO_TEST:-go test} -short -vet=off $(printf '%s\n' ./pkg $packages $importers | sort -u)

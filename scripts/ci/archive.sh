#!/usr/bin/env bash
# Starts the program from the archive for this machine, in a folder where nothing else is.
#
#   archive.sh DIR   the folder with the archives
set -euo pipefail
arch=$(go env GOARCH)
archive=$(ls "$1"/cms_*_"$(go env GOOS)_$arch".tar.gz)
(cd "$1" && sha256sum --ignore-missing --check checksums.txt)
dir=$(mktemp -d)
tar -xzf "$archive" -C "$dir"
cd "$dir"
./cms --version
PORT=${PORT:-39123} DATA_DIR=$dir/data ./cms dev >log 2>&1 &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$dir"' EXIT
for _ in $(seq 100); do
  if grep -q '^ready ' log; then
    curl -fsS -o page "http://localhost:${PORT:-39123}/docs"
    grep -q 'Webhooks' page
    echo "$(basename "$archive") starts and serves its guides"
    exit
  fi
  sleep 0.3
done
cat log
exit 1

#!/usr/bin/env bash
# Looks whether the package for AWS has every function that its template names, built for arm64.
#
#   package.sh DIR   the folder with the archives
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
package=$(ls "$1"/headless-aws_*_arm64.tar.gz)
tar -xzf "$package" -C "$dir"
functions=$(sed -n 's/^ *CodeUri: *//p' "$dir/template.yaml")
[ -n "$functions" ]
for function in $functions; do
  # Byte 18 of an ELF file names the processor; 183 is arm64.
  [ -x "$dir/$function/bootstrap" ] && [ "$(od -An -tu1 -j18 -N1 "$dir/$function/bootstrap")" -eq 183 ] ||
    { echo "$(basename "$package") lacks $function for arm64"; exit 1; }
done

#!/bin/sh
# Refreshes the list of disposable mail domains in pkg/spam/disposable from the Python package that mirrors the list of
# github.com/disposable-email-domains/disposable-email-domains: disposable-domains.sh [VERSION]
set -eu
cd "$(dirname "$0")/.."
package=disposable-email-domains${1:+==$1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$work" "$package"
# The program looks names up by halving, so the order is that of the bytes.
PYTHONPATH=$work python3 -c 'import disposable_email_domains as d; print("\n".join(d.blocklist))' |
  LC_ALL=C sort -u >"$work/domains.txt"
if [ "$(wc -l <"$work/domains.txt")" -lt 5000 ]; then
  echo "the new list is too short to be right" >&2
  exit 1
fi
cp "$work/domains.txt" pkg/spam/disposable/domains.txt
cp "$work"/disposable_email_domains-*.dist-info/licenses/LICENSE.txt pkg/spam/disposable/LICENSE

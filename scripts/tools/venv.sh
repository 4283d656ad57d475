#!/bin/sh
# venv.sh DIR PYTHON NAME: makes a virtual environment that holds exactly what scripts/tools/python/NAME.txt lists, each file
# checked against its hash. What is built from source is built by the setuptools of build.txt. Does nothing when the list has not
# changed since the last run.
#
# NAME.txt is made from NAME.in, which names what is wanted (localstack with --python-version 3.13 and without --universal):
#   uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate NAME.in -o NAME.txt
set -eu
lists=$(cd "$(dirname "$0")" && pwd)/python
dir=$1 python=$2 wanted=$lists/$3.txt
if [ -f "$dir/installed" ] && cmp -s "$dir/installed" "$wanted"; then
  exit 0
fi
rm -rf "$dir"
"$python" -m venv "$dir"
install() {
  "$dir/bin/pip" install --quiet --disable-pip-version-check --require-hashes --no-deps "$@"
}
install --only-binary :all: -r "$lists/build.txt"
install --no-build-isolation -r "$wanted"
cp "$wanted" "$dir/installed"

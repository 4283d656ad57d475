#!/bin/sh
# venv.sh DIR PYTHON REQUIREMENT...: makes a virtual environment that holds exactly these requirements.
# Does nothing when the last run with the same arguments succeeded.
set -eu
dir=$1 python=$2
shift 2
stamp="$dir/.requirements"
wanted="$*"
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
  exit 0
fi
rm -rf "$dir"
"$python" -m venv "$dir"
"$dir/bin/pip" install --quiet --disable-pip-version-check "$@"
printf '%s\n' "$wanted" >"$stamp"

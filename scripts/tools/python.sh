#!/bin/sh
# Prints the path of a Python of the given version ("3.13"), looked for on PATH and among pyenv's versions.
set -eu
want=$1
for candidate in "python$want" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$want"*/bin/python3 python3; do
  path=$(command -v "$candidate" 2>/dev/null) || continue
  # A pyenv shim exists for versions that are not active, so ask the interpreter itself.
  if [ "$("$path" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)" = "$want" ]; then
    "$path" -c 'import sys; print(sys.executable)'
    exit 0
  fi
done
echo "Python $want was not found on PATH nor under pyenv; install it, for example with: pyenv install $want" >&2
exit 1

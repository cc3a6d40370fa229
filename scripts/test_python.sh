#!/bin/sh
# test_python.sh BUILD PYTHON [TESTS]: makes the wheel from a build, installs it into a fresh virtual environment
# beside Debian's NumPy, and runs its tests there. PRELOAD: a library that Python is run with, as libtsan.so.
set -eu
build=$(cd "$1" && pwd)
python=$2
source=$(cd "$(dirname "$0")/.." && pwd)
work=$build/python
rm -rf "$work"
sh "$source/scripts/make_wheel.sh" "$build" "$python" "$work"
"$python" -m venv --system-site-packages --without-pip "$work/venv"
site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -m zipfile -e "$work"/tenon-*.whl "$site"
chmod +x "$site/tenon/bin/tenon" # zipfile loses what installers keep
cd "$work"
env ${PRELOAD:+LD_PRELOAD="$PRELOAD"} "$work/venv/bin/python" -B -m pytest -q -p no:cacheprovider "${3:-$source/bindings/python/tests}"

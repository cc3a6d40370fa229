#!/bin/sh
# lint.sh JOBS: clang-tidy (.clang-tidy) and cppcheck over the sources, shellcheck over the scripts.
set -eu
jobs=${1:-2}
cd "$(dirname "$0")/.."
cmake --preset clang --log-level=WARNING >/dev/null
status=0
find src tool examples -name '*.c' 2>/dev/null | sort |
    xargs -r -n 1 -P "$jobs" clang-tidy --quiet --warnings-as-errors='*' -p build-clang || status=1
# incorrectStringBooleanError: a condition and its text, in assertions
# uninitvar: the analyzer of clang-tidy follows loops better
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j "$jobs" \
    --enable=warning,performance,portability --suppress=missingIncludeSystem --suppress=uninitvar \
    --suppress=incorrectStringBooleanError \
    -I include -I src src tool || status=1
shellcheck scripts/*.sh .ci/run || status=1
[ "$status" -ne 0 ] || echo "lint: nothing found"
exit "$status"

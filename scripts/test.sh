#!/bin/sh
# test.sh JOBS: builds everything with gcc and sanitizers and with clang, warnings being errors, runs
# all tests of the first, and ends with "N passed, N failed".
set -eu
jobs=${1:-2}
cd "$(dirname "$0")/.."

echo "== build-test: gcc, address and undefined behaviour sanitizers"
cmake --preset asan --log-level=WARNING >/dev/null
cmake --build --preset asan -j "$jobs"

echo "== build-clang: clang, warnings"
cmake --preset clang --log-level=WARNING >/dev/null
cmake --build --preset clang -j "$jobs"

echo "== tests"
results=$PWD/build-test/results.xml
rm -f "$results"
status=0
ctest --test-dir build-test -j "$jobs" --output-on-failure --no-tests=error \
    --output-junit "$results" --test-output-size-passed 1000000 \
    --test-output-size-failed 1000000 || status=$?
python3 scripts/test_summary.py "$results" || status=1
exit "$status"

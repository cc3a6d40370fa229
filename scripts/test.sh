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

status=0
# run_tests BUILD CTEST_ARGUMENTS...: results into BUILD/results.xml
run_tests()
{
    build=$1
    shift
    rm -f "$build/results.xml"
    ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error \
        --output-junit results.xml --test-output-size-passed 1000000 \
        --test-output-size-failed 1000000 "$@" || status=$?
}

echo "== tests with sanitizers"
run_tests build-test
echo "== tests of what is delivered"
run_tests build-clang -L plain
python3 -B scripts/test_summary.py build-test/results.xml build-clang/results.xml || status=1
exit "$status"

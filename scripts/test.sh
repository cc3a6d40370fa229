#!/bin/sh
# test.sh JOBS: builds everything with gcc and sanitizers and with clang, warnings being errors, runs
# all tests of the first, and ends with "N passed, N failed".
set -eu
jobs=${1:-2}
cd "$(dirname "$0")/.."

# build PRESET TITLE
build()
{
    echo "== $2"
    if ! cmake --preset "$1" --log-level=WARNING >/dev/null ||
        ! cmake --build --preset "$1" -j "$jobs"; then
        echo "the build failed: no test ran"
        echo "0 passed, 1 failed"
        exit 1
    fi
}

build asan "build-test: gcc, address and undefined behaviour sanitizers"
build clang "build-clang: clang, optimised"

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
python3 -B scripts/test_summary.py build-test build-clang || status=1
exit "$status"

#!/bin/sh
# fuzz.sh SECONDS JOBS: runs each program of fuzz/ that long, with its seeds in fuzz/seeds/<name>/.
set -eu
seconds=${1:-600}
cd "$(dirname "$0")/.."
cmake --preset fuzz --log-level=WARNING >/dev/null
cmake --build --preset fuzz -j "${2:-2}"
for program in build-fuzz/fuzz/fuzz_*; do
    [ -x "$program" ] || continue
    name=$(basename "$program")
    mkdir -p "build-fuzz/corpus/$name"
    seeds=""
    [ -d "fuzz/seeds/$name" ] && seeds=fuzz/seeds/$name
    # shellcheck disable=SC2086
    "$program" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" "build-fuzz/corpus/$name" $seeds
done

#!/bin/sh
# fuzz.sh SECONDS JOBS: runs each program of fuzz/ that long. Its seeds are in fuzz/seeds/<name>/ and in
# the folders that fuzz/<name>.seeds lists; its words, if any, in fuzz/<name>.dict.
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
    [ -f "fuzz/$name.seeds" ] && seeds="$seeds $(cat "fuzz/$name.seeds")"
    dictionary=""
    [ -f "fuzz/$name.dict" ] && dictionary=-dict=fuzz/$name.dict
    # shellcheck disable=SC2086
    "$program" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" $dictionary \
        "build-fuzz/corpus/$name" $seeds
done

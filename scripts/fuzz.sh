#!/bin/sh
# fuzz.sh SECONDS JOBS: runs each program of fuzz/ that long. Its seeds are in fuzz/seeds/<name>/ and in
# the folders that fuzz/<name>.seeds lists, for models also every mistake of the tests; its words, if any,
# in fuzz/<name>.dict. All by absolute names: some programs go to folders of their own. What the tool
# prints is not shown.
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
    [ -d "fuzz/seeds/$name" ] && seeds=$PWD/fuzz/seeds/$name
    if [ -f "fuzz/$name.seeds" ]; then
        while read -r folder; do
            seeds="$seeds $PWD/$folder"
        done <"fuzz/$name.seeds"
    fi
    if [ "$name" = fuzz_model ]; then # the cases of tests/test_language_mistakes.py, one a file
        mistakes=$PWD/build-fuzz/language_mistakes
        mkdir -p "$mistakes"
        awk -v folder="$mistakes" '/^===$/ { file = folder "/" ++count ".yaml"; print "tenon: 1" > file; next }
            /^---$/ { close(file); file = "" } file != "" { print > file }' tests/data/language_mistakes.txt
        seeds="$seeds $mistakes"
    fi
    dictionary=""
    [ -f "fuzz/$name.dict" ] && dictionary=-dict=$PWD/fuzz/$name.dict
    # shellcheck disable=SC2086
    "$program" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$PWD/build-fuzz/$name-" $dictionary \
        -close_fd_mask=1 "$PWD/build-fuzz/corpus/$name" $seeds
done

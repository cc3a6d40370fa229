#!/bin/sh
# bits.sh FOLDER PROGRAM [WAY ...]: are the bits of fifty runs (tests/bits/runs.c) the same everywhere?
# PROGRAM is those runs as the build at hand has made them. The core is compiled again in each of the
# ways below that this machine has compilers for, or in those named. LAUNCHER may name a compiler cache.
# BESIDE may name the same program out of another build, by another compiler: where it is there, it is compared instead.
# Prints a table; answers 1 when a hash differs.
set -eu
folder=$1
program=$2
shift 2
ways=" $* "
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
# the core, but for what steps no single simulation (lanes, batch)
rooms=$(sed -n '/^set(TENON_CORE_ROOMS/,/)/p' "$root/cmake/TenonLibraries.cmake" | tr -d '()' | sed 's/set *TENON_CORE_ROOMS//' |
    tr -s ' \n' '\n\n' | grep -v -x -e lanes -e batch)
common="-std=c17 -DNDEBUG -D_XOPEN_SOURCE=700 -ffp-contract=off -fno-math-errno -I$root/include -I$root/src"
nofma="-mno-fma -mno-fma4 -mno-avx512f" # as the build's own flags

sources() {
    for room in $rooms; do
        find "$root/src/$room" -name '*.c' | LC_ALL=C sort
    done
    echo "$root/tests/bits/runs.c"
}

# compile NAME COMPILER FLAGS...: FOLDER/NAME/runs
compile() {
    name=$1
    shift
    mkdir -p "$folder/$name"
    # shellcheck disable=SC2016  # the words with $ are ninja's
    {
        echo "cc = ${LAUNCHER:-} $* $common"
        echo 'rule cc'
        echo '  command = $cc -MD -MF $out.d -c $in -o $out'
        echo '  depfile = $out.d'
        echo '  deps = gcc'
        echo 'rule link'
        echo "  command = $* \$in -lm -o \$out"
        objects=""
        for source in $(sources); do
            object=$(echo "${source#"$root"/}" | tr / _).o
            echo "build $object: cc $source"
            objects="$objects $object"
        done
        echo "build runs: link$objects"
    } >"$folder/$name/build.ninja"
    ninja -C "$folder/$name" ${JOBS:+-j "$JOBS"} runs >"$folder/$name/log" 2>&1 || {
        tail -20 "$folder/$name/log" >&2
        exit 1
    }
}

failures=0
compare() {
    same=$(diff "$folder/here" "$folder/$1.out" | grep -c '^<' || true)
    total=$(wc -l <"$folder/here")
    printf '%-28s %d of %d runs the same\n' "$1" $((total - same)) "$total"
    [ "$same" -eq 0 ] || failures=1
}

wanted() {
    case "$ways" in
    "  " | *" $1 "*) return 0 ;;
    esac
    return 1
}

native() {
    name=$1
    shift
    wanted "$name" && command -v "$1" >/dev/null || return 0
    compile "$name" "$@"
    "$folder/$name/runs" >"$folder/$name.out"
    compare "$name"
}

wasm() {
    wanted "$1" && command -v clang >/dev/null && command -v wasm-ld >/dev/null && command -v node >/dev/null || return 0
    [ -d /usr/include/wasm32-wasi ] || return 0
    compile "$1" clang --target=wasm32-wasi --sysroot=/usr -I/usr/include/wasm32-wasi "$2" \
        -D_WASI_EMULATED_SIGNAL -Wl,-z,stack-size=1048576
    node --no-warnings -e '
        const { WASI } = require("node:wasi"), fs = require("node:fs");
        const wasi = new WASI({ version: "preview1" });
        WebAssembly.instantiate(fs.readFileSync(process.argv[1]), wasi.getImportObject())
            .then(made => wasi.start(made.instance));' "$folder/$1/runs" >"$folder/$1.out"
    compare "$1"
}

"$program" >"$folder/here"
if [ -x "${BESIDE:-}" ]; then
    "$BESIDE" >"$folder/beside.out"
    compare beside
    exit $failures
fi
for level in O0 O1 O2 O3; do
    native "gcc_$level" gcc -$level
    native "clang_$level" clang -$level
done
if [ "$(uname -m)" = x86_64 ]; then
    # shellcheck disable=SC2086  # flags are words
    {
        native gcc_O3_native gcc -O3 -march=native $nofma
        native clang_O3_native clang -O3 -march=native $nofma
        native gcc_O3_x86-64-v3 gcc -O3 -march=x86-64-v3 $nofma
        native clang_O3_x86-64-v3 clang -O3 -march=x86-64-v3 $nofma
        native gcc_O3_avx2 gcc -O3 -mavx2 $nofma
        native clang_O3_avx2 clang -O3 -mavx2 $nofma
        native gcc_O2_no_avx gcc -O2 -mno-avx
        native clang_O2_no_avx clang -O2 -mno-avx
    }
fi
wasm wasm_O2 -O2
exit $failures

#!/bin/sh
# build_engine.sh FOLDER [LAUNCHER]: the engine of the page, FOLDER/tenon.wasm. The sources of libfyaml and expat
# come from Debian's archive, checked by apt, once.
set -eu
folder=$1
launcher=${2:-}
web=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

if ! [ -f "$folder/libfyaml/include/libfyaml.h" ] || ! [ -f "$folder/expat/expat/lib/expat.h" ]; then
    work=$folder/source
    rm -rf "$work"
    mkdir -p "$work/lists"
    # the archives of this machine, for sources; not those of security updates: the authors' archives are the same ones, and
    # mirrors do not always have all of these
    mkdir -p "$work/parts"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n '/-security/!s/^deb /deb-src /p' >"$work/sources.list"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$list" ] || awk 'BEGIN { RS = ""; ORS = "\n\n" } !/-security/' "$list" |
            sed 's/^Types:.*/Types: deb-src/' >"$work/parts/$(basename "$list")"
    done
    apt="apt-get -q -o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=$work/parts \
        -o Dir::State::Lists=$work/lists -o Dir::Cache=$work -o APT::Sandbox::User=$(id -un)"
    # shellcheck disable=SC2086  # words are meant to be split
    (cd "$work" && $apt update >apt.log 2>&1 && $apt source --download-only libfyaml expat >>apt.log 2>&1) || {
        cat "$work/apt.log" >&2
        exit 1
    }
    for name in libfyaml expat; do
        mkdir -p "$folder/$name"
        tar -xzf "$work/$name"_*.orig.tar.gz -C "$folder/$name" --strip-components=1
    done
    rm -rf "$work"
fi

# Paths in the module are those of its prefix maps: a compiler cache is not to make others of them.
export CCACHE_BASEDIR=

set -- -S "$web/engine" -B "$folder" -G Ninja --log-level=WARNING \
    -DCMAKE_TOOLCHAIN_FILE="$web/engine/wasi.cmake" -DLIBFYAML_SOURCE="$folder/libfyaml" -DEXPAT_SOURCE="$folder/expat/expat"
[ -z "$launcher" ] || set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER="$launcher"
cmake "$@" >/dev/null
cmake --build "$folder" >"$folder/build.log" 2>&1 || {
    cat "$folder/build.log" >&2
    exit 1
}
# what clang leaves: locals, code that several functions have, functions called once. The same bytes for the same module.
wasm-opt -O2 --enable-sign-ext --enable-nontrapping-float-to-int "$folder/engine.wasm" -o "$folder/tenon.wasm"

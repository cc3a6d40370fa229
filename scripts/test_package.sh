#!/bin/sh
# test_package.sh install|cmake|pkgconfig [shared|static] BUILD CC: the installed library serves a
# program outside the project (tests/consumer). "install" must run first; it installs into
# BUILD/package/installed and then moves the tree, so that every path in it must be relative.
set -eu
what=$1
kind=$2
build=$3
CC=$4
export CC
source=$(cd "$(dirname "$0")/.." && pwd)
package=$build/package
prefix=$package/moved
# part MAJOR|MINOR: of the version
part()
{
    sed -n "s/^#define TN_VERSION_$1 //p" "$source/include/tenon/version.h"
}

# Does the program load libtenon when it starts?
loads_tenon()
{
    readelf -d "$1" | grep -q "NEEDED.*libtenon\.so\.$(part MAJOR)"
}

run_consumer()
{
    if [ "$kind" = shared ]; then
        loads_tenon "$1" || { echo "the program does not use the shared library"; exit 1; }
    elif loads_tenon "$1"; then
        echo "the program does not use the static library"
        exit 1
    fi
    "$1"
}

case $what in
install)
    rm -rf "$package"
    cmake --install "$build" --prefix "$package/installed"
    mv "$package/installed" "$prefix"
    [ -z "$(grep -rlI "$package/installed" "$prefix" || true)" ] || {
        echo "the installed tree knows where it was installed"
        exit 1
    }
    [ ! -e "$prefix/bin/tenon" ] || "$prefix/bin/tenon" --version
    ;;
cmake)
    static=OFF
    [ "$kind" = static ] && static=ON
    rm -rf "$package/cmake-$kind"
    cmake -S "$source/tests/consumer" -B "$package/cmake-$kind" -G Ninja \
        -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_STATIC=$static \
        -DCONSUMER_VERSION="$(part MAJOR).$(part MINOR)"
    cmake --build "$package/cmake-$kind"
    run_consumer "$package/cmake-$kind/consumer"
    ;;
pkgconfig)
    work=$package/pkgconfig-$kind
    rm -rf "$work"
    mkdir -p "$work"
    cp "$source/tests/consumer/Makefile" "$source/tests/consumer/main.c" "$work"
    option=""
    if [ "$kind" = static ]; then
        # what a machine with only the static libraries has
        cp -R "$prefix" "$work/prefix"
        find "$work/prefix" -name '*.so*' -exec rm {} +
        prefix=$work/prefix
        option=--static
    fi
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tenon.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    modules=tenon
    if [ -e "$PKG_CONFIG_PATH/tenon-io.pc" ]; then
        modules="tenon-io tenon"
    fi
    make -C "$work" MODULES="$modules" STATIC="$option"
    run_consumer "$work/consumer"
    ;;
*)
    echo "test_package.sh: unknown step $what" >&2
    exit 2
    ;;
esac

#!/bin/sh
# make_wheel.sh BUILD PYTHON FOLDER: the Python package as a wheel, with the library and the tool inside.
set -eu
build=$(cd "$1" && pwd)
python=$2
mkdir -p "$3"
folder=$(cd "$3" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
# the sources stay clean: setuptools writes beside its setup.py
rm -rf "$folder/source"
mkdir -p "$folder/source/bindings"
cp -R "$source/bindings/python" "$folder/source/bindings/python"
ln -s "$source/include" "$folder/source/include"
ln -s "$source/src" "$folder/source/src"
ln -s "$source/CMakeLists.txt" "$folder/source/CMakeLists.txt"
cd "$folder/source/bindings/python"
TENON_BUILD=$build PYTHONDONTWRITEBYTECODE=1 \
    "$python" -W ignore setup.py -q bdist_wheel -d "$folder" >"$folder/log.txt" 2>&1 || {
    cat "$folder/log.txt"
    exit 1
}
rm -rf "$folder/source"
echo "$folder"/tenon-*.whl

#!/bin/sh
# format.sh [--check [CLANG_FORMAT]]: formats all C files, or only says which are not formatted.
set -eu
cd "$(dirname "$0")/.."
tool=${2:-clang-format}
mode=-i
[ "${1:-}" = --check ] && mode="--dry-run -Werror"
folders=""
for folder in include src tool web/engine tests bench examples fuzz; do
    [ -d "$folder" ] && folders="$folders $folder"
done
# shellcheck disable=SC2086  # words are meant to be split
find $folders -name '*.[ch]' | sort | xargs "$tool" $mode

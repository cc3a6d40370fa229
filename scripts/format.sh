#!/bin/sh
# format.sh [--check]: clang-format over all C files, or only whether they are formatted.
set -eu
cd "$(dirname "$0")/.."
files=$(find include src tool tests bench examples fuzz -name '*.[ch]' 2>/dev/null | sort)
if [ "${1:-}" = --check ]; then
    # shellcheck disable=SC2086
    exec clang-format --dry-run -Werror $files
fi
# shellcheck disable=SC2086
exec clang-format -i $files

#!/bin/sh
# check_headers.sh CC CXX: every public header compiles alone, and included twice, as C17 and C++17.
set -u
cc=$1
cxx=$2
cd "$(dirname "$0")/.." || exit 2
flags="-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -Iinclude"
status=0
count=0
for header in include/tenon/*.h; do
    name=tenon/$(basename "$header")
    count=$((count + 1))
    text=$(printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$name" "$name")
    # shellcheck disable=SC2086
    echo "$text" | "$cc" -std=c17 -Wstrict-prototypes $flags -x c - ||
        { echo "$name is not stand-alone C17"; status=1; }
    # shellcheck disable=SC2086
    echo "$text" | "$cxx" -std=c++17 $flags -x c++ - ||
        { echo "$name is not stand-alone C++17"; status=1; }
done
[ "$count" -gt 0 ] || { echo "no public headers found"; exit 1; }
echo "$count public headers"
exit $status

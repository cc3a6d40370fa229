#!/bin/sh
# setup.sh SECTION...: installs the packages of these sections of packages.txt that are missing.
# Quick and silent when nothing is missing. Needs root or sudo only when something is.
set -eu

list=$(dirname "$0")/packages.txt

wanted=""
for section in "$@"; do
    packages=$(sed -n "/^\[$section\]/,/^\[/p" "$list" | grep -v -e '^\[' -e '^#' -e '^$') || {
        echo "setup.sh: no section [$section] in $list" >&2
        exit 2
    }
    wanted="$wanted $packages"
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    exit 0 # not Debian: cmake says what is missing
fi

missing=""
for package in $wanted; do
    # of each architecture; "not-installed" where another package names it
    state=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null) || state=""
    # npm comes with nodejs where that is not Debian's
    [ "$package" = npm ] && command -v npm >/dev/null && continue
    case " $state" in
    *" installed "*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null; then
    as_root="sudo env"
else
    echo "setup.sh: please install as root: apt-get install$missing" >&2
    exit 1
fi

echo "Installing:$missing"
# shellcheck disable=SC2086  # words are meant to be split
{
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -q update </dev/null
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \
        $missing </dev/null
}

#!/bin/sh
# store_page.sh PAGE: keeps a page that was built as web/page.tar.xz, the same bytes for the same page.
set -eu
web=$(cd "$(dirname "$0")" && pwd)
tar --create --xz --file "$web/page.tar.xz" --directory "$(dirname "$1")" --sort=name --mtime=@0 \
    --owner=0 --group=0 --numeric-owner --mode=644 page.html
ls -l "$web/page.tar.xz"

#!/bin/sh
# dist.sh BUILD PYTHON: what is released, in results/dist: source archive, .deb, wheel, npm package, site, and their
# checksums. Each one is unpacked or installed into an empty folder, and tried there on a four-bar linkage. `make dist` has
# built the parts: BUILD, results/tenon-VERSION...whl, results/tenon-VERSION.tgz and results/docs.
set -eu
build=$(cd "$1" && pwd)
python=$2
source=$(cd "$(dirname "$0")/.." && pwd)
results=$source/results
dist=$results/dist
version=$("$build/tenon" version | sed -n '1s/^tenon \([0-9.]*\).*/\1/p')
model=$source/examples/four_bar_linkage.yaml
rm -rf "$dist"
mkdir -p "$dist"

fail()
{
    echo "dist.sh: $1" >&2
    exit 1
}
# one FILE ...: the only file of a pattern
one()
{
    [ $# -eq 1 ] && [ -e "$1" ] || fail "not one file: $*"
    echo "$1"
}

# ---- made ----

git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || fail "the source archive is made of the repository: there is none"
[ -z "$(git -C "$source" status --porcelain)" ] || echo "Note: the source archive has what is committed, the rest what is in the files."
git -C "$source" archive --prefix="tenon-$version/" HEAD | gzip -9n >"$dist/tenon-$version-source.tar.gz"
(cd "$build" && cpack -G DEB -B "$dist" >"$dist/cpack.log" 2>&1) || { cat "$dist/cpack.log" >&2; exit 1; }
rm -rf "$dist/cpack.log" "$dist/_CPack_Packages"
cp "$(one "$results"/tenon-"$version"-*.whl)" "$(one "$results/tenon-$version.tgz")" "$dist/"
tar --create --gzip --file "$dist/tenon-$version-docs.tar.gz" --directory "$results" --sort=name --owner=0 --group=0 docs

# ---- tried ----

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# same WHAT FILE: a run there ends as that of the build
"$build/tenon" run "$model" --time 0.5 --every 0.5 --csv "$work/wanted.csv" --quiet
same()
{
    cmp -s "$work/wanted.csv" "$2" || fail "$1: a run ends otherwise than that of the build"
    echo "  $1: installed and tried"
}

mkdir "$work/source" "$work/deb" "$work/npm"
export CCACHE_BASEDIR="$work" # a compiler cache, where there is one, knows the same files in another folder
tar -xzf "$dist/tenon-$version-source.tar.gz" -C "$work/source"
(cd "$work/source/tenon-$version" && cmake --preset release --log-level=WARNING >/dev/null && cmake --build build --target tenon >"$work/log" 2>&1) ||
    { tail -20 "$work/log" >&2; fail "the source archive does not build"; }
"$work/source/tenon-$version/build/tenon" run "$model" --time 0.5 --every 0.5 --csv "$work/source.csv" --quiet
same "source archive" "$work/source.csv"

deb=$(one "$dist"/tenon_"$version"_*.deb)
[ "$(dpkg-deb --field "$deb" Version)" = "$version" ] || fail "$deb has another version"
case $(dpkg-deb --field "$deb" Depends) in *mpi*) fail "$deb needs MPI" ;; esac
dpkg-deb --extract "$deb" "$work/deb"
libraries=$(dirname "$(one "$(find "$work/deb" -name 'libtenon.so')")")
LD_LIBRARY_PATH=$libraries "$work/deb/usr/bin/tenon" run "$model" --time 0.5 --every 0.5 --csv "$work/deb.csv" --quiet
same "Debian package" "$work/deb.csv"

"$python" -m venv --system-site-packages --without-pip "$work/venv"
site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -m zipfile -e "$(one "$dist"/tenon-"$version"-*.whl)" "$site"
chmod +x "$site/tenon/bin/tenon" # zipfile loses what installers keep
"$site/tenon/bin/tenon" run "$model" --time 0.5 --every 0.5 --csv "$work/wheel.csv" --quiet
(cd "$work" && venv/bin/python -B -c 'import sys, tenon
sim = tenon.load(sys.argv[1]).simulation()
sim.run(0.5, step=1e-3, every=0.5)
assert sim.joint_error() < 1e-9' "$model")
same wheel "$work/wheel.csv"

(cd "$work/npm" && npm install --silent --offline --no-audit --no-fund "$dist/tenon-$version.tgz" >/dev/null && cat >try.mjs) <<'END'
import { readFileSync } from "node:fs";
import { load } from "tenon";
const sim = await load(readFileSync(process.argv[2], "utf8")), run = sim.run(0.5, { every: 0.5 });
const [names, ...rows] = readFileSync(process.argv[3], "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
const wanted = Number(rows.at(-1).split(",")[names.split(",").indexOf("joint0.theta")]) * Math.PI / 180;
const reached = run.column("joint0.theta").at(-1);
if (!(Math.abs(wanted - reached) < 1e-9))
    throw new Error(`joint0.theta is ${reached} rad, not ${wanted}`);
END
(cd "$work/npm" && node try.mjs "$model" "$work/wanted.csv")
echo "  npm package: installed and tried"

tar -xzf "$dist/tenon-$version-docs.tar.gz" -C "$work"
[ -s "$work/docs/index.html" ] || fail "the site has no index.html"
echo "  site: $(find "$work/docs" -name '*.html' | wc -l) pages"

(cd "$dist" && sha256sum -- * >SHA256SUMS)
echo "Release $version: results/dist"

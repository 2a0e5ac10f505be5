#!/bin/sh
# The guest's kernel, from the system's own package of kernel sources. Prints the path of the
# program `linux` on standard output; everything else goes to standard error.
#
#   kernel.sh CACHE
#
# What is built is kept in CACHE/<version>-<hash of the configuration and of this script>, so that
# it is built once for each. Needs apt (Debian and its kin); packages that are missing are installed
# when root runs this, else named.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cache=$(cd "$1" && pwd)
source=linux-source-6.12

say() { echo "guest kernel: $*" >&2; }
fail() { say "$*"; exit 1; }

version=$(apt-cache policy "$source" 2>/dev/null | sed -n 's/^ *Candidate: //p')
if [ -z "$version" ] && [ "$(id -u)" = 0 ]; then
    apt-get update -q >&2
    version=$(apt-cache policy "$source" | sed -n 's/^ *Candidate: //p')
fi
case $version in
    '' | '(none)') fail "this system's apt offers no $source (Debian 12 and 13 do)" ;;
esac

hash=$(cat "$here/kernel.config" "$here/kernel.sh" | sha256sum | cut -c1-12)
kept=$cache/$(echo "$version" | tr ':~' '--')-$hash
if [ -x "$kept/linux" ]; then
    echo "$kept/linux"
    exit 0
fi

# Each tool and the package that brings it.
missing=
for pair in flex:flex bison:bison bc:bc gcc:gcc make:make xz:xz-utils dpkg-deb:dpkg; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair#*:}"
done
if [ -n "$missing" ]; then
    [ "$(id -u)" = 0 ] || fail "needs$missing: sudo apt-get install -y --no-install-recommends$missing"
    say "installing$missing"
    # shellcheck disable=SC2086 # a list of packages
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
fi

work=$cache/work.$$
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/source" "$work/build"
cd "$work"

say "1 of 4: fetching $source $version (about 150 MB)"
apt-get download -q "$source=$version" >&2
say "2 of 4: unpacking"
dpkg-deb --fsys-tarfile "$source"_*.deb | tar x --wildcards '*.tar.xz'
tar xf "usr/src/$source.tar.xz" --strip-components=1 -C source
rm -rf usr ./*.deb

# Text on the frame buffer works in User-Mode Linux; only its Kconfig says otherwise.
kconfig=source/drivers/video/console/Kconfig
sed -i '/^config FRAMEBUFFER_CONSOLE$/,/^$/s/FB_CORE && !UML/FB_CORE/' $kconfig

say "3 of 4: configuring"
mk() { make -C "$work/source" O="$work/build" ARCH=um -s "$@" >>"$work/log" 2>&1; }
if ! { mk allnoconfig && cat "$here/kernel.config" >>build/.config && mk olddefconfig; }; then
    tail -n 20 log >&2
    fail "the configuration is refused"
fi
for line in $(sed -n 's/^\(CONFIG_.*=.*\)$/\1/p' "$here/kernel.config"); do
    grep -qx "$line" build/.config || fail "the source does not take $line"
done

say "4 of 4: compiling (4 to 8 minutes on two cores)"
mk -j"$(nproc)" linux &
made=$!
while sleep 20 && kill -0 $made 2>/dev/null; do
    say "        $(find build -name "*.o" | wc -l) objects so far"
done
if ! wait $made; then
    grep -E 'rror|undefined' log | head -n 20 >&2
    fail "it does not compile; the lines above are from its log"
fi
strip --strip-debug build/linux
mkdir -p "$kept"
cp build/linux "$kept/linux.part"
mv "$kept/linux.part" "$kept/linux"
say "kept in $kept"
echo "$kept/linux"

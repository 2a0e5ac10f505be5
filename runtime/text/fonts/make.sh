#!/bin/sh
# Makes the fonts of this folder from their packages. Needs npm, python3 with venv, tar.
# The results are committed: run this only to change what they hold, then look at the sizes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install --quiet fonttools==4.60.1 brotli==1.1.0

get() { # package version
    npm pack --silent "$1@$2" >name
    mkdir -p "$3"
    tar xzf "$(cat name)" -C "$3" --strip-components=1
}
get inter-ui 4.1.1 inter
get @fontsource/noto-emoji 5.3.2 emoji
get @fontsource/noto-sans-symbols 5.3.0 symbols
get @fontsource/noto-sans-symbols-2 5.3.0 symbols2

venv/bin/python "$here/subset.py" "$work" "$here"
cp inter/LICENSE.txt "$here/inter-LICENSE.txt"
cp emoji/LICENSE "$here/noto-LICENSE.txt"
ls -l "$here"/*.ttf "$here"/test/*.ttf

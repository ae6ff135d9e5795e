#!/bin/sh
# A distribution has every file of the repository: what a local.mk forgets is missed only by those who build from it.
set -u
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

if ! tracked=$(git -C "$SRCDIR" -c safe.directory='*' ls-files 2>/dev/null) || [ -z "$tracked" ] ||
    [ "$(git -C "$SRCDIR" -c safe.directory='*' rev-parse --show-prefix)" != '' ]; then
    echo '1..0 # SKIP not a checkout of the repository'
    exit 0
fi

scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
echo '1..2'

if make -C "$BUILDDIR" -s distdir distdir="$scratch/dist" top_distdir="$scratch/dist" >"$scratch/log" 2>&1; then
    echo 'ok 1 - a distribution can be made'
else
    sed 's/^/# /' "$scratch/log" | tail -n 20
    echo 'not ok 1 - a distribution can be made'
fi

missing=$(printf '%s\n' "$tracked" | grep -vE '^(\.gitattributes|\.gitignore)$' | while IFS= read -r file; do
    [ ! -e "$SRCDIR/$file" ] || [ -e "$scratch/dist/$file" ] || echo "$file"
done)
[ -z "$missing" ] || printf '%s\n' "$missing" | sed 's/^/# missing: /'
if [ -z "$missing" ]; then echo 'ok 2 - it has every file'; else echo 'not ok 2 - it has every file'; fi

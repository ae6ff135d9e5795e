#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A distribution has every file of the repository: what a local.mk forgets is missed only by those who build from it.
# Every source in it names its licence.
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
echo '1..3'

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

# What a tool reads as data cannot hold a comment: the corpora, traces, tables.
unlicensed=$(printf '%s\n' "$tracked" | grep -E '\.(c|h|cpp|sh|py|awk|mk|am|ac|in|map|1|3)$|^(bootstrap|check|demo|\.ci/run)$' |
    grep -v '^tests/corpus/' | (cd "$SRCDIR" && while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
    xargs -0 awk 'BEGIN { for (i = 1; i < ARGC; i++) lacks[ARGV[i]] }
        FNR > 2 { nextfile }
        /SPDX-License-Identifier: / { delete lacks[FILENAME] }
        END { for (file in lacks) print file }'))
[ -z "$unlicensed" ] || printf '%s\n' "$unlicensed" | sed 's/^/# without a licence: /'
if [ -z "$unlicensed" ]; then echo 'ok 3 - every source names its licence'; else echo 'not ok 3 - every source names its licence'; fi

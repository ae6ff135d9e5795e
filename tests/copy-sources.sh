#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies the sources, without what a build made: tests/copy-sources.sh [--generated] DIRECTORY. A source tree that is
# configured takes no other build. With --generated what autoreconf made comes along, if it is there.
set -eu
generated=no
[ "$1" != --generated ] || { generated=yes && shift; }
to=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
if git -c safe.directory='*' rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -c safe.directory='*' ls-files -co --exclude-standard |
        while IFS= read -r file; do [ ! -e "$file" ] || printf '%s\n' "$file"; done |
        tar -cf - -T - | tar -xf - -C "$to"
else
    tar -cf - . | tar -xf - -C "$to"
    if [ -f "$to/Makefile" ]; then (cd "$to" && make -s distclean >/dev/null 2>&1) || true; fi
fi
if [ $generated = yes ] && [ -f configure ] && [ -f Makefile.in ]; then
    tar -cf - configure Makefile.in aclocal.m4 config.h.in build-aux m4 | tar -xf - -C "$to"
fi

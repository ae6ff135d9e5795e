#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make fuzz-minimise: of all inputs that a target has (tests/corpus/NAME and what `make fuzz` has gathered in
# fuzz-out/corpus-TARGET) the fewest and smallest that reach as much, in fuzz-out/minimal-TARGET. Says which files of
# tests/corpus are not among them: unless they are there for what they once broke, they can go.
# FUZZ_TARGETS='fuzz-X...': only these. The targets are those that the last `make fuzz` has built.
set -eu
srcdir=${SRCDIR:-.}
out=${FUZZ_OUT:-fuzz-out}
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0}"

n=0
for program in ${FUZZ_TARGETS:-$(cd "$out" 2>/dev/null && find . -name 'fuzz-*' -type f -perm -u+x | sed 's|^\./||' | sort)}; do
    [ -x "$out/$program" ] || { echo "fuzz-minimise: there is no '$out/$program'; run 'make fuzz' first" >&2; exit 1; }
    name=${program#fuzz-} minimal=$out/minimal-$program
    rm -rf "$minimal"
    mkdir -p "$minimal" "$out/corpus-$program"
    if ! "$out/$program" -merge=1 "$minimal" "$srcdir/tests/corpus/$name" "$out/corpus-$program" >"$out/$program.log" 2>&1; then
        echo "fuzz-minimise: $program failed, see $out/$program.log" >&2
        exit 1
    fi
    n=$((n + 1))
    set -- "$minimal"/*
    printf '%-14s %4d inputs, %7d bytes\n' "$name" "$#" "$(cat "$minimal"/* | wc -c)"
    for file in "$srcdir/tests/corpus/$name"/*; do
        [ -e "$minimal/$(sha1sum <"$file" | cut -d ' ' -f 1)" ] || printf '               not among them: %s\n' "$(basename "$file")"
    done
done
[ "$n" -gt 0 ] || { echo "fuzz-minimise: no targets in '$out'; run 'make fuzz' first" >&2; exit 1; }

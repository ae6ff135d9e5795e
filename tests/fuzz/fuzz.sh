#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds tests/fuzz/fuzz-*.c with libFuzzer and sanitizers and runs each FUZZ_RUNS times (1000000).
# Called by `make fuzz` with SOURCES (of the library), FLAGS and LIBS. Seeds are tests/corpus/NAME
# and the example traces; what is found stays in fuzz-out/.
set -eu
clang=${CLANG:-clang}
runs=${FUZZ_RUNS:-1000000}
srcdir=${SRCDIR:-.}
out=${FUZZ_OUT:-fuzz-out}
sanitize='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined'

if ! command -v "$clang" >/dev/null; then
    echo "fuzz: no clang here; install clang and libclang-rt-14-dev (libFuzzer), or set CLANG" >&2
    exit 1
fi
mkdir -p "$out/objects"
echo 'int LLVMFuzzerTestOneInput (const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput (const unsigned char *d, unsigned long n) { return d == 0 && n > 0; }' >"$out/probe.c"
if ! "$clang" -fsanitize=fuzzer "$out/probe.c" -o "$out/probe" >"$out/probe.log" 2>&1; then
    echo "fuzz: $clang cannot link libFuzzer; install libclang-rt-14-dev (the number is clang's version)" >&2
    sed 's/^/fuzz: /' "$out/probe.log" >&2
    exit 1
fi

targets=${FUZZ_TARGETS:-$(cd "$srcdir/tests/fuzz" && find . -name 'fuzz-*.c' | sed 's|^\./||; s|\.c$||' | sort)}
[ -n "$targets" ] || { echo 'fuzz: there is no tests/fuzz/fuzz-*.c' >&2; exit 1; }

echo "fuzz: building"
export clang sanitize out FLAGS
# shellcheck disable=SC2016
printf '%s\n' "$SOURCES" | tr -s ' ' '\n' | grep . | xargs -P "$(nproc)" -I '{}' sh -c '
    object=$out/objects/o$(printf %s "$1" | tr / _).o
    eval "$clang $sanitize -fsanitize=fuzzer-no-link $FLAGS -c \"\$1\" -o \"\$object\""' sh '{}'

status=0
for target in $targets; do
    # Other sources of tests that it is made of.
    links=$(sed -n 's/^ \* Links: //p' "$srcdir/tests/fuzz/$target.c")
    sources=$(for source in $links; do printf "'%s' " "$srcdir/$source"; done)
    # FLAGS is quoted as in a Makefile.
    eval "$clang $sanitize -fsanitize=fuzzer $FLAGS '$srcdir/tests/fuzz/$target.c' $sources '$out'/objects/*.o $LIBS -o '$out/$target'"
    corpus=$out/corpus-$target
    mkdir -p "$corpus"
    name=${target#fuzz-}
    for seed in "$srcdir/tests/corpus/$name"/* $(find "$srcdir/data" -name "*.${name##*-}" -size -20k 2>/dev/null); do
        [ ! -f "$seed" ] || cp "$seed" "$corpus/$(printf %s "$seed" | cksum | tr -d ' ')"
    done
    echo "fuzz: $target, $runs runs"
    # A crash leaves its input in fuzz-out; put it into tests/corpus with the repair.
    "$out/$target" -runs="$runs" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$out/$target-" "$corpus" >"$out/$target.log" 2>&1 || {
        status=1
        echo "fuzz: $target found something:"
        tail -n 40 "$out/$target.log"
    }
    grep -E '^stat::number_of_executed_units|^Done' "$out/$target.log" || true
done
exit "$status"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds tests/fuzz/fuzz-*.c with libFuzzer and sanitizers, runs them all and sums up: MINUTES together, or FUZZ_RUNS
# (1000000) each. FUZZ_SANITIZERS (address,undefined) may be fewer. Called by `make fuzz` with SOURCES (of the library),
# FLAGS and LIBS. Executions are told per second of one processor; a target with less than FUZZ_LEAST (1000) is called
# slow. Seeds are tests/corpus/NAME and the example traces; words that mutations put in are
# tests/fuzz/NAME.dict. What is found stays in fuzz-out/.
set -eu
clang=${CLANG:-clang}
srcdir=${SRCDIR:-.}
out=${FUZZ_OUT:-fuzz-out}
jobs=${FUZZ_JOBS:-$(nproc)}
sanitize="-g -O2 -fno-omit-frame-pointer -fsanitize=${FUZZ_SANITIZERS:-address,undefined}"
sanitize="$sanitize -fno-sanitize-recover=undefined -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"

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
# shellcheck disable=SC2086
n_targets=$(printf '%s\n' $targets | grep -c .)
for target in $targets; do
    [ -f "$srcdir/tests/fuzz/$target.c" ] || { echo "fuzz: there is no tests/fuzz/$target.c" >&2; exit 1; }
done
case ${MINUTES-} in
'') limit="-runs=${FUZZ_RUNS:-1000000}" ;;
*[!0-9]* | 0) echo "fuzz: MINUTES is a whole number of minutes, at least 1, not '$MINUTES'" >&2; exit 1 ;;
*)
    seconds=$((MINUTES * 60 * jobs / n_targets))
    limit="-max_total_time=$((seconds > 0 ? seconds : 1))"
    ;;
esac

# -- building: only what changed since the last time -------------------------------------------------------------------

# What lies between the decoders and the store compares numbers of its own, and a scanner single bytes: libFuzzer's looks
# at these comparisons take half of the time of an execution. Those of the decoders, with words and ids, it sees.
coverage_of () {
    case $1 in
    *src/base/* | *src/store/* | *src/trace/* | *formats/json/* | *formats/trace-event/reader.c | \
        *formats/trace-event/event-fields.c | *formats/tau/damage.c | *formats/tau/stream-damage.c) echo ' -fno-sanitize-coverage=trace-cmp' ;;
    esac
}
object_of () { printf '%s/objects/o%s.o' "$out" "$(printf %s "$1" | tr / _)"; }
# A target may be made of other sources of tests, too: "Links:" in its first comment; and each may have "Linker:" options.
# shellcheck disable=SC2016,SC2046,SC2086
write_makefile () {
    printf 'all:'
    for target in $targets; do printf ' %s' "$out/$target"; done
    objects=
    for source in $SOURCES; do
        object=$(object_of "$source")
        objects="$objects $object"
        printf '\n%s: coverage =%s\n' "$object" "$(coverage_of "$source")"
        printf '%s: %s %s\n\t$(compile)\n' "$object" "$source" "$out/flags"
    done
    printf '%s:%s\n\t@rm -f $@\n\t@ar rcs $@ $^\n' "$out/library.a" "$objects"
    for target in $targets; do
        parts=
        own=$srcdir/tests/fuzz/$target.c
        sources="$own $(sed -n "s| \\* Links: |$srcdir/|p" "$own")"
        for source in $sources; do
            object=$(object_of "$source")
            parts="$parts $object"
            # Several targets may share one.
            case " $objects " in *" $object "*) continue ;; esac
            objects="$objects $object"
            printf '%s: %s %s\n\t$(compile)\n' "$object" "$source" "$out/flags"
        done
        printf '%s: options = %s\n' "$out/$target" "$(echo $(sed -n 's| \* Linker: ||p' $sources))"
        printf '%s:%s %s\n\t$(link)\n' "$out/$target" "$parts" "$out/library.a"
    done
    # FLAGS is quoted as in a Makefile.
    cat <<'RULES'
compile = @eval "$$clang $$sanitize -fsanitize=fuzzer-no-link $(coverage) $$FLAGS -MMD -MP -c $< -o $@"
link = @eval "$$clang $$sanitize -fsanitize=fuzzer $^ $(options) $$LIBS -o $@"
RULES
    printf -- '-include %s\n' "$out/objects/*.d"
}

echo "fuzz: building"
export clang sanitize FLAGS LIBS
printf '%s\n' "$clang $sanitize $FLAGS $LIBS" >"$out/flags.new"
cmp -s "$out/flags.new" "$out/flags" || mv "$out/flags.new" "$out/flags"
write_makefile >"$out/build.mk"
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -j "$jobs" -f "$out/build.mk" all

# -- running -----------------------------------------------------------------------------------------------------------

least=${FUZZ_LEAST:-1000}
export out srcdir limit least
status=0
rm -f "$out"/*.sum
# shellcheck disable=SC2086
printf '%s\n' $targets | xargs -P "$jobs" -n 1 sh "$srcdir/tests/fuzz/run-one.sh" || status=1

printf '\n%-20s %12s %10s %10s  %s\n' target executions 'per second' coverage found
for target in $targets; do
    cat "$out/$target.sum" || status=1
done
cat "$out"/*.sum | awk -v least="$least" -v targets="$n_targets" '
    $NF == "slow" { slow = slow " " $1 ":" $3 }
    { all += $2 }
    END { printf "\n%.0f executions of %d targets", all, targets
          print slow == "" ? ", each at least " least " a second" : "; less than " least " a second:" slow }'
exit "$status"

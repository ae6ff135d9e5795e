#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one fuzz target, $1, and leaves its line of the summary in $out/$1.sum. Called by fuzz.sh with out, srcdir,
# limit, which is libFuzzer's option that ends the run, and least, the executions a second below which a target is slow.
# Status 1: it found something.
set -eu
target=$1
name=${target#fuzz-}
# shellcheck disable=SC2154
corpus=$out/corpus-$target log=$out/$target.log

mkdir -p "$corpus"
for seed in "$srcdir/tests/corpus/$name"/* $(find "$srcdir/data" -name "*.${name##*-}" -size -20k 2>/dev/null); do
    [ ! -f "$seed" ] || cp "$seed" "$corpus/$(printf %s "$seed" | cksum | tr -d ' ')"
done

# Folders and spools that a target needs lie in memory, what is freed is not kept for long, where it was made is not
# remembered, and strstr(), by which GLib splits texts, does not measure the rest of them each time: each of these costs
# more than most inputs. Functions that are reached are not named: reading what the compiler has left about them takes
# seconds. What is found runs once more with all that.
[ ! -w /dev/shm ] || export TMPDIR="${TMPDIR:-/dev/shm}"
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=2:malloc_context_size=0:intercept_strstr=0}"

echo "fuzz: $target"
words=$srcdir/tests/fuzz/$name.dict
# shellcheck disable=SC2154
set -- "$limit" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 -print_funcs=0 "-artifact_prefix=$out/$target-"
[ ! -f "$words" ] || set -- "$@" "-dict=$words"
# What libFuzzer is to do otherwise for this target.
for option in $(sed -n 's| \* Options: ||p' "$srcdir/tests/fuzz/$target.c"); do
    # The smaller of two numbers of runs counts.
    case $limit,$option in
    -runs=*,-runs=*) [ "${option#-runs=}" -lt "${limit#-runs=}" ] || continue ;;
    esac
    set -- "$@" "$option"
done
status=0
"$out/$target" "$@" "$corpus" >"$log" 2>&1 || status=$?
# Hundredths of a second of one processor: a machine that does other things, too, makes no target slow. The second line
# is that of the children; in $(times) it would be that of none.
times >"$log.times"
used=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split ($i, t, /[ms]/); sum += 60 * t[1] + t[2] } print int (100 * sum) }' \
    "$log.times")

# What stands in the last line of progress; a run that did not go to its end has no other numbers.
number () { sed -n "s/$1/\\1/p" "$log" | tail -n 1; }
found=$(sed -n "s|.*Test unit written to .*/\($target-[a-z]*-[0-9a-f]*\)\$|\1|p" "$log" | tail -n 1)
n=$(number '^stat::number_of_executed_units: *\([0-9]*\)')
n=${n:-$(number '^#\([0-9][0-9]*\).*')}
rate=$(number '.* exec\/s: \([0-9]*\).*')
[ "$used" -lt 100 ] || [ -z "$n" ] || rate=$((n * 100 / used))
covered=$(number '.* cov: \([0-9]*\).*')
if [ "$status" -ne 0 ]; then
    found=${found:-exit status $status, see $log}
    # A crash leaves its input in fuzz-out; put it into tests/corpus with the repair.
    if [ -f "$out/$found" ]; then
        echo "once more, with all that is known of memory:" >>"$log"
        ASAN_OPTIONS='' "$out/$target" "$out/$found" >>"$log" 2>&1 || true
    fi
    { echo "fuzz: $target found something:"; tail -n 40 "$log"; } >&2
fi
slow=
# shellcheck disable=SC2154
[ "${rate:-$least}" -ge "$least" ] || slow=' slow'
printf '%-20s %12s %10s %10s  %s\n' "$name" "${n:--}" "${rate:--}" "${covered:--}" "${found:--}$slow" >"$out/$target.sum"
[ "$status" -eq 0 ]

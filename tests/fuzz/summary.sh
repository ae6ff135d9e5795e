#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The summary of `make fuzz`: a line a target, status 1 when one found something or died. A script stands for clang:
# what it links says what libFuzzer says.
set -eu
fuzz=$(cd "${SRCDIR:-.}" && pwd)/tests/fuzz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

n=0
pass () { n=$((n + 1)); echo "ok $n - $*"; }
fail () { echo "not ok $((n + 1)) - $*"; exit 1; }

mkdir -p tests/fuzz tests/corpus/good data
cp "$fuzz/fuzz.sh" "$fuzz/run-one.sh" tests/fuzz
for target in good bad dead busy; do echo "int $target;" >"tests/fuzz/fuzz-$target.c"; done
echo 'int library;' >library.c
echo seed >tests/corpus/good/seed

cat >clang <<'E2'
#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" != -o ] || out=$2; shift; done
case $out in
*.o) echo object >"$out"; exit ;;
esac
cat >"$out" <<'E3'
#!/bin/sh
echo "$*" >"$0.options"
case $0 in
*-good) printf '#2\tINITED cov: 5 ft: 6 exec/s: 0\n#90\tDONE   cov: 7 ft: 9 corp: 1/1b exec/s: 45 rss: 30Mb\n' >&2 ;;
*-busy)
    (ulimit -t 2; while :; do :; done)
    printf '#9\tDONE   cov: 7 ft: 9 corp: 1/1b exec/s: 9 rss: 30Mb\nstat::number_of_executed_units: 9000\n' >&2 ;;
*-bad)
    printf '#41\tNEW    cov: 8 ft: 9 corp: 1/1b exec/s: 20 rss: 30Mb\n==1== ERROR: libFuzzer: deadly signal\n' >&2
    echo "artifact_prefix='x-'; Test unit written to fuzz-out/fuzz-bad-crash-0a1b" >&2
    exit 77 ;;
*) exit 3 ;;
esac
E3
chmod +x "$out"
E2
chmod +x clang

# run STATUS SETTING...: stdout is in `out`.
run () {
    expected=$1 status=0
    shift
    env SOURCES=./library.c FLAGS= LIBS= SRCDIR=. FUZZ_OUT=fuzz-out CLANG="$work/clang" FUZZ_JOBS=1 "$@" \
        sh tests/fuzz/fuzz.sh >out 2>err || status=$?
    [ "$status" -eq "$expected" ] || { sed 's/^/# /' out err; fail "$*: status $status, not $expected"; }
}
line () { tr -s ' ' <out | grep -qxF "$1" || { sed 's/^/# /' out; fail "no line '$1'"; }; }

run 1 MINUTES=4
line 'target executions per second coverage found'
line 'good 90 45 7 - slow'
line 'bad 41 20 8 fuzz-bad-crash-0a1b slow'
line 'dead - - - exit status 3, see fuzz-out/fuzz-dead.log'
tr -s ' ' <out | grep -Eqx 'busy 9000 [1-8][0-9]{3} 7 -' || { cat out; fail 'executions are not told per second of a processor'; }
line '9131 executions of 4 targets; less than 1000 a second: bad:20 good:45'
grep -q 'deadly signal' err || fail 'what was found is not shown'
grep -q -e '-max_total_time=60 ' fuzz-out/fuzz-good.options || fail 'MINUTES are not shared by the targets'
pass 'a line a target, and status 1 when one found something or died'

run 0 FUZZ_RUNS=5 FUZZ_TARGETS=fuzz-good
grep -q -e '-runs=5 ' fuzz-out/fuzz-good.options || fail 'FUZZ_RUNS does not count'
[ "$(grep -c '^good ' out)" = 1 ] || fail 'the target is not in the table'
! grep -q '^bad ' out || fail 'a target that did not run is in the table'
line '90 executions of 1 targets; less than 1000 a second: good:45'
run 0 FUZZ_RUNS=5 FUZZ_TARGETS=fuzz-good FUZZ_LEAST=45
line '90 executions of 1 targets, each at least 45 a second'
echo ' * Options: -a=1 -runs=3' >>tests/fuzz/fuzz-good.c
run 0 FUZZ_RUNS=5 FUZZ_TARGETS=fuzz-good
grep -q -e '-runs=5 .*-a=1 -runs=3 ' fuzz-out/fuzz-good.options || fail 'a target cannot ask for fewer runs'
run 0 FUZZ_RUNS=2 FUZZ_TARGETS=fuzz-good
! grep -q -e '-runs=3' fuzz-out/fuzz-good.options || fail 'a target asks for more runs'
pass 'one target for a number of inputs'

run 1 MINUTES=soon
grep -q "not 'soon'" err || fail 'MINUTES=soon is not refused'
run 1 FUZZ_TARGETS=fuzz-none
grep -q 'no tests/fuzz/fuzz-none.c' err || fail 'an unknown target is not refused'
pass 'refuses what it cannot do'
echo "1..$n"

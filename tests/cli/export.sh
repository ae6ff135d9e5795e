#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export and convert: both write the same, the viewers' rules hold, and what is asked for is what comes.
set -u
export LC_ALL=C
n=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

report() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

skip() { # TEXT WHY
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

check() { # OPTIONS FILE: strictly, into $facts
    # shellcheck disable=SC2086
    facts=$(python3 "$SRCDIR/tests/oracles/check-chrome.py" $1 "$2" 2>check-errors)
    status=$?
    sed 's/^/# /' check-errors
    return $status
}

# expect STATUS PATTERN COMMAND...: exit status, and what is on standard error
expect() {
    wanted=$1 pattern=$2
    shift 2
    "$@" >out 2>err </dev/null
    status=$?
    if [ $status -ne "$wanted" ] || ! grep -q -- "$pattern" err; then
        echo "# status $status of: $*"
        sed 's/^/# /' err
        return 1
    fi
}

have_python=0
command -v python3 >/dev/null 2>&1 && have_python=1

# -- the same from both ways, and according to the rules ----------------------------------------------
both() { # NAME FILES...
    name=$1
    shift
    rm -f a.json b.json both.db
    "$TRACETOOL" convert -q "$@" a.json 2>err && "$TRACETOOL" --db both.db import -q "$@" 2>err &&
        "$TRACETOOL" --db both.db export -o b.json 2>err && cmp a.json b.json
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' err
    report $status "$name: convert writes what import and export write"
    if [ $have_python -eq 0 ]; then
        skip "$name: the rules of the format" 'no python3'
        return
    fi
    check '' a.json
    report $? "$name: the rules of the format ($facts)"
}

for example in tau-mpi4 tau-merged; do
    both "$example" "$TRACETOOL_DATA/$example"
done
for folder in "$TRACETOOL_DATA"/succeed/*; do
    both "${folder##*/}" "$folder"
done
for path in "$TRACETOOL_DATA"/kineto/* "$TRACETOOL_DATA"/framework/* "$TRACETOOL_DATA/job-2x1"; do
    both "${path##*/}" "$path"
done
for kind in chrome chrome/tolerant kineto framework; do
    [ -d "$SHARED_DATA/$kind" ] || skip "$kind" 'no shared data'
done
for path in "$SHARED_DATA"/chrome/*.json "$SHARED_DATA"/chrome/tolerant/* "$SHARED_DATA"/kineto/*.json.gz \
    "$SHARED_DATA"/framework/*job_2x2 "$SHARED_DATA"/framework/tf_* "$SHARED_DATA"/framework/mxnet_profile; do
    [ ! -e "$path" ] || both "${path##*/}" "$path"
done
for example in real-mpi4 real-mpi4-callpath-flush real-threads; do
    if [ -d "$SHARED_DATA/tau/$example" ]; then
        both "$example" "$SHARED_DATA/tau/$example"
    else
        skip "$example" 'no shared data'
    fi
done

# -- options -------------------------------------------------------------------------------------------
db=$scratch/trace.db
"$TRACETOOL" --db "$db" import -q "$TRACETOOL_DATA/tau-mpi4"
report $? 'import an example'
"$TRACETOOL" --db "$db" export >whole.json 2>err
report $? 'export to standard output'
grep -q 'wrote .* events .*ui.perfetto.dev' err
report $? 'says how to look at it'
"$TRACETOOL" --db "$db" export --chrome -o whole.json.gz 2>err && gzip -dc whole.json.gz | cmp - whole.json
report $? 'the same in a .gz file'
"$TRACETOOL" --db "$db" export -o again.json.gz 2>err && cmp whole.json.gz again.json.gz
report $? 'the same bytes each time'
"$TRACETOOL" --db "$db" export -o /dev/null 2>err
report $? 'to a device'
cp "$TRACETOOL_DATA"/tau-merged/run.* .
chmod u+w run.*
"$TRACETOOL" export -o traces.json run.trc run.edf 2>err && "$TRACETOOL" convert -q run.edf run.trc traces2.json && cmp traces.json traces2.json
report $? 'straight from trace files'
"$TRACETOOL" convert -q "$TRACETOOL_DATA/tau-mpi4" - >standard.json 2>err && cmp standard.json whole.json
report $? 'convert to standard output'

lines() { # PATTERN FILE
    grep -c -- "$1" "$2"
}

part() { # TEXT OPTIONS...: into part.json
    text=$1
    shift
    "$TRACETOOL" --db "$db" export -o part.json "$@" 2>err
    report $? "$text"
    "$TRACETOOL" convert -q "$TRACETOOL_DATA/tau-mpi4" "$@" part2.json 2>err2 && cmp part.json part2.json
    report $? "$text: convert does the same"
    if [ $have_python -eq 1 ]; then
        check "--part" part.json
        report $? "$text: the rules of the format ($facts)"
    fi
}

part 'a filter' --filter op_cat=Comm
[ "$(lines '"ph":"X"' part.json)" -eq "$(grep '"ph":"X"' whole.json | lines '"cat":"Comm' -)" ]
report $? 'a filter keeps what matches'
grep '"ph":"X"' part.json >some
grep '"ph":"X"' whole.json | grep '"cat":"Comm' >others
sed 's/,$//' some >some.lines
sed 's/,$//' others | cmp - some.lines
report $? 'cnt does not depend on the filter'

part 'a time window' --time-window 1000:2000
[ "$(lines '"ph":"X"' part.json)" -lt "$(lines '"ph":"X"' whole.json)" ]
report $? 'a time window leaves something out'
sed -n 's/,$//; /"ph":"X"/p' part.json >some
sed 's/,$//' whole.json | grep -Fxf some | cmp -s - some
report $? 'what overlaps a time window stays whole'

part 'nothing matches' --filter pid=nobody
grep -q 'no event matches' err
report $? 'says that nothing matches'

part 'a size' --max-size 60k
[ "$(wc -c <part.json)" -le 60000 ]
report $? 'a size is kept'
grep -q 'left out .* the shortest span kept lasts' err
report $? 'says what was left out for the size'

part 'absolute times' --absolute
[ "$(lines '"ts":17' part.json)" -gt 100 ] || [ "$(lines '"first_ns":0' part.json)" -eq 1 ]
report $? 'absolute times are those of the source'

"$TRACETOOL" --db "$db" export --template -o template.json 2>err
report $? 'the uniform template'
[ "$(lines '"ph":"X"' template.json)" -eq "$(lines '"ph":"X"' whole.json)" ] && [ "$(lines '"ph":"[^X]"' template.json)" -eq 0 ]
report $? 'the template has all spans and only them'
if [ $have_python -eq 1 ]; then
    check --template template.json
    report $? "the rules of the template ($facts)"
fi

# -- mistakes ------------------------------------------------------------------------------------------
expect 2 'must end in .json or .json.gz' "$TRACETOOL" --db "$db" export -o trace.txt
report $? 'a wrong suffix'
expect 2 'is no size' "$TRACETOOL" --db "$db" export --max-size lots -o x.json
report $? 'a wrong size'
expect 2 'too small' "$TRACETOOL" --db "$db" export --max-size 100 -o x.json && [ ! -e x.json ]
report $? 'a size for nothing'
expect 2 'OUT' "$TRACETOOL" convert "$TRACETOOL_DATA/tau-mpi4"
report $? 'convert without an output'
expect 2 'must end in' "$TRACETOOL" convert "$TRACETOOL_DATA"/tau-merged/run.trc "$TRACETOOL_DATA"/tau-merged/run.edf
report $? 'convert with the output forgotten leaves its input alone'
expect 2 "did you mean '--max-size'" "$TRACETOOL" --db "$db" export --max-siz 3M -o x.json
report $? 'a misspelt option'
expect 1 "no-such-trace" "$TRACETOOL" convert no-such-trace x.json && [ ! -e x.json ]
report $? 'no such input'
expect 1 '' "$TRACETOOL" --db "$db" export -o no-such-folder/x.json
report $? 'no such folder'
expect 1 '' "$TRACETOOL" convert -q "$TRACETOOL_DATA/fail/noise" x.json && [ ! -e x.json ] && [ -z "$(find . -name '*part-*')" ]
report $? 'bad input leaves no output'
if [ $have_python -eq 1 ] && python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$TRACETOOL" --db "$db" export >out 2>&1
    [ $? -eq 2 ] && grep -q 'tracetool export -o trace.json' out
    report $? 'a terminal is refused, with the command to type'
else
    skip 'a terminal is refused' 'no python3, or no terminals here'
fi
echo "1..$n"

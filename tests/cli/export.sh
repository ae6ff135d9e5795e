#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export and convert: both write the same, the viewers' rules hold, and what is asked for is what comes.
. "$SRCDIR/tests/cli/lib.sh"

facts=
check() { # OPTIONS FILE: strictly, into $facts
    # shellcheck disable=SC2086
    facts=$(python3 "$SRCDIR/tests/oracles/check-chrome.py" $1 "$2" 2>check-errors)
    status=$?
    sed 's/^/# /' check-errors
    return $status
}

have_python=0
command -v python3 >/dev/null 2>&1 && have_python=1

check_perfetto() { # PFTRACE JSON: strictly, into $facts
    facts=$(python3 "$SRCDIR/tests/oracles/check-perfetto.py" "$1" "$2" 2>check-errors)
    status=$?
    sed 's/^/# /' check-errors
    return $status
}

# -- the same from both ways, and according to the rules ----------------------------------------------
both() { # NAME FILES...
    name=$1
    shift
    rm -f a.json b.json a.pftrace b.pftrace both.db
    "$TRACETOOL" convert -q "$@" a.json 2>err && "$TRACETOOL" --db both.db import -q "$@" 2>err &&
        "$TRACETOOL" --db both.db export -o b.json 2>err && same a.json b.json
    status=$?
    [ $status -eq 0 ] || sed 's/^/# /' err
    result $status "$name: convert writes what import and export write"
    if [ $have_python -eq 0 ]; then
        skip "$name: the rules of the format" 'no python3'
        return
    fi
    [ $status -eq 0 ] && check '' a.json
    result $? "$name: the rules of the format ($facts)"
    "$TRACETOOL" convert -q "$@" a.pftrace 2>err && "$TRACETOOL" --db both.db export -o b.pftrace 2>err &&
        same a.pftrace b.pftrace && check_perfetto a.pftrace a.json
    result $? "$name: Perfetto's format says the same ($facts)"
}

for example in tau-mpi4 tau-merged; do
    both "$example" "$TRACETOOL_DATA/$example"
done
for folder in "$TRACETOOL_DATA"/succeed/*; do
    sampled || continue
    both "${folder##*/}" "$folder"
done
for path in "$TRACETOOL_DATA"/kineto/* "$TRACETOOL_DATA"/framework/* "$TRACETOOL_DATA/job-2x1"; do
    sampled || continue
    both "${path##*/}" "$path"
done
for kind in chrome chrome/tolerant kineto framework; do
    [ -d "$SHARED_DATA/$kind" ] || skip "$kind" 'no shared data'
done
for path in "$SHARED_DATA"/chrome/*.json "$SHARED_DATA"/chrome/tolerant/* "$SHARED_DATA"/kineto/*.json.gz \
    "$SHARED_DATA"/framework/*job_2x2 "$SHARED_DATA"/framework/tf_* "$SHARED_DATA"/framework/mxnet_profile; do
    [ ! -e "$path" ] || ! sampled || both "${path##*/}" "$path"
done
for example in real-mpi4 real-mpi4-callpath-flush real-threads; do
    if [ -d "$SHARED_DATA/tau/$example" ]; then
        both "$example" "$SHARED_DATA/tau/$example"
    else
        skip "$example" 'no shared data'
    fi
done

count() { # PATTERN FILE
    grep -c -- "$1" "$2"
}

# -- options -------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && has out '775 spans'
result $? 'import an example'
run 0 --db "$db" export && mv out whole.json && [ "$(count '"ph":"X","ts"' whole.json)" -eq 775 ]
result $? 'export to standard output'
matches err 'wrote .* events .*ui.perfetto.dev'
result $? 'says how to look at it'
run 0 --db "$db" export --chrome -o whole.json.gz && gzip -dc whole.json.gz | same - whole.json
result $? 'the same in a .gz file'
run 0 --db "$db" export -o again.json.gz && same whole.json.gz again.json.gz
result $? 'the same bytes each time'
run 0 --db "$db" export -o /dev/null && has err 'wrote '
result $? 'to a device'
cp "$TRACETOOL_DATA"/tau-merged/run.* .
chmod u+w run.*
run 0 export -o traces.json run.trc run.edf && run 0 convert -q run.edf run.trc traces2.json && same traces.json traces2.json
result $? 'straight from trace files'
run 0 convert -q "$TRACETOOL_DATA/tau-mpi4" - && same out whole.json
result $? 'convert to standard output'

part() { # TEXT OPTIONS...: into part.json
    text=$1
    shift
    rm -f part.json part2.json
    run 0 --db "$db" export -o part.json "$@" && filled part.json && cp err said
    result $? "$text"
    run 0 convert -q "$TRACETOOL_DATA/tau-mpi4" "$@" part2.json && same part.json part2.json
    result $? "$text: convert does the same"
    if [ $have_python -eq 1 ]; then
        filled part.json && check "--part" part.json
        result $? "$text: the rules of the format ($facts)"
    fi
}

part 'a filter' --filter op_cat=Comm
[ "$(count '"ph":"X","ts"' part.json)" -gt 0 ] &&
    [ "$(count '"ph":"X","ts"' part.json)" -eq "$(grep '"ph":"X","ts"' whole.json | count '"cat":"Comm' -)" ]
result $? 'a filter keeps what matches'
grep '"ph":"X","ts"' part.json >some
grep '"ph":"X","ts"' whole.json | grep '"cat":"Comm' >others
sed 's/,$//' some >some.lines
sed 's/,$//' others | same - some.lines
result $? 'cnt does not depend on the filter'

part 'a time window' --time-window 1000:2000
[ "$(count '"ph":"X","ts"' part.json)" -lt "$(count '"ph":"X","ts"' whole.json)" ]
result $? 'a time window leaves something out'
sed -n 's/,$//; s/"cnt":[0-9]*,*//; /"ph":"X","ts"/p' part.json >some
sed 's/,$//; s/"cnt":[0-9]*,*//' whole.json >others
[ "$(grep -cvFxf others some)" -eq 0 ] && filled some others
result $? 'what overlaps a time window stays whole'
has part.json '"cnt":0'
result $? 'cnt counts from the begin of a time window'

part 'nothing matches' --filter pid=nobody
has said 'no event matches'
result $? 'says that nothing matches'

part 'a size' --max-size 60k
filled part.json && [ "$(wc -c <part.json)" -le 60000 ]
result $? 'a size is kept'
matches said 'left out .* the shortest span kept lasts'
result $? 'says what was left out for the size'
{
    printf '[{}'
    seq 100 | sed 's/.*/,{"name":"a","ph":"X","ts":&0,"dur":5,"pid":1,"tid":1}/'
    printf ']'
} >equal.json
run 0 convert --max-size 5k equal.json equal.out.json && has err 'left out 100 events for the size; no span fits'
result $? 'says so where no span fits'

part 'absolute times' --absolute
[ "$(count '"ts":17' part.json)" -gt 100 ] || [ "$(count '"first_ns":0' part.json)" -eq 1 ]
result $? 'absolute times are those of the source'
has said 'to 250 ns only'
result $? 'and viewers read them less exactly'

run 0 --db "$db" export --template -o template.json && filled template.json
result $? 'the uniform template'
[ "$(count '"ph":"X","ts"' template.json)" -gt 0 ] && [ "$(count '"ph":"X","ts"' template.json)" -eq "$(count '"ph":"X","ts"' whole.json)" ] && [ "$(count '"ph":"[^X]"' template.json)" -eq 0 ]
result $? 'the template has all spans and only them'
if [ $have_python -eq 1 ]; then
    filled template.json && check --template template.json
    result $? "the rules of the template ($facts)"
fi

# -- Perfetto's own format -------------------------------------------------------------------------------
run 0 --db "$db" export --perfetto -o whole.pftrace && filled whole.pftrace &&
    [ "$(wc -c <whole.pftrace)" -lt $(($(wc -c <whole.json) / 3)) ]
result $? "Perfetto's format, in less than a third of the size"
matches err 'wrote .* events .*open in https://ui.perfetto.dev$'
result $? 'says how to look at it'
run 0 --db "$db" export -o other.pftrace && same whole.pftrace other.pftrace
result $? 'the suffix chooses it'
run 0 --db "$db" export --perfetto && same out whole.pftrace
result $? 'to standard output'
run 0 --db "$db" export -o whole.pftrace.gz && gzip -dc whole.pftrace.gz | same - whole.pftrace
result $? 'the same in a .gz file'
run 0 --db "$db" export --max-size 22k -o part.pftrace && filled part.pftrace && [ "$(wc -c <part.pftrace)" -le 22000 ]
result $? 'a size is kept'
run 0 --db "$db" export --filter op_cat=Comm -o part.json && filled part.json &&
    run 0 --db "$db" export --filter op_cat=Comm -o part.pftrace && filled part.pftrace
status=$?
if [ $have_python -eq 1 ]; then
    [ $status -eq 0 ] && check_perfetto part.pftrace part.json
    result $? "a filter keeps the same ($facts)"
fi
run 0 --db "$db" export --waits -o waits.json && has waits.json '"wait_ns":' '"wait_for":' && run 0 --db "$db" export --waits -o waits.pftrace && has waits.pftrace wait_kind
status=$?
if [ $have_python -eq 1 ]; then
    [ $status -eq 0 ] && check_perfetto waits.pftrace waits.json
    result $? "--waits writes the same ($facts)"
fi
refuses 2 "does not go with '--template'" --db "$db" export --waits --template -o x.json && [ ! -e x.json ] &&
    refuses 2 "'--waits' is for Chrome traces" --db "$db" export --waits --folded -o x.folded
result $? '--waits where there are no arguments'
refuses 2 "must end in .pftrace or .pftrace.gz" --db "$db" export --perfetto -o x.json && [ ! -e x.json ]
result $? 'not into a file of JSON'
refuses 2 "'--template' is JSON" --db "$db" export --template -o x.pftrace && [ ! -e x.pftrace ]
result $? 'no template'

# -- odd arguments and threads -------------------------------------------------------------------------
cat >keys.json <<'END'
[{"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":1,"args":{"n\u0061me":1,"x":2,"\u0078":3,"c\u006et":12345678901234567890}}]
END
rm -f keys.db && "$TRACETOOL" --db keys.db import -q keys.json && "$TRACETOOL" --db keys.db export -o keys.out.json 2>err &&
    has keys.out.json '"cnt":0,"source_name":1,"x":2,"source_cnt":"12345678901234567890"}}'
result $? 'keys that differ in their escapes only are one, and ours stay ours'
awk 'BEGIN { printf "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1,\"args\":{\"deep\":"
    for (i = 0; i < 250; i++) printf "["; printf "7"; for (i = 0; i < 250; i++) printf "]"
    for (i = 0; i < 300; i++) printf ",\"k%d\":%d", i, i; print "}}]" }' >many.json
rm -f many.db && "$TRACETOOL" --db many.db import -q many.json && "$TRACETOOL" --db many.db export -o many.out.json 2>err &&
    has many.out.json '"deep":[[[[' ']]]],"k0":0,' '"k299":299}}' && "$TRACETOOL" --db many.db export -o many.pftrace 2>err &&
    { [ $have_python -eq 0 ] || check '' many.out.json; } && grep -q k299 many.pftrace
result $? 'no argument is lost, however many they are and however deep'
cat >tids.json <<'END'
[{"ph":"X","name":"a","ts":1,"dur":3,"pid":1,"tid":"x"},{"ph":"X","name":"a","ts":2,"dur":3,"pid":1,"tid":0}]
END
run 0 convert -q tids.json tids.out.json && has tids.out.json '"tid":1,"args":{"name":"thread 0"' '"tid":2,"args":{"name":"x"'
result $? 'the number of thread 0 is not given to another thread'

# -- a damaged database --------------------------------------------------------------------------------
damage() { # TEXT SQL : the export of a database so changed says TEXT, and leaves no file
    rm -f broken.db broken.json && cp every.db broken.db && change_database broken.db "$2" || return 1
    refuses 1 "damaged: $1" --db broken.db export -o broken.json && [ ! -e broken.json ]
}
if [ $have_python -eq 1 ]; then
    rm -f every.db && "$TRACETOOL" --db every.db import -q "$TRACETOOL_DATA/chrome/every-kind.json" &&
        damage 'a counter is of thread ' 'UPDATE thread_row SET process = 77' &&
        damage 'event ' 'UPDATE event_row SET thread = 4000000000' &&
        damage 'a counter is of thread 99999' 'UPDATE counter_row SET thread = 99999' &&
        damage 'a counter is of series 4000' 'UPDATE counter_row SET series = 4000' &&
        damage 'event ' 'UPDATE thread_row SET id = 4000000000 WHERE id = (SELECT max(id) FROM thread_row)'
    result $? 'rows that refer to nothing are told'
else
    skip 'rows that refer to nothing are told' 'no python3'
fi

# -- mistakes ------------------------------------------------------------------------------------------
refuses 2 'must end in .json or .json.gz' --db "$db" export -o trace.txt
result $? 'a wrong suffix'
refuses 2 'is no size' --db "$db" export --max-size lots -o x.json
result $? 'a wrong size'
refuses 2 "unknown value of --names" --db "$db" export --names orginal -o x.json && has err "did you mean 'original'?"
result $? 'misspelt names'
for option in --template '--tau x.trc x.edf' '--profile x'; do
    # shellcheck disable=SC2086
    refuses 2 "does not go with '${option%% *}'" --db "$db" export --names original $option && [ ! -e x.trc ] && [ ! -e x ]
    result $? "original names with $option"
done
echo mine >own.txt
refuses 1 "cannot make the folder 'own.txt'" --db "$db" export --profile own.txt && [ "$(cat own.txt)" = mine ] &&
    run 0 --db "$db" export --profile profiles && cp profiles/profile.0.0.0 before &&
    refuses 2 'is there already; name a new folder' --db "$db" export --profile profiles && cmp -s before profiles/profile.0.0.0
result $? 'profiles take the place of nothing'
refuses 2 'too small' --db "$db" export --max-size 100 -o x.json && [ ! -e x.json ]
result $? 'a size for nothing'
refuses 2 'OUT' convert "$TRACETOOL_DATA/tau-mpi4"
result $? 'convert without an output'
refuses 2 'must end in' convert "$TRACETOOL_DATA"/tau-merged/run.trc "$TRACETOOL_DATA"/tau-merged/run.edf
result $? 'convert with the output forgotten leaves its input alone'
refuses 2 "did you mean '--max-size'" --db "$db" export --max-siz 3M -o x.json
result $? 'a misspelt option'
refuses 1 "no-such-trace" convert no-such-trace x.json && [ ! -e x.json ]
result $? 'no such input'
refuses 1 no-such-folder --db "$db" export -o no-such-folder/x.json
result $? 'no such folder'
refuses 1 noise convert -q "$TRACETOOL_DATA/fail/noise" x.json && [ ! -e x.json ] && [ -z "$(find . -name '*part-*')" ]
result $? 'bad input leaves no output'
finish

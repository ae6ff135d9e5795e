#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# libtracetool-tau: its callbacks are TAU's, its copies of traces import to the same rows, its symbols are
# only the public ones, and programs in C and C++ build against it.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

callbacks=$BUILDDIR/tests/formats/tau-callbacks
traces=$SHARED_DATA/tau

golden() { # TRACE LOG
    if [ ! -f "$traces/golden/$2.cblog.gz" ]; then
        skip "callbacks of $2" 'no shared test data'
        return
    fi
    gzip -dc "$traces/golden/$2.cblog.gz" >"$scratch/golden"
    for records in 1024 1 7 1000000; do
        "$callbacks" "$traces/$1.trc" "$traces/${3-$1}.edf" "$records" >"$scratch/log" || break
        same golden log >"$scratch/diff" || break
    done
    same golden log
    result $? "callbacks of $1 are those of TAU's reader"
}
golden synthetic/edge edge
golden synthetic/g1k g1k
golden real-mpi4/tau real-mpi4
golden real-mpi4-callpath-flush/tau real-mpi4-callpath-flush
golden real-threads/tau real-threads
for variant in 32le 32be 64le 64be; do
    golden "variants/mpi4-$variant" real-mpi4 variants/mpi4
done

# Decoded a second time, by a program that shares nothing with the library.
again() { # TRC EDF HABITS
    name=${1#"$TRACETOOL_DATA"/}
    name=${name#"$SHARED_DATA"/}
    python3 "$SRCDIR/tests/oracles/tau-callbacks.py" "$1" "$2" "$3" >"$scratch/expected" &&
        "$callbacks" "$1" "$2" 1000 "$3" >"$scratch/log" && same expected log
    result $? "callbacks of $name with habits $3, decoded twice"
}
if python3 -c 'import struct' 2>/dev/null; then
    for trc in "$TRACETOOL_DATA"/tau-merged/run.trc "$TRACETOOL_DATA"/tau-mpi4/*.trc \
        "$TRACETOOL_DATA"/succeed/big-endian-32/*.trc "$TRACETOOL_DATA"/succeed/callpaths/*.trc \
        "$traces"/real-threads/tau.trc "$traces"/real-mpi4-callpath-flush/tautrace.2.0.0.trc; do
        [ -f "$trc" ] || continue
        edf=${trc%.trc}.edf
        node=$(basename "$trc" | sed -n 's/^tautrace\.\([0-9]*\)\..*/\1/p')
        [ -z "$node" ] || edf=$(dirname "$trc")/events.$node.edf
        [ -f "$edf" ] || edf=$(find "$(dirname "$trc")" -name '*.edf' | head -n 1)
        again "$trc" "$edf" 3
        again "$trc" "$edf" 0
    done
else
    skip 'callbacks, decoded twice' 'no python3'
fi

# rows DB : what an import knows of spans, messages, counters and metrics, without ids and files.
rows() {
    "$TRACETOOL" --db "$1" query --format csv 2>>"$scratch/err" "SELECT pid, tid, name, raw_name, native_group, file, line, ts_ns, dur_ns, self_ns, depth, replace(coalesce(flags, ''), 'end_before_start', '') FROM event ORDER BY 1, 2, event.id" || echo "failed: $1"
    "$TRACETOOL" --db "$1" query --format csv 2>>"$scratch/err" "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, comm, ordinal, send_ns, recv_ns, bytes, flags FROM message ORDER BY 1, 2, 3, 4, 5, 6, 7, 8" || echo "failed: $1"
    "$TRACETOOL" --db "$1" query --format csv 2>>"$scratch/err" "SELECT series, pid, tid, monotonic, ts_ns, value FROM counter ORDER BY 1, 2, 3, 5, 6" || echo "failed: $1"
    "$TRACETOOL" --db "$1" query --format csv 2>>"$scratch/err" "SELECT name, sum(inclusive), sum(exclusive) FROM metric GROUP BY 1 ORDER BY 1" || echo "failed: $1"
    "$TRACETOOL" --db "$1" query --format csv 2>>"$scratch/err" "SELECT pid, tid, key, value FROM metadata JOIN process ON process.id = metadata.process LEFT JOIN thread ON thread.id = metadata.thread ORDER BY 1, 2, 3, 4" || echo "failed: $1"
}

same_rows() { # TEXT : of a.db and b.db
    rows "$scratch/a.db" >"$scratch/a.rows"
    rows "$scratch/b.db" >"$scratch/b.rows"
    [ "$(wc -l <"$scratch/a.rows")" -gt 20 ] && diff "$scratch/a.rows" "$scratch/b.rows" >"$scratch/diff"
    status=$?
    result "$status" "$1"
    [ "$status" -eq 0 ] || { wc -l "$scratch/a.rows" "$scratch/b.rows"; cat "$scratch/diff"; } | sed 's/^/# /' | cut -c 1-200 | head -20
    rm -f "$scratch/a.db" "$scratch/b.db" "$scratch/out.trc" "$scratch/out.edf"
}

copied() { # TRC EDF
    if [ ! -f "$1" ]; then
        skip "a copy of $(basename "$1")" 'no shared test data'
        return
    fi
    "$BUILDDIR/tests/formats/tau-copy" "$1" "$2" "$scratch/out.trc" "$scratch/out.edf" &&
        run 0 --db "$scratch/a.db" import "$1" "$2" && run 0 --db "$scratch/b.db" import "$scratch/out.trc" "$scratch/out.edf"
    same_rows "a copy of $(basename "$(dirname "$1")")/$(basename "$1") has the same rows"
}
copied "$TRACETOOL_DATA/tau-merged/run.trc" "$TRACETOOL_DATA/tau-merged/run.edf"
copied "$traces/real-mpi4/tau.trc" "$traces/real-mpi4/tau.edf"
copied "$traces/real-mpi4-callpath-flush/tau.trc" "$traces/real-mpi4-callpath-flush/tau.edf"
copied "$traces/real-threads/tau.trc" "$traces/real-threads/tau.edf"
copied "$traces/synthetic/edge.trc" "$traces/synthetic/edge.edf"
copied "$traces/synthetic/g1k.trc" "$traces/synthetic/g1k.edf"

# exported TEXT PATH... : import A, export --tau, import B.
exported() {
    text=$1
    strict=--strict
    case $text in edge | g1k | real-*) strict= ;; esac # what is odd in them is odd in the export
    # shellcheck disable=SC2086
    shift
    if [ ! -e "$1" ]; then
        skip "$text, exported" 'no shared test data'
        return
    fi
    run 0 --db "$scratch/a.db" import "$@" &&
        run 0 --db "$scratch/a.db" export --tau "$scratch/out.trc" "$scratch/out.edf" &&
        run 0 --db "$scratch/b.db" import $strict "$scratch/out.trc" "$scratch/out.edf"
    same_rows "$text, exported, has the same rows"
    run 0 --db "$scratch/a.db" import "$@" &&
        run 0 --db "$scratch/a.db" export --tau "$scratch/ranks" && run 0 --db "$scratch/b.db" import $strict "$scratch/ranks"
    same_rows "$text, exported a trace a thread, has the same rows"
    rm -rf "$scratch/ranks"
}
exported 'the merged example' "$TRACETOOL_DATA/tau-merged/run.trc" "$TRACETOOL_DATA/tau-merged/run.edf"
exported 'the example of 4 ranks' "$TRACETOOL_DATA/tau-mpi4"
exported 'metrics' "$TRACETOOL_DATA/succeed/metrics"
exported 'callpaths' "$TRACETOOL_DATA/succeed/callpaths"
exported 'real-mpi4' "$traces/real-mpi4/tau.trc" "$traces/real-mpi4/tau.edf"
exported 'real-mpi4-callpath-flush' "$traces/real-mpi4-callpath-flush/tau.trc" "$traces/real-mpi4-callpath-flush/tau.edf"
exported 'real-threads' "$traces/real-threads/tau.trc" "$traces/real-threads/tau.edf"
exported 'edge' "$traces/synthetic/edge.trc" "$traces/synthetic/edge.edf"
exported 'g1k' "$traces/synthetic/g1k.trc" "$traces/synthetic/g1k.edf"

# What no record uses is defined all the same, but not in a selection.
mkdir "$scratch/unused"
cp "$TRACETOOL_DATA"/tau-merged/run.* "$scratch/unused"
sed -i '1s/.*/60 dynamic_trace_events/' "$scratch/unused/run.edf"
cat >>"$scratch/unused/run.edf" <<'END'
777 TAU_USER 0 "never_called() [{a.c} {3,1}-{9,1}]  " EntryExit
778 TAUEVENT 1 "never counted" TriggerValue
END
run 0 --db "$scratch/unused.db" import "$scratch/unused" && run 0 --db "$scratch/unused.db" export --tau "$scratch/unused.trc" "$scratch/unused.edf" &&
    matches "$scratch/unused.edf" '^[0-9]* TAU_USER 0 "never_called() \[{a.c} {3,1}-{9,1}\]" EntryExit$' &&
    matches "$scratch/unused.edf" '^[0-9]* TAUEVENT 1 "never counted" TriggerValue$'
result $? 'what no record uses is defined in an export'
run 0 --db "$scratch/unused.db" export --tau --filter op_cat=Comm "$scratch/some.trc" "$scratch/some.edf" && matches "$scratch/some.edf" MPI_ &&
    ! grep -q never "$scratch/some.edf"
result $? 'an export of a selection defines what it has'

# What is there is not overwritten; what does not fit is told.
mkdir "$scratch/in"
cp "$TRACETOOL_DATA"/tau-merged/run.* "$scratch/in"
merged=$scratch/in/run
cp "$merged.trc" "$merged.edf" "$scratch"
run 2 export --tau "$scratch/run.trc" "$scratch/new.edf" "$merged.trc" "$merged.edf" &&
    has err 'is there already' && same "$merged.trc" run.trc && [ ! -e "$scratch/new.edf" ]
result $? 'an export overwrites no trace'
run 2 export --tau "$scratch/only.trc" && has err "'--tau' wants OUT.trc OUT.edf"
result $? 'an export without a place for definitions says what is wanted'
run 2 export --tau -o "$scratch/x.json" "$merged.trc" "$merged.edf" && has err "'-o OUT.trc', which writes OUT.edf beside it" &&
    [ ! -e "$scratch/x.json" ] && run 2 export --tau -o - "$merged.trc" "$merged.edf"
result $? 'a document is no place for a TAU trace'
run 0 export --tau "$scratch/words.trc" "$scratch/words.edf" "$merged.trc" "$merged.edf" &&
    run 0 export --tau -o "$scratch/option.trc" "$merged.trc" "$merged.edf" && same "$scratch/words.trc" "$scratch/option.trc" &&
    same "$scratch/words.edf" "$scratch/option.edf" && run 0 export --tau "$scratch/words" "$merged.trc" "$merged.edf" &&
    run 0 export --tau -o "$scratch/option" "$merged.trc" "$merged.edf" && filled "$scratch/option/events.0.edf" &&
    diff -r "$scratch/words" "$scratch/option" && run 2 export --tau -o "$scratch/option.trc" "$merged.trc" "$merged.edf" &&
    has err 'is there already'
result $? 'export --tau -o writes what export --tau does'
run 0 export --tau --filter 'op_cat=Comm' "$scratch/comm.trc" "$scratch/comm.edf" "$merged.trc" "$merged.edf" &&
    run 0 stats --by op_cat --format csv "$scratch/comm.trc" "$scratch/comm.edf" && lines out 2 && has out 'Comm'
result $? 'an export of some spans'

# Profiles: exclusive times and calls add up to those of the run.
run 0 --db "$scratch/p.db" import "$merged.trc" "$merged.edf" && run 0 --db "$scratch/p.db" export --profile "$scratch/profiles"
"$TRACETOOL" --db "$scratch/p.db" query --format csv \
    'SELECT pid, count(*), sum(self_ns) / 1000 FROM event WHERE dur_ns IS NOT NULL GROUP BY pid ORDER BY pid' | tail -n +2 >"$scratch/expected"
for profile in "$scratch"/profiles/profile.*.0.0; do
    node=$(basename "$profile" | cut -d. -f2)
    sed -n 's/.*" \([0-9]*\) \([0-9]*\) \([0-9]*\) \([0-9]*\) 0 GROUP=.*/\1 \3/p' "$profile" |
        awk -v node="$node" '{ calls += $1; us += $2 } END { printf "node%s,%d,%d\n", node, calls, us }'
done >"$scratch/got"
same expected got
result $? 'profiles add up to the run'
head -n 2 "$scratch/profiles/profile.0.0.0" >"$scratch/out" && has out 'templated_functions' '# Name Calls Subrs Excl Incl ProfileCalls' &&
    grep -q '^"MPI_Send()" [0-9]* 0 ' "$scratch/profiles/profile.0.0.0" && grep -q ' userevents$' "$scratch/profiles/profile.0.0.0"
result $? 'a profile has the rows of TAU'

# profiles TEXT PATH... : those of a run are what a decoder that shares nothing with ours makes of the trace.
profiles() {
    text=$1
    shift
    if [ ! -e "$1" ]; then
        skip "$text" 'no shared test data'
        return
    fi
    rm -rf "$scratch/made"
    import "$@" && run 0 --db "$db" export --clock original --profile "$scratch/made" &&
        python3 "$SRCDIR/tests/oracles/tau.py" compare-profile "$scratch/made" "$1" >"$scratch/out" && has out 'rows agree'
    result $? "$text"
    grep -v 'rows agree' "$scratch/out" | sed 's/^/# /' | head -5
}
if python3 -c 'import struct' 2>/dev/null; then
    profiles 'profiles of one metric, decoded twice' "$TRACETOOL_DATA/tau-merged/run.trc" "$TRACETOOL_DATA/tau-merged/run.edf"
    profiles 'profiles of each metric, decoded twice' "$TRACETOOL_DATA/succeed/metrics"
    [ -s "$scratch/made/MULTI__PAPI_TOT_INS/profile.1.0.1" ] && [ -s "$scratch/made/MULTI__GET_TIME_OF_DAY/profile.1.0.1" ] &&
        [ ! -e "$scratch/made/profile.1.0.1" ] &&
        head -n 1 "$scratch/made/MULTI__PAPI_TOT_CYC/profile.0.0.0" >"$scratch/out" && has out ' templated_functions_MULTI_PAPI_TOT_CYC'
    result $? 'a metric has the folder and the header that TAU gives it'
    profiles 'profiles where metrics stand behind those of later spans, decoded twice' "$traces/real-mpi4-callpath-flush/tau.trc" "$traces/real-mpi4-callpath-flush/tau.edf"
    if [ -e "$traces/real-mpi4-callpath-flush/tau.trc" ]; then
        run 0 --db "$db" stats --metric GET_TIME_OF_DAY --by pid,name --format csv --filter 'name~work' >"$scratch/out" &&
            has out ',86,86,22,' ',160,160,22,' ',241,241,22,' ',310,310,22,'
        result $? 'statistics of a metric have all spans'
    else
        skip 'statistics of a metric have all spans' 'no shared test data'
    fi
else
    skip 'profiles, decoded twice' 'no python3'
fi

# Pieces of a span that an import joined have their length as a metric of ours, which is none of the source's.
import "$TRACETOOL_DATA/job-2x1" && run 0 --db "$db" export --profile "$scratch/job" &&
    [ -s "$scratch/job/profile.0.0.0" ] && ! ls -d "$scratch"/job/MULTI__* >/dev/null 2>&1 &&
    ask "SELECT count(*) > 0 FROM metric WHERE name = 'hull'" 1
result $? 'profiles of a run whose source has no metrics have one folder'

# The same trace read by programs of other people's.
"$BUILDDIR/examples/tau-summary" "$merged.trc" "$merged.edf" >"$scratch/out" && has out 'Clock period 1e-06' ' records of '
result $? 'the example in C reads a trace'
if [ -x "$BUILDDIR/examples/tau-profile" ]; then
    "$BUILDDIR/examples/tau-profile" "$merged.trc" "$merged.edf" >"$scratch/out" && has out ' calls  "'
    result $? 'the example in C++ reads a trace'
else
    skip 'the example in C++ reads a trace' 'no C++ compiler'
fi
"$BUILDDIR/tests/formats/tau-seed" "$merged.trc" "$merged.edf" >"$scratch/out" && has out 'Clock period 1e-06'
result $? "a program to the letter of TAU's documentation reads a trace"

library=$BUILDDIR/.libs/libtracetool-tau.so
if [ -e "$library" ] && command -v nm >/dev/null; then
    nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' | grep -v '^_' | sort >"$scratch/symbols"
    sed -n 's/^  \([A-Za-z_]*\);$/\1/p' "$SRCDIR/formats/tau/tracetool-tau.map" | sort | same - symbols
    result $? 'the shared library has the public names, and no other'
    grep -oE '\bC?Ttf_?[A-Za-z]+ \(' "$SRCDIR/formats/tau/TAU_tf.h" "$SRCDIR/formats/tau/TAU_tf_writer.h" | sed 's/.*://; s/ (//' | sort -u >"$scratch/declared"
    comm -13 "$scratch/declared" "$scratch/symbols" >"$scratch/diff"
    filled symbols declared && [ ! -s "$scratch/diff" ]
    result $? 'the headers declare every public name'
    sed 's/^/# /' "$scratch/diff"
else
    skip 'the shared library has the public names, and no other' 'no shared library or no nm'
fi
# understands COMPILER LANGUAGE STANDARD... : it takes the headers, each alone and both in any order, without a warning, and
# TAU's types are those that its programs print and compute with.
understands() {
    compiler=$1 language=$2
    shift 2
    for standard in "$@"; do
        for headers in TAU_tf.h TAU_tf_writer.h 'TAU_tf_writer.h TAU_tf.h' 'TAU_tf.h TAU_tf_writer.h'; do
            for header in $headers; do echo "#include <$header>"; done >headers.c
            cat >>headers.c <<'END'
#include <stdio.h>
static int write_one (Ttf_FileHandleT file, x_uint64 time, x_int64 value)
{
  x_uint32 node = 1;
  x_uint16 thread = 2;
  printf ("%lld %llu\n", value, time);
  return Ttf_EnterState (file, time, node, thread, 3) + (int) sizeof (x_int8) + (int) sizeof (x_uint8) + (int) sizeof (x_int16) + (int) sizeof (x_int32);
}
int main (void) { return write_one (NULL, 1, 2) == 0; }
END
            # shellcheck disable=SC2086
            $compiler -x "$language" "-std=$standard" -Wall -Wextra -Werror -fsyntax-only -I"$SRCDIR/formats/tau" headers.c 2>err ||
                { echo "# $standard: $headers"; sed 's/^/# /' err; return 1; }
        done
    done
}
understands "$CC" c c99 c11 gnu17
result $? 'the headers are C99 and C11, without a warning'
if command -v g++ >/dev/null; then
    understands g++ c++ c++98 c++11 c++17
    result $? 'the headers are C++98 and C++17, without a warning'
else
    skip 'the headers are C++98 and C++17, without a warning' 'no C++ compiler'
fi
finish

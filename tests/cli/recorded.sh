#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Recordings of real programs (data/recorded) against the tables of the frameworks' own profilers.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
recorded=$TRACETOOL_DATA/recorded
oracle=$SRCDIR/tests/oracles/recorded.py

if ! command -v python3 >/dev/null; then
    skip 'recordings' 'python3 is not here'
    finish
    exit
fi

judge() { # KIND TABLE [RESOLUTION_NS] : of $db
    python3 "$oracle" "$1" "$db" "$recorded/$2" ${3:+"$3"} >"$scratch/out" 2>"$scratch/err" && has out '0 differences' &&
        return
    cat "$scratch/out" "$scratch/err"
    return 1
}

# -- PyTorch -------------------------------------------------------------------------------------------
for name in 1.8.1 1.8.1-no-kineto 1.9.1 1.10.2 1.12.1 2.13.0 2.13.0-data; do
    import "$recorded/torch-$name.json.gz" && judge torch "torch-$name.tsv" && ask 'SELECT format FROM source' kineto &&
        ask "SELECT count(DISTINCT step) FROM event" 3
    result $? "PyTorch $name: counts, totals, self times, backward pass and steps are those of its own table"
done
import "$recorded/torch-1.10.2.json.gz" &&
    ask "SELECT count(*) FROM event a JOIN event b ON b.pid = a.pid AND b.tid = a.tid AND b.ts_ns >= a.ts_ns
         AND b.ts_ns + b.dur_ns <= a.ts_ns + a.dur_ns AND b.depth > a.depth
         WHERE a.raw_name = 'aten::as_strided' AND b.raw_name IN ('aten::transpose', 'aten::slice', 'aten::expand')
         AND b.dur_ns > 0" 0 &&
    ask "SELECT count(*) > 100 FROM event WHERE raw_name = 'aten::as_strided'" 1
result $? 'PyTorch 1.10.2, which writes what is called before its caller: no leaf calls'
import "$recorded/torch-1.13.1.json.gz" && judge torch torch-1.13.1.tsv 1000
result $? 'PyTorch 1.13.1: the same, as far as whole microseconds go'
import "$recorded/torch-2.13.0-data.json.gz" &&
    ask "SELECT op_cat, count(*) FROM event WHERE raw_name LIKE 'enumerate(DataLoader)%' AND dur_ns IS NOT NULL" 'I/O,3'
result $? 'PyTorch: the loader of data is I/O'
for version in 1.12.1 2.13.0; do
    for rank in 0 1; do
        import "$recorded/torch-$version.rank$rank.json.gz" && judge torch "torch-$version.rank$rank.tsv"
        result $? "PyTorch $version, rank $rank: its own table"
    done
    import "$recorded/torch-$version.rank0.json.gz" "$recorded/torch-$version.rank1.json.gz" &&
        ask "SELECT count(DISTINCT rank), min(rank), max(rank) FROM process" 2,0,1 &&
        ask "SELECT count(*), min(a.dur_ns - b.dur_ns) > 15000000 FROM collective x JOIN event a ON a.id = x.event
             JOIN collective y ON y.function = x.function AND y.ordinal = x.ordinal AND y.comm = x.comm
             JOIN event b ON b.id = y.event
             WHERE x.function = 'gloo:all_reduce' AND x.ordinal IN (0, 2, 4)
             AND x.pid LIKE 'rank0.%' AND y.pid LIKE 'rank1.%'" 3,1
    result $? "PyTorch $version: rank 0 waits for the late rank in each all-reduce of gradients"
done

# Rank 2 of 4 is late in its forward pass: 20 ms in each step.
set -- "$recorded"/torch-2.13.0-forward.rank?.json.gz
import "$@" && python3 "$oracle" ranks "$db" "$recorded"/torch-2.13.0-forward.rank?.tsv >"$scratch/out" &&
    has out '0 differences'
result $? 'PyTorch 2.13.0, four ranks at once: the table of each'
"$TRACETOOL" --db "$db" steps --format csv --unit ns >"$scratch/steps" 2>/dev/null &&
    python3 "$oracle" steps "$scratch/steps" "$@" >"$scratch/out" && has out '0 differences'
result $? 'PyTorch 2.13.0, four ranks: communication of each step is that of gloo and its calls'
ask "SELECT count(*), count(DISTINCT p.rank), min(p.rank), min(e.dur_ns) >= 20000000 FROM event e
     JOIN process p ON p.pid = e.pid WHERE e.raw_name = 'planted sleep'" 3,1,2,1 &&
    ask "SELECT count(DISTINCT ordinal), sum(slowest = 'rank2') FROM (SELECT ordinal, substr(collective.pid, 1, 5) AS slowest,
         max(ts_ns) FROM collective JOIN event ON event.id = event WHERE function = 'gloo:all_reduce' AND ordinal IN (0, 2, 4)
         GROUP BY ordinal)" 3,3
result $? 'PyTorch 2.13.0, four ranks: the late one comes last to the all-reduce of gradients'
import "$recorded"/torch-1.8.1-forward.rank1.json.gz "$recorded"/torch-1.8.1-forward.rank0.json.gz &&
    has err 'rank1.json.gz says no rank, but comes with others: it is rank 1' &&
    ask "SELECT count(*), count(DISTINCT rank), sum(pid LIKE 'rank' || rank || '.%') FROM process" 6,2,6 &&
    ask "SELECT count(DISTINCT e.source) FROM event e JOIN process p ON p.pid = e.pid GROUP BY p.rank" 1 1 &&
    ask "SELECT DISTINCT p.rank, s.path LIKE '%rank' || p.rank || '.json.gz' FROM event e JOIN process p ON p.pid = e.pid
         JOIN source s ON s.id = e.source ORDER BY 1" 0,1 1,1
result $? 'PyTorch 1.8.1, which says no rank: each of two files is the rank of its name'
cp "$recorded/torch-1.8.1-forward.rank0.json.gz" "$scratch/rank1.json.gz" &&
    import "$scratch/rank1.json.gz" "$recorded"/torch-1.8.1-forward.rank1.json.gz &&
    ask 'SELECT count(DISTINCT rank), min(rank), max(rank) FROM process' 2,0,1 &&
    import "$recorded/torch-1.8.1-forward.rank1.json.gz" && ask 'SELECT count(rank), count(*) > 1 FROM process' 0,1
result $? 'PyTorch 1.8.1: a rank that is taken is not given twice, and one file alone has none'

# -- TensorFlow, MXNet, Horovod -----------------------------------------------------------------------------
import "$recorded/tensorflow-1.15.0.json.gz" && judge tensorflow tensorflow-1.15.0.tsv.gz &&
    ask 'SELECT count(DISTINCT step), min(step), max(step) FROM event' 4,0,3
result $? 'TensorFlow 1.15: every node of the step stats, in its run'
for name in 2.4.4 2.4.4-keras 2.13.1 2.13.1-keras; do
    case $name in *keras) steps=2,2,3 ;; *) steps=4,0,3 ;; esac
    # The numbers of 2.4 are printed with 17 digits, so they are finer than a nanosecond.
    case $name in 2.4*) strict= ;; *) strict=--strict ;; esac
    import $strict "$recorded/tensorflow-$name.json.gz" && judge tensorflow2 "tensorflow-$name.tsv" &&
        ask 'SELECT format FROM source' xprof && ask 'SELECT count(DISTINCT step), min(step), max(step) FROM event' "$steps"
    result $? "TensorFlow $name: operators, steps and their times are those of xprof's tables"
    ask "SELECT count(*) > 10, sum(n <> ${steps%%,*}) FROM (SELECT count(DISTINCT step) AS n FROM event
         WHERE op_cat IN ('BW', 'UPDATE_') AND native_group <> 'Host' GROUP BY name)" 1,0 &&
        ask "SELECT count(*) > 30, sum(op_cat <> 'I/O') FROM event WHERE raw_name LIKE 'Iterator%'" 1,0
    result $? "TensorFlow $name: each backward operator and update is in each step, the input pipeline is I/O"
done
ask "SELECT count(*) > 40, count(DISTINCT f.id), sum(b.step <> f.step), sum(b.tid = f.tid), sum(b.ts_ns < f.ts_ns) FROM flow
     JOIN event f ON f.id = from_event JOIN event b ON b.id = to_event WHERE flow.kind = 'flow' AND f.raw_name = 'FunctionRun'
     AND b.raw_name LIKE 'Executor%' AND f.step IS NOT NULL" 1,2,0,0,0
result $? 'TensorFlow 2.13.1: what the executor does on its threads comes from the run of the function, and is in its step'
import "$recorded/mxnet-1.9.1/dump.json.gz" && judge mxnet mxnet-1.9.1/dump.tsv &&
    ask "SELECT count(*) FROM event o JOIN event t ON t.raw_name = 'step ' || o.step
         WHERE o.op_cat IN ('BW', 'UPDATE_') AND o.ts_ns >= t.ts_ns AND o.ts_ns + o.dur_ns <= t.ts_ns + t.dur_ns" \
        "$("$TRACETOOL" --db "$db" query --format csv "SELECT count(*) FROM event WHERE op_cat IN ('BW', 'UPDATE_')" | tail -1)"
result $? 'MXNet 1.9.1: counts and times of its own table, and steps as its tasks'
ask "SELECT group_concat(op_cat || ' ' || n, ', ') FROM (SELECT op_cat, count(*) AS n FROM event WHERE op_cat IN ('FW', 'BW', 'UPDATE_') GROUP BY 1 ORDER BY 1)" \
    '"BW 16, FW 24, UPDATE_ 16"'
result $? 'MXNet: a graph none of whose nodes the dump names is not used'
import "$recorded/horovod-0.28.1.json.gz" && judge horovod horovod-0.28.1.tsv && ask 'SELECT format FROM source' horovod
result $? 'Horovod 0.28.1: each reduction lies in the call that waited for it, the late rank in the negotiation'
finish

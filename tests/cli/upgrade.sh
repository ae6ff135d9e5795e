#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases of every version of the schema, kept in data/databases/ as the programs of their time made them: read as they
# are, upgraded by commands that write, and then equal to what today's program makes of the same traces.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
today=$(sed -n 's/^#define TT_SCHEMA_VERSION //p' "$SRCDIR/src/store/schema.h")

unpack() { # VERSION FILE
    rm -f "$2"
    gzip -dc "$TRACETOOL_DATA/databases/version-$1.db.gz" >"$2"
}

# answers DATABASE FILE : what every kind of command says of every run; a part that fails is seen by its absence.
answers() {
    for question in 'stats --format csv --top 0' 'stats --by op_long_name --format csv --top 0' 'comm --format csv --show pairs' 'steps --format csv' \
        'info --names --format csv' 'params --format csv'; do
        echo "# $question"
        # shellcheck disable=SC2086
        "$TRACETOOL" --db "$1" --run all $question 2>/dev/null
    done >"$2"
    for wanted in 1 2; do
        "$TRACETOOL" --db "$1" --run "$wanted" depgraph --format json -o - 2>/dev/null
        "$TRACETOOL" --db "$1" --run "$wanted" critical-path --format csv 2>/dev/null
        "$TRACETOOL" --db "$1" --run "$wanted" export --chrome -o - 2>/dev/null
    done >>"$2"
    [ "$(wc -l <"$2")" -gt 1000 ] || { echo "# $1 gives $(wc -l <"$2") lines of answers"; return 1; }
}

# table DATABASE NAME COLUMNS : as csv. What importers did not keep when these databases were made is left out: the order
# of processes, the scope of instants, the CPU time of spans; and what they told of PyTorch's arrows.
table() {
    case $2 in
        metadata_row) only="WHERE key <> 'process_sort_index'" ;;
        name_row) only="WHERE id IN $used ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10" ;;
        statistic_row) only="ORDER BY 1, 2, 3" ;;
        collective_row) only="ORDER BY event" ;;
        series_row) only="WHERE name <> 'cpu_time' AND id IN (SELECT series FROM main.counter_row UNION SELECT series FROM main.metric_row)
            ORDER BY run, name" ;;
        metric_row) only="WHERE series NOT IN (SELECT id FROM main.series_row WHERE name = 'cpu_time') ORDER BY event, 2" ;;
        counter_row) only='ORDER BY id' ;;
        flow_row) only='ORDER BY from_event, to_event' ;; # in no order that means anything
        activity_row) only="WHERE event NOT IN $of_pi ORDER BY id" ;;
        event_row) only="ORDER BY $event, thread, ts_ns, dur_ns" ;;
        *) only= ;;
    esac
    "$TRACETOOL" --db "$1" query "SELECT $3 FROM main.$2 $only" --format csv
}
# Names that no span has were not kept, either: what is compared is which of the others it is.
used='(SELECT name FROM main.event_row)'
# Names of two groups of ranks that have one name were one: names are compared by their texts.
of_name="(SELECT text || ' ' || coalesce (raw, '') || ' ' || coalesce (native_group, '') FROM main.name_row u WHERE u.id = name)"
args="(SELECT v.args FROM main.event v WHERE v.id = event_row.id AND v.args NOT LIKE '{\"scope\":\"_\"%')"

# An event of every-kind.json was a sample, which no version kept then: another kind stands there now.
sources="id, run, format, path, bytes, CASE path WHEN 'chrome/every-kind.json' THEN '' ELSE hash END, clock, n_events, CASE format WHEN 'kineto' THEN '' ELSE repairs END,
    first_event, last_event, first_counter, last_counter, first_flow, last_flow, first_ns, last_ns"
# What a run had before had a say in the order of its asynchronous spans.
event="CASE WHEN id BETWEEN (SELECT first_event FROM main.source_row WHERE path = 'chrome/every-kind.json') AND
    (SELECT last_event FROM main.source_row WHERE path = 'chrome/every-kind.json') THEN 0 ELSE id END"
# What devices did was not kept of PI.
activities="CASE format WHEN 'pi' THEN '' ELSE last_activity - first_activity END"
of_pi="(SELECT e.id FROM main.source_row s JOIN main.event_row e ON e.id BETWEEN s.first_event AND s.last_event WHERE s.format = 'pi')"
annotations="(SELECT id FROM main.name_row WHERE native_group IN ('Trace', 'user_annotation'))"
joined="(SELECT raw LIKE 'ncclDevKernel_SendRecv%' FROM main.name_row u WHERE u.id = name)"
of_series='(SELECT name FROM main.series_row s WHERE s.id = series)'

# What the program of version $1 could not keep: the columns of $2 to compare, nothing to leave the table out.
columns_to_compare() {
    case $1/$2 in
        [1-4]/source_row) echo "$sources" ;;
        [5-9]/source_row | 1[0-2]/source_row) echo "$sources, $activities, options" ;;
        */source_row) echo "$sources, $activities, options, schema" ;;
        # Version 6 knew no owners.
        [1-6]/process_row) echo 'id, run, pid, label, node, rank' ;;
        # Python functions had no file and line, and of a group of ranks only the name was kept.
        */name_row) echo "DISTINCT run, op_cat, op_name, sub_op, suffix, text, raw, native_group, is_collective & 0x7fffffff,
            CASE WHEN native_group <> 'python_function' OR native_group IS NULL THEN file || ':' || line END" ;;
        */series_row) echo 'run, name, unit, is_monotonic' ;;
        */metric_row) echo "event, $of_series, inclusive, exclusive" ;;
        */flow_row) echo 'from_event, to_event, kind, from_ns, to_ns, link' ;;
        */counter_row) echo "id, $of_series, thread, ts_ns, value" ;;
        # Those that look alike have forms since version 13.
        */args_row | */args_form_row | */args_filled_row) ;;
        # Where in time the events lie is known since version 8.
        [1-7]/event_block_row) ;;
        # Clocks are compared since version 9.
        [1-8]/clock_row | [1-8]/clock_fit_row) ;;
        # How far clocks that agree may still be apart is known since version 10 was new.
        9/clock_fit_row | 10/clock_fit_row) echo "process, run, clock, offset_ns, drift_ns, n_bounds, n_violated, n_left, worst_ns,
            worst_left_ns" ;;
        # What was mended is counted by rank since version 10.
        [1-9]/trust_row) ;;
        # Whose repairs they are is known since version 10 was new.
        10/trust_row) echo "DISTINCT run, source, path, CASE kind WHEN 'file' THEN 0 ELSE process END, kind, seen, mended, skipped,
            bounded, inferred, CASE kind WHEN 'file' THEN max (lost) OVER (PARTITION BY source, path, kind) ELSE lost END" ;;
        [4-9]/activity_row | 1[0-2]/activity_row) echo 'event, role, launch, queue, correlation, waits_for, waits_on' ;;
        [1-3]/activity_row | [1-3]/task_row | [1-3]/task_edge_row | [1-2]/nccl_shape) ;;
        # Version 2 knew no spans that only name a stretch of time: their self time is told.
        [1-6]/flag_row | 2/statistic_row) ;;
        2/event_row) echo "$event, thread, $of_name, ts_ns, dur_ns, step, $args, CASE WHEN name IN $annotations THEN 0 ELSE self_ns END,
            shape >> 12" ;;
        # Nor did version 6 know those of the host.
        [1-6]/statistic_row) echo "run, process, $of_name, count, total_ns, sum_ns, min_ns, max_ns, median_ns, p95_ns, p99_ns,
            CASE WHEN name IN $annotations THEN 0 ELSE self_ns END" ;;
        [1-6]/event_row) echo "$event, thread, $of_name, ts_ns, dur_ns, step, $args, CASE WHEN name IN $annotations THEN 0 ELSE self_ns END,
            CASE WHEN name IN $annotations THEN shape >> 12 ELSE shape END" ;;
        */event_row) echo "$event, thread, $of_name, ts_ns, dur_ns, self_ns, shape, step, $args" ;;
        */statistic_row) echo "run, process, $of_name, count, total_ns, self_ns, sum_ns, sum_sq_high, sum_sq_low, avg_ns, min_ns,
            max_ns, median_ns, p95_ns, p99_ns, stddev_ns" ;;
        # Calls of groups of other ranks that have one name were joined.
        */collective_row) echo "run, CASE WHEN $joined THEN 0 ELSE comm END, $of_name, CASE WHEN $joined THEN 0 ELSE ordinal END,
            process, thread, event, root, flags" ;;
        *) echo '*' ;;
    esac
}

compare_tables() { # VERSION OLD FRESH
    n_compared=0
    for name in $("$TRACETOOL" --db "$3" query "SELECT name FROM sqlite_schema WHERE type = 'table'" --format csv | tail -n +2); do
        columns=$(columns_to_compare "$1" "$name")
        [ -n "$columns" ] || continue
        table "$2" "$name" "$columns" >old.csv && table "$3" "$name" "$columns" >fresh.csv && [ -s fresh.csv ] || return 1
        cmp -s old.csv fresh.csv || { echo "# version $1, $name:"; diff old.csv fresh.csv | head -6 | sed 's/^/# /'; return 1; }
        n_compared=$((n_compared + $(wc -l <fresh.csv) - 1))
    done
    [ "$n_compared" -gt 1500 ] || { echo "# only $n_compared rows compared"; return 1; }
}

for version in $(seq "$today"); do
    sampled || continue
    [ -s "$TRACETOOL_DATA/databases/version-$version.db.gz" ] && unpack "$version" old.db &&
        [ "$("$TRACETOOL" --db old.db query 'PRAGMA user_version' --format csv | tail -n 1)" = "$version" ]
    result $? "data/databases keeps one of version $version"

    cp old.db kept.db
    chmod a-w old.db
    answers old.db old.txt && cmp -s old.db kept.db
    result $? "version $version is read and stays as it is, read-only, too"

    chmod u+w old.db
    run 0 --db old.db --run 1 depgraph --save && has err 'saved 117 nodes'
    status=$?
    [ "$version" = "$today" ] || { has err "upgraded 'old.db' from schema version $version to $today" || status=1; }
    [ "$("$TRACETOOL" --db old.db query 'PRAGMA user_version' --format csv | tail -n 1)" = "$today" ] || status=1
    result $status "a command that writes upgrades version $version"
    answers old.db new.txt && cmp old.txt new.txt
    result $? "version $version answers the same before and after"

    rm -f fresh.db
    sh "$SRCDIR/data/generators/databases.sh" "$TRACETOOL" "$version" "$scratch/fresh.db"
    for database in old fresh; do
        "$TRACETOOL" --db $database.db query "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2" --format csv >$database.schema
    done
    [ "$(wc -l <fresh.schema)" -gt 40 ] && cmp old.schema fresh.schema
    result $? "the schema of version $version is then today's"
    compare_tables "$version" old.db fresh.db
    result $? "the tables of version $version are then those of a fresh import"
done

# -- what is not known ----------------------------------------------------------------------------
unpack 3 old.db
run 0 --db old.db --run all info && has out "schema     version 3, read as it is; the next command that writes makes it $today" \
    'an older tracetool (schema version 3) imported 15 sources' 'not known of 1 source: the task graph' \
    'not known of 3 sources: work on devices'
result $? 'info says what an older tracetool did not keep'
run 0 --db old.db --run 1 info && has out 'an older tracetool (schema version 3)' && ! grep -q 'not known' out
result $? 'and only of runs where it matters'
run 1 --db old.db --run 7 depgraph --level task && has err 'no task graph in this run' 'older tracetool' "'import --again'"
result $? 'the level of tasks says that importing again gets it'
run 0 --db old.db --run 5 critical-path && has err 'work on devices (activity) is not known; '\''import --again'\'' of the traces gets it'
result $? 'so does the critical path'
run 0 --db old.db import -q --again "$TRACETOOL_DATA/pi-run" && has err "upgraded 'old.db' from schema version 3 to $today" &&
    run 0 --db old.db depgraph --level task --format json -o - && has out saxpy &&
    run 0 --db old.db info && ! grep -q 'an older tracetool (' out
result $? 'an import upgrades, and what it reads is complete'
run 0 --db old.db --run 7 info && has out 'not known of 1 source: the task graph'
result $? 'what was there before stays marked'

# -- what goes wrong ------------------------------------------------------------------------------
unpack 2 old.db
cp old.db kept.db
run 1 --db old.db import -q "$TRACETOOL_DATA/fail/noise" && [ -s err ] && run 0 --db old.db stats --run 1 && filled out &&
    [ "$("$TRACETOOL" --db old.db query 'PRAGMA user_version' --format csv | tail -n 1)" = 2 ]
result $? 'an import that fails does not upgrade'
answers kept.db kept.txt
for how in 'ends the program' 'is an error'; do
    # The log of an upgrade may not grow: as a full disk does, or a kill in the middle.
    unpack 2 old.db
    [ "$how" = 'ends the program' ] && ignored='' || ignored="trap '' XFSZ;"
    (eval "$ignored"; ulimit -f 128; exec "$TRACETOOL" --db old.db --run 1 depgraph --save >/dev/null 2>err)
    status=$?
    [ "$status" -ne 0 ] && { [ "$how" = 'ends the program' ] || has err "cannot write 'old.db'"; } && answers old.db new.txt && cmp kept.txt new.txt &&
        [ "$("$TRACETOOL" --db old.db query 'PRAGMA user_version' --format csv | tail -n 1)" = 2 ]
    result $? "a disk that is full in the middle ($how) leaves the old database"
    run 0 --db old.db --run 1 depgraph --save && has err 'upgraded' && answers old.db new.txt && cmp kept.txt new.txt
    result $? 'which is upgraded when there is room'
done

# A column that another program added, with a name that SQL does not take bare.
if command -v python3 >/dev/null; then
    unpack 4 old.db
    python3 -c 'import sqlite3
db = sqlite3.connect("old.db")
db.execute("""ALTER TABLE source_row ADD COLUMN "group "", by" TEXT""")
db.commit()'
    run 0 --db old.db info && has out 'version 4, read as it is' && run 0 --db old.db --run 1 depgraph --save && has err 'upgraded' &&
        run 0 --db old.db info && refute has out 'read as it is'
    result $? 'a column of another program does no harm'
else
    skip 'a column of another program does no harm' 'python3 is not here'
fi

unpack 5 new.db
printf '\143' | dd of=new.db bs=1 seek=63 conv=notrunc 2>/dev/null
for command in stats info 'import -q x.trc' 'depgraph --save'; do
    cp "$TRACETOOL_DATA/tau-merged/run.trc" x.trc
    cp "$TRACETOOL_DATA/tau-merged/run.edf" x.edf
    # shellcheck disable=SC2086
    run 1 --db new.db $command && has err "'new.db' has schema version 99, this tracetool knows up to $today; use a newer tracetool"
    result $? "a newer version is refused: $command"
done
finish

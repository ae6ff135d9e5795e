#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases that are not as we wrote them: each answer is what it was before, or an error that says so.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA

# -- bytes of the file ---------------------------------------------------------------------------------
run 0 --db whole.db import -q "$data/tau-mpi4" "$data/kineto/rank0.json" && filled whole.db
result $? 'a database'
pages=$(($(wc -c <whole.db) / 16384))
again && each=2 || each=1
for command in 'stats --by pid,name --top 0' 'info' 'export --chrome -o -' 'comm' "query 'SELECT sum (dur_ns) FROM event'"; do
    n_wrong=0
    eval "\"\$TRACETOOL\" --db whole.db $command" >whole.out && [ -s whole.out ] || n_wrong=1
    page=0 n_same=0 n_told=0 n_pages=0
    while [ "$page" -lt "$pages" ]; do
        cp whole.db broken.db
        printf '\125\252' | dd of=broken.db bs=1 seek=$((page * 16384 + (page * 7919 + 200) % 16384)) conv=notrunc 2>/dev/null
        if eval "\"\$TRACETOOL\" --db broken.db $command" >broken.out 2>broken.err; then
            sed 's/broken\.db/whole.db/' broken.out | cmp -s - whole.out && n_same=$((n_same + 1)) || n_wrong=$((n_wrong + 1))
        else
            has broken.err "page $((page + 1)) is not as tracetool wrote it" && n_told=$((n_told + 1)) || n_wrong=$((n_wrong + 1))
        fi
        page=$((page + each)) n_pages=$((n_pages + 1))
    done
    [ "$n_wrong" -eq 0 ] && [ "$n_told" -gt 2 ] && [ $((n_same + n_told)) -eq "$n_pages" ]
    result $? "$command: a damaged page is told, or not read ($n_told told, $n_same the same, $n_wrong wrong)"
done

# -- other programs ------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    cp whole.db changed.db
    python3 -c 'import sqlite3
db = sqlite3.connect("changed.db")
db.execute("DELETE FROM thread_row WHERE id = 2")
db.commit()'
    for command in stats info 'export -o x.json' 'depgraph -o x.dot' "import -q $data/tau-merged"; do
        # shellcheck disable=SC2086
        refuses 1 "is not as tracetool wrote it: the file is damaged, or another program has changed it; import the traces again" \
            --db changed.db $command && [ ! -e x.json ] && [ ! -e x.dot ]
        result $? "a change of another program is told: $command"
    done
    cp whole.db sealed.db
    change_database sealed.db 'CREATE INDEX mine ON event_row (ts_ns)' && run 0 --db sealed.db stats && filled out && cp out sealed.out &&
        run 0 --db whole.db stats && cmp -s out sealed.out
    result $? 'one that keeps the checksums right is welcome'

    # Tables that are none: what stands for them could answer anything, and never end.
    endless='WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n AS id FROM x'
    is_not_ours() { # MESSAGE SQL...
        told=$1
        shift
        cp whole.db foreign.db && change_database foreign.db "$@" && cp foreign.db before.db &&
            refuses 1 "$told" --db foreign.db stats && refuses 1 "$told" --db foreign.db query 'SELECT 1' &&
            refuses 1 "$told" --db foreign.db import -q "$data/tau-merged" && cmp -s foreign.db before.db
        result $? "the schema is not ours: $*"
    }
    is_not_ours "its view 'thread' is not what tracetool makes" 'ALTER TABLE thread_row RENAME TO other' \
        "CREATE VIEW thread_row AS $endless"
    is_not_ours "its view 'run' is not what tracetool makes" 'DROP VIEW run' "CREATE VIEW run AS $endless"
    is_not_ours "of the 53 tables and views that tracetool makes" 'DROP TABLE edge'
    is_not_ours "its table 'edge' is not what tracetool makes" 'DROP TABLE edge' 'CREATE TABLE edge (src, dst)'
    is_not_ours "has a trigger, 'mine', which tracetool did not make" \
        'CREATE TRIGGER mine AFTER INSERT ON run_row BEGIN DELETE FROM event_row; END'
    gzip -dc "$data/databases/version-4.db.gz" >old.db &&
        change_database old.db 'ALTER TABLE thread_row RENAME TO other' "CREATE VIEW thread_row AS $endless" &&
        refuses 1 "its view 'thread_row' is not what tracetool makes" --db old.db stats
    result $? 'the schema is not ours: of an older version'

    # More names than are read at once, and one of the last has a number of the first.
    seq 2000 | sed 's/.*/{"ph":"X","name":"f&","pid":1,"tid":1,"ts":&,"dur":1},/; 1s/^/[/; $s/,$/]/' >names.json
    status=0
    run 0 --db names.db import -q names.json && change_database names.db '.renumber name_row 1500 200' || status=1
    for command in stats 'stats --by tid,name' 'info --names' 'info --check' depgraph 'export -o x.json'; do
        # shellcheck disable=SC2086
        refuses 1 "'names.db' is damaged: name 1500 is not there" --db names.db $command || status=1
    done
    result $status 'names out of their order'

    # A sanitizer maps more than anybody has.
    limit='ulimit -v 4000000'
    ! grep -q fsanitize "$BUILDDIR/config.status" || limit=:
    # Rows that refer to nothing, ids that are none, times that run backwards: the checksums are right.
    run 0 --db rows.db import -q "$data/tau-mpi4" "$data/kineto/rank0.json" "$data/succeed/metrics" "$data/pi-run" && filled rows.db
    result $? 'a database with rows of every kind'
    n_changes=0 n_tries=0
    while IFS='|' read -r sql must_tell; do
        # Of random inputs, and of these, one is enough where others are not asked for.
        n_changes=$((n_changes + 1))
        [ "$n_changes" -le "${TEST_SEEDS:-1000}" ] || continue
        cp rows.db broken.db && change_database broken.db "$sql"
        status=$?
        for command in stats 'stats --by tid,name' 'stats --format name2sta' info comm steps 'depgraph -o x.dot' \
            critical-path 'critical-path --model' simulate 'export -o x.json' 'export --tau x' 'export --folded -o x.txt' \
            'export --max-size 20k -o x.json' 'export --profile y' 'info --names' tree 'tree --time-window 0:1ms' breakdown imbalance waits 'waits --by path,step,cause' 'waits --show causes' 'critical-path --imbalance' 'export --waits -o x.json' \
            'kernels --format json' 'compare broken.db broken.db'; do
            # Where another build has tried all, a tenth, others for each change, and those that must tell.
            n_tries=$((n_tries + 1))
            case "${TEST_AGAIN:-0} $must_tell" in 1*"${command%% *} "*) ;; 1*) [ $((n_tries % 10)) -eq 0 ] || continue ;; esac
            # shellcheck disable=SC2086
            ($limit; exec timeout 20 "$TRACETOOL" --db broken.db $command >out 2>err)
            ended=$?
            wrote=
            for made in x x.* y; do [ ! -e "$made" ] || wrote=yes; done
            [ -z "$wrote" ] || rm -rf x x.* y
            [ "$ended" -eq 1 ] && grep -q 'tracetool: ' err || { [ "$ended" -eq 0 ] && { [ -s out ] || grep -q 'tracetool: ' err; } || [ -n "$wrote" ]; } ||
                { status=1; echo "# $command: status $ended"; sed 's/^/# /' err; }
            case " $must_tell /$command/" in
                *" stats "*/stats/ | *" info "*/info/ | *" comm "*/comm/ | *" depgraph "*"/depgraph -o x.dot/" | *" export "*"/export -o x.json/") [ "$ended" -eq 1 ] && has err 'damaged' || { status=1; echo "# $command: status $ended, not told"; } ;;
            esac
        done
        # All but what nothing else in the file depends on.
        case $sql in
        *' step = '* | *' label = '*) wanted=0 ;;
        *) wanted=1 ;;
        esac
        run "$wanted" --db broken.db info --check && { [ "$wanted" -eq 0 ] || has err "'broken.db' is damaged: "; } || status=1
        result $status "$sql"
    done <<'END'
DELETE FROM thread_row|export depgraph 
DELETE FROM process_row|export depgraph 
DELETE FROM name_row WHERE id = 3|stats export 
UPDATE name_row SET id = -1 WHERE id = 1|stats export 
UPDATE name_row SET id = 2147483647 WHERE id = (SELECT max(id) FROM name_row)|stats export info 
UPDATE thread_row SET id = 2147483647 WHERE id = 2|export depgraph 
UPDATE process_row SET id = 4294967297 WHERE id = 1|export info stats 
UPDATE series_row SET id = 4000000000 WHERE id = 2|export 
UPDATE counter_row SET series = 4000000000|export 
UPDATE counter_row SET thread = -5|export 
UPDATE event_block_row SET last = last + 1 WHERE id = 1|
UPDATE event_block_row SET last = last - 1 WHERE id = 1|
UPDATE event_block_row SET last = -1|
UPDATE event_block_row SET id = 99999999 WHERE id = 1|
UPDATE event_block_row SET first_ns = first_ns + 1000 WHERE id = 1|
UPDATE event_block_row SET last_ns = first_ns - 1|
UPDATE event_block_row SET first_ns = NULL|
UPDATE event_block_row SET last_ns = 9223372036854775807|
UPDATE event_row SET thread = 4294967295 WHERE id = 7|export depgraph 
UPDATE event_row SET name = 0 WHERE id = 7|export depgraph 
UPDATE event_row SET dur_ns = -9223372036854775808 WHERE id = 7|export depgraph 
UPDATE event_row SET dur_ns = 9223372036854775807 WHERE id = 7|export depgraph 
UPDATE event_row SET self_ns = 9223372036854775807 WHERE id = 7|export depgraph 
UPDATE event_row SET ts_ns = 9223372036854775000, dur_ns = NULL, self_ns = 0 WHERE id = 7|export depgraph 
UPDATE event_row SET ts_ns = -9223372036854775807 WHERE id = 7|export depgraph 
UPDATE message_row SET send_ns = -5000000000000000000|comm export 
UPDATE message_row SET recv_ns = 4611686018427387904|comm export 
UPDATE flow_row SET from_ns = 9223372036854775807|export 
UPDATE counter_row SET ts_ns = 9223372036854775807|export 
UPDATE source_row SET first_ns = -9000000000000000000, last_ns = 9000000000000000000|info 
UPDATE event_row SET shape = 9223372036854775807 WHERE id = 7|
UPDATE event_row SET shape = -1|
DELETE FROM event_row WHERE id = 9|export depgraph 
UPDATE message_row SET src_thread = 77777777|comm export 
UPDATE message_row SET src_process = 0|comm export 
UPDATE message_row SET recv_event = 1000000000000000|export 
UPDATE collective_row SET thread = 888, event = 99999999|comm 
UPDATE source_row SET last_event = 1000000000000000|stats info export 
UPDATE source_row SET first_event = 1|info stats 
UPDATE source_row SET n_events = 9223372036854775807|info stats 
UPDATE source_row SET last_counter = 9223372036854775807|
UPDATE run_row SET last_message = 9223372036854775807, last_name = 9223372036854775807|
UPDATE run_row SET first_message = -9223372036854775808, first_name = -9223372036854775808|
UPDATE run_row SET id = 9223372036854775807|
UPDATE statistic_row SET name = 99999999|stats 
UPDATE statistic_row SET process = 99999999|
UPDATE flow_row SET to_event = 99999999|export 
UPDATE activity_row SET queue = 99999999, launch = -1|
UPDATE metric_row SET event = 123456789012|
UPDATE metadata_row SET process = process + 1000|
UPDATE event_row SET step = 2147483647|
UPDATE process_row SET pid = NULL WHERE id = 2|stats export 
UPDATE thread_row SET tid = NULL WHERE id = 2|stats export 
UPDATE series_row SET name = NULL WHERE id = 1|export 
UPDATE name_row SET text = NULL, op_cat = NULL|stats export depgraph 
UPDATE name_row SET raw = NULL WHERE id = 1|stats export 
UPDATE source_row SET clock = NULL, path = NULL|stats info 
UPDATE source_row SET hash = NULL|info 
UPDATE process_row SET label = NULL, node = NULL|
.renumber name_row 20 3|stats export 
.renumber thread_row 3 1|export depgraph 
.renumber process_row 2 1|export 
.renumber event_row 9 3|export depgraph 
.renumber source_row 2 1|
END
else
    skip 'changes of other programs' 'python3 is not here'
fi
finish

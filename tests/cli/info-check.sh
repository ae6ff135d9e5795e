#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# info --check: what is whole is called so, and what is not is found, also where no command reads it.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA

# -- what is whole -------------------------------------------------------------------------------------
run 0 --db whole.db import -q "$data/tau-mpi4" "$data/kineto/rank0.json" "$data/succeed/metrics" "$data/pi-run" &&
    run 0 --db whole.db info --check && has out 'whole.db is whole: 8 checks of ' 'references' 'statistics'
result $? 'a run of several formats is whole'
run 0 --db whole.db import -q "$data/neutrino-cap" "$data/job-2x1" && run 0 --db whole.db import -q --add "$data/chrome/every-kind.json" &&
    run 0 --db whole.db info --check && has out 'is whole' && run 0 --db whole.db remove --run 1 && run 0 --db whole.db info --check &&
    has out 'is whole' && run 0 --db whole.db import -q --add --replace "$data/chrome/every-kind.json" && run 0 --db whole.db info --check
result $? 'and after another run, additions, a removal and a replacement'
# Arguments are kept before it is known whether their event is: what others tell already, and what a configuration leaves out.
for path in chrome/every-kind.json collectives ctf-devices ctf-hosts framework/mxnet framework/tensorflow framework/horovod framework/xprof job-2x1 kineto neutrino-new nsys otf2/every-kind pi-run \
    rocprof tau-mpi4; do
    sampled || continue
    rm -f each.db && run 0 --db each.db import -q "$data/$path" && run 0 --db each.db info --check && has out 'is whole' &&
        rm -f each.db && run 0 --db each.db import -q --config "$data/pinsight/example.conf" "$data/$path" && run 0 --db each.db info --check &&
        has out 'is whole' && run 0 --db each.db query --format csv 'SELECT count(*) FROM
            (SELECT id FROM main.args_row UNION ALL SELECT id FROM main.args_filled_row) WHERE id NOT IN
            (SELECT args FROM main.event_row WHERE args IS NOT NULL)' && [ "$(tail -n 1 out)" = 0 ]
    result $? "$path, and what of it a configuration keeps"
done
for old in "$data"/databases/version-*.db.gz; do
    name=$(basename "$old" .db.gz)
    gzip -dc "$old" >old.db && run 0 --db old.db info --check && has out 'old.db is whole'
    result $? "a database of $name"
done
gzip -dc "$data/databases/version-5.db.gz" >old.db && run 0 --db old.db info --check && matches out 'checksums of pages  *0  *0  none here'
result $? 'what has no checksums is not said to be verified'
run 0 --db empty.db import -q "$data/kineto/rank0.json" && run 0 --db empty.db remove --run all && run 0 --db empty.db info --check &&
    has out 'is whole'
result $? 'a database without runs'

# -- output --------------------------------------------------------------------------------------------
run 0 --db whole.db info --check --format csv && matches out '^check,looked_at,wrong,first$' && matches out '^statistics,[1-9][0-9]*,0,$'
result $? 'for programs'
run 2 --db whole.db info --check --names && run 2 info --check "$data/chrome/every-kind.json"
result $? 'what it does not go with'

# -- what is not ---------------------------------------------------------------------------------------
if ! command -v python3 >/dev/null; then
    skip 'changes of other programs' 'python3 is not here'
    finish
    exit
fi
rm -f whole.db
run 0 --db whole.db import -q "$data/tau-mpi4" "$data/kineto/rank0.json" "$data/succeed/metrics" "$data/pi-run" &&
    filled whole.db
result $? 'a database to be damaged'

# Two pages that the file does not use, of a run that is gone: only looking at all of them finds those.
cp whole.db free.db && run 0 --db free.db import -q "$data/kineto/rank1.json" && run 0 --db free.db remove --run 1 &&
    run 0 --db free.db info --check
pages=$(($(wc -c <free.db) / 16384))
printf 'XX' | dd of=free.db bs=1 seek=$(((pages / 2) * 16384 + 5000)) conv=notrunc 2>/dev/null
printf 'XX' | dd of=free.db bs=1 seek=$(((pages / 2 + 2) * 16384 + 5000)) conv=notrunc 2>/dev/null
run 1 --db free.db info --check && has out 'damaged: ' && has err "page $((pages / 2 + 1)) is not as tracetool wrote it"
result $? 'pages that are not as they were written'
run 1 --db free.db info --check --format csv && matches out "^checksums of pages,$pages,2,"
result $? 'all of them are counted'

# TEXT|CHECK|SQL
while IFS='|' read -r text check sql; do
    cp whole.db broken.db && change_database broken.db "$sql" && run 1 --db broken.db info --check --format csv &&
        has err "'broken.db' is damaged: " && has out "$text" && matches out "^$check,[0-9]*,[1-9]"
    result $? "$sql"
done <<'END'
metadata_row, process 100001: its process is not in process_row|references|UPDATE metadata_row SET process = process + 100000
its waits_on is not in thread_row|references|UPDATE activity_row SET waits_on = 77777 WHERE id = (SELECT min (id) FROM activity_row)
its args is not in args_row|references|DELETE FROM args_row
its args is not in args_row|references|DELETE FROM args_filled_row
its form is not in args_form_row|references|DELETE FROM args_form_row WHERE id = 1
Rowid 8 out of order|structure of the file|.renumber event_row 9 3
its shape & 4095 is not in flag_row|references|UPDATE flag_row SET id = 4000 WHERE id = 0
its role & 127 is not in role_row|references|UPDATE activity_row SET role = 100 WHERE id = (SELECT min (id) FROM activity_row)
its flags is not in message_flag_row|references|UPDATE message_row SET flags = 9 WHERE id = 2
flag_row, id 1: its text is 'failed', not 'unclosed'|words|INSERT OR REPLACE INTO flag_row VALUES (1, 'failed')
role_row, id 2: its text is |words|UPDATE role_row SET text = 'ours' WHERE id = 2
message_flag_row, id 4: its text is '', not 'unmatched'|words|UPDATE message_flag_row SET text = NULL WHERE id = 4
its source is not in source_row|references|UPDATE metadata_row SET source = 99
of counter_row|rows of sources and runs|DELETE FROM counter_row WHERE id = (SELECT max (id) FROM counter_row)
it does not belong to one source or run|rows of sources and runs|INSERT INTO flow_row (id, from_event, to_event) VALUES (100000, 1, 2)
it does not belong to one source or run|rows of sources and runs|UPDATE source_row SET first_metric = (SELECT min (first_metric) FROM source_row), last_metric = (SELECT max (last_metric) FROM source_row) WHERE id <= 2
events with arguments, there are|counts and times|UPDATE source_row SET n_args = n_args + 1 WHERE n_args > 0
events outside of its times, there are|counts and times|UPDATE source_row SET last_ns = first_ns
matched messages, there are|counts and times|UPDATE run_row SET n_matched = n_matched - 1
bytes of messages, there are|counts and times|UPDATE run_row SET message_bytes = 0
lasts 5 ns, 7 of its own|events|UPDATE event_row SET dur_ns = 5, self_ns = 7 WHERE id = 3
statistics of its|statistics|UPDATE event_row SET dur_ns = dur_ns + 1 WHERE id = (SELECT max (id) FROM event_row WHERE dur_ns > 10)
statistics of its|statistics|UPDATE statistic_row SET median_ns = median_ns + 1 WHERE id = 5
statistics of its|statistics|UPDATE statistic_row SET sum_sq_low = sum_sq_low + 1 WHERE id = 5
no statistics of its|statistics|UPDATE run_row SET last_long_name = last_long_name - 1
spans, there are|statistics|UPDATE statistic_row SET count = count + 1 WHERE id = 5
END
finish

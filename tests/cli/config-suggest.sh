#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# config suggest: a configuration of PInsight that would have kept a trace small, and its imbalance as it is.
. "$SRCDIR/tests/cli/lib.sh"
full=$TRACETOOL_DATA/pinsight/recorded/full
oracle() { python3 "$SRCDIR/tests/oracles/config-suggest.py" "$TRACETOOL" "$scratch" "$@"; }

run 0 --db full.db import -q "$full" && run 0 --db full.db config suggest --max-size 1M && [ ! -s err ] &&
    has out '61,616 bytes of 61,616; 239 of 239 spans' 'Imbalance of lexgions: no change' 'Given up: nothing' 'omp_masked: 172.0 bytes, 5 of 5 spans' &&
    [ "$(grep -vc '^#' out)" -eq 0 ]
result $? 'a trace that is small enough needs no section'
filled out && [ "$(find "$full" -type f -exec cat {} + | wc -c)" -eq 61616 ]
result $? 'its size is that of all its files'
run 0 --db full.db config suggest --max-size 50k && has out 'omp_sync_region_wait = off' '[Lexgion(0x40129b): OpenMP.default]' 'Largest change of imbalance' &&
    cp out seed.conf && run 0 --db full.db config suggest --max-size 50k --pinsight head -o head.conf && [ ! -s out ] &&
    matches head.conf -xF '[Lexgion(0x40129b)]: OpenMP.default' && run 0 config check --strict --pinsight head head.conf && run 0 config check --strict seed.conf
result $? 'sections have the form of the reader'
run 0 --db full.db config suggest --max-size 50k && cp out again && run 0 --db full.db config suggest --max-size 50k && same out again
result $? 'the same each time'
refuses 1 'the smallest that does is 45,232 bytes' --db full.db config suggest --max-size 30k
result $? 'a size that cannot be'
run 0 --db full.db config suggest --max-size 50k --within 1 && cp out strict && has strict 'no change' 'omp_masked = off'
result $? '--within'
refuses 2 "'--max-size 50M'" config suggest "$full" && refuses 2 'is no size' config suggest --max-size 3x "$full" &&
    refuses 2 'no percentage' config suggest --max-size 1M --within -3 "$full" && refuses 2 'seed, 2026-02 or head' config suggest --max-size 1M --pinsight x "$full" &&
    refuses 2 'no percentage' config suggest --max-size 1M --ignore-below nan "$full"
result $? 'what is no question'
run 0 --db tau.db import -q "$TRACETOOL_DATA/tau-mpi4" && refuses 1 'is no CTF trace but tau' --db tau.db config suggest --max-size 1k
result $? 'a trace of another format'
cp -r "$full" gone && run 0 --db gone.db import -q gone && echo >>gone/ust/uid/0/64-bit/c_0 &&
    refuses 1 'has changed since' --db gone.db config suggest --max-size 50k && rm -rf gone && refuses 1 'is not there' --db gone.db config suggest --max-size 50k
result $? 'a trace that is not there any more'

oracle recorded "$full" 50k && oracle recorded "$full" 58k --pinsight 2026-02 && oracle recorded "$full" 40k --pinsight head
result $? 'what was recorded'
# What the library recorded with the suggestion. Of another suggestion it says nothing: then record it again.
suggested=$TRACETOOL_DATA/pinsight/suggested
table() { "$TRACETOOL" --db "$1" query --format csv "SELECT json_extract(args, '\$.codeptr'), name, count(*) FROM event GROUP BY 1, 2 ORDER BY 1, 2"; }
run 0 --db whole.db import -q "$suggested/full" && run 0 --db small.db import -q "$suggested/small" &&
    run 0 --db whole.db config suggest --pinsight head --ignore-below 5 --max-size 70k -o again.conf &&
    [ "$(grep -v '^#' again.conf | tr -s ' \n' ' ')" = ' [Lexgion(0x401204)]: OpenMP.default trace_starts_at = 0 max_num_traces = -1 tracing_rate = 3 ' ] &&
    run 0 --db foretold.db import -q --config again.conf --pinsight head "$suggested/full" &&
    table foretold.db >foretold && table small.db >recorded && filled recorded && same foretold recorded &&
    matches again.conf -F '53,496 bytes of 78,144; 264 of 544' && [ "$(find "$suggested/small" -type f -exec cat {} + | wc -c)" -eq 53424 ]
result $? 'PInsight recorded the spans of each lexgion that were predicted, in as many bytes but for one packet in an index'
if [ -d "$SHARED_DATA/pinsight/omp_full" ]; then
    oracle recorded "$SHARED_DATA/pinsight/omp_full" 90k && oracle recorded "$SHARED_DATA/pinsight/omp_full" 57k --ignore-below 1 --pinsight head &&
        oracle recorded "$SHARED_DATA/pinsight/omp_rate" 40k && oracle recorded "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" 60k &&
        oracle recorded "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" 20k --pinsight head
    result $? 'more of it'
else
    skip 'more of it' 'no captures here'
fi
ok=0
for seed in $(seeds 8); do
    for percent in 80 40 15; do oracle made "$seed" $percent || ok=1; done
done
result $ok 'programs whose smaller traces are written have the size that was predicted'
finish

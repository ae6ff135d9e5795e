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
[ "$(find "$full" -type f -exec cat {} + | wc -c)" -eq 61616 ]
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
if [ -d "$SHARED_DATA/pinsight/omp_full" ]; then
    oracle recorded "$SHARED_DATA/pinsight/omp_full" 90k && oracle recorded "$SHARED_DATA/pinsight/omp_full" 57k --ignore-below 1 --pinsight head &&
        oracle recorded "$SHARED_DATA/pinsight/omp_rate" 40k && oracle recorded "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" 60k &&
        oracle recorded "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" 20k --pinsight head
    result $? 'more of it'
else
    skip 'more of it' 'no captures here'
fi
ok=0
for seed in $(seeds 12); do
    for percent in 80 40 15; do oracle made "$seed" $percent || ok=1; done
done
result $ok 'programs whose smaller traces are written have the size that was predicted'
finish

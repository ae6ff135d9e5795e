#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi simulate: ranks try the changes of a sweep, an n-th each. What rank 0 says of them, notes on what is left out included, is what one process
# says, byte by byte.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

run 0 --db run.db import -q "$data/job-2x1"
questions 'a job' '2 5' <<'END'
simulate --sweep
simulate --sweep --sweep-by 90 --compute 2 --format json --unit ns
simulate --show points
plot what-if -o -
simulate --sweep-over bandwidth=1:2@gpus=2:x2,latency,no-overlap --format json --unit ns
END
answers 'both' 3 simulate --sweep --sweep-over compute,algo,nics --bandwidth 2 --format json
answers 'more ranks than changes' 4 simulate --sweep-over compute=1:2
answers 'no sweep' 2 simulate --compute 2
run 0 --db run.db simulate --sweep-over compute -o one.svg && ranks 0 3 --db run.db simulate --sweep-over compute -o out.svg && filled one.svg && same one.svg out.svg
result $? 'a picture'
run 0 --db run.db simulate --sweep -o one.json && ranks 0 2 --db run.db simulate --sweep -o out.json && filled one.json && same one.json out.json
result $? 'a schedule'

rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json"
questions 'PyTorch' '3' <<'END'
simulate --sweep --format json --unit ns
simulate --show points --format csv
END

# -- what fails ---------------------------------------------------------------------------------------------------
run 0 --db apart.db import -q "$data/job-2x1"
! job -n 1 "$program" --db apart.db simulate --sweep : -n 1 "$program" --db run.db simulate --sweep && [ "$(grep -c 'tracetool: rank 1: ' err)" = 1 ] && [ ! -s out ]
result $? 'a rank with another database'
for values in op=BW.nothing=2 gpus=1:0:nothing; do
    refuses 2 "with ${values%%=*}=" --db apart.db simulate --sweep-over compute,$values && mv err one && ! job -n 3 "$program" --db apart.db simulate --sweep-over compute,$values && grep "^tracetool: " err >told && same one told && [ ! -s out ]
    result $? "a change that cannot be tried is told as by one process: $values"
done
finish

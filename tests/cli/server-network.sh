#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# simulate: another network between workers and parameter servers (BytePS), or more workers, beside a simulator of such jobs.
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'the network of parameter servers' 'python3 is not here'
    finish
    exit 0
fi
simulator=$SRCDIR/tests/oracles/server_simulator.py

python3 "$simulator" --check >checked
status=$?
sed 's/^/# /' checked
result $status 'the simulator itself, where times can be worked out by hand'

# Shared NICs and links of their own, one message at a time and messages behind each other, one GPU a worker and two, servers that are busy.
mkdir jobs
generate() { # SEED... : jobs/job-SEED
    for seed; do
        python3 "$simulator" --seed "$seed" --out "jobs/job-$seed" || return 1
    done
}
generate 2 3 8 10 15 20 && python3 "$simulator" --judge "$TRACETOOL" --out jobs >judged
status=$?
sed 's/^/# /' judged
result $status 'what-ifs are within 5 %, or within what is said of them'

db=$scratch/job.db
if [ "${TEST_LONG:-0}" = 1 ]; then
    mkdir more
    python3 "$simulator" --jobs 4 --first 101 --out more && python3 "$simulator" --judge "$TRACETOOL" --out more >judged
    status=$?
    sed 's/^/# /' judged
    result $status 'likewise of 4 other jobs'
else
    skip 'likewise of 4 other jobs' 'takes a minute, see TEST_LONG'
fi

# Traces of whole microseconds: what they make of the smallest parts does not tell how links are shared.
run 0 --db whole.db import -q jobs/job-20 && run 0 --db whole.db simulate --gpus 8 && has err 'each link by itself'
result $? 'short transfers count little'

run 0 --db "$db" import -q jobs/job-2
predict() { # OPTION... : the predicted iteration of $db in us
    run 0 --db "$db" simulate --format json "$@" >&2 && sed -n 's/^"predicted_us": \([-0-9.]*\),*$/\1/p' out
}
holds() { # EXPRESSION
    awk "BEGIN { exit !($1) }" || { echo "# not so: $1"; return 1; }
}
slow=
base=$(predict --bandwidth 1) && same=$(predict --latency 1 --compression 1 --nic-bandwidth 1 --gpus 4) && holds "$same == $base" &&
    slow=$(predict --bandwidth 0.25) && holds "$slow > $base" && nic=$(predict --nic-bandwidth 0.25) && holds "$nic == $slow" &&
    has err 'NICs are shared' 'one message at a time' && more=$(predict --compression 4) && holds "$more == $slow"
result $? 'factors of 1 change nothing; a quarter of the bandwidth is four times the bytes'

# A number in a name is no number of servers.
cp -R jobs/job-2 far && sed -i 's/server_1/server_65535/g' far/*_timeline.json && run 0 --db far.db import -q far && db=far.db
far=$(predict --bandwidth 0.25) && holds "$far == $slow" && has err 'between 4 workers and 2 servers' && far=$(predict --gpus 6) &&
    has err 'the 2 servers stay' && db=$scratch/job.db && near=$(predict --gpus 6) && holds "$far == $near"
result $? 'servers of other numbers are the same servers'

run 0 --db "$db" simulate --gpus 1 && has err 'on 1 worker with 1 GPU: operators take what they took, the 2 servers stay' &&
    run 0 --db "$db" simulate --gpus 12 --show ranks --format csv && column pid >pids && [ "$(grep -c '^traces_' pids)" -eq 12 ] &&
    run 0 --db "$db" simulate --gpus 6 -o more.json && run 0 --db more.db import -q more.json && run 0 --db more.db query --format csv \
    "SELECT sum (sub_op = 'SUM') = 5 * sum (sub_op = 'COPY_FIRST') AND sum (sub_op = 'SUM') > 0 FROM event" && prints 1
result $? 'each of more workers pushes, and is added'
run 0 --db "$db" simulate --sweep-over bandwidth=0.5:2,gpus=2:x2,latency --format csv && body out >rows && [ "$(wc -l <rows)" -eq 9 ]
result $? 'a sweep over them'
for change in '--bandwidth 1e-9 --nic-bandwidth 1e-9' '--bandwidth 1e-9 --compression 1e9' '--scale sub_op=PUSH_REQ:1e9 --scale sub_op=PUSH_REQ:1e9'; do
    # shellcheck disable=SC2086 # several words
    refuses 2 'operations would take more than 73 years together' --db "$db" simulate $change
    result $? "times that cannot be added up: $change"
done
finish

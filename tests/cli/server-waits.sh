#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What workers wait for that exchange tensors over parameter servers (BytePS): by spans alone, and by planted delays.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'waits for parameter servers' 'python3 is not here'
    finish
    exit 0
fi
judge=$SRCDIR/tests/oracles/server_waits.py

make_job() { # OPTION... : j
    rm -rf j && python3 "$SRCDIR/data/generators/job.py" j --truth j.json --kind byteps --gpus 1 --servers 1 "$@"
}
waits_by() { # KEYS FILE
    run 0 waits --by "$1" --format csv --unit ns --top 0 && filled out && cp out "$2"
}
same_waits() {
    import -q j && waits_by rank,cause waits.csv && python3 "$judge" judge "$db" waits.csv >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}
one_part='--layers 1 --part-bytes 999999999 --hosts 3'
for options in '' '--hosts 5 --seed 4' '--slow 1:model/dense_0/MatMul:700 --seed 2'; do
    # shellcheck disable=SC2086
    make_job $one_part $options && same_waits
    result $? "one part: for the last who pushed, then for the server ($options)"
done
# shellcheck disable=SC2086
make_job $one_part --steps 4 && import -q j && waits_by cause before.csv && python3 "$judge" pause j 350.5 && import -q j && waits_by cause after.csv &&
    run 0 waits --show causes --format csv --unit ns --top 0 && cp out causes.csv && python3 - <<'END'
import csv
def of(path):
    return {row["cause"]: int(row["wait_ns"]) for row in csv.DictReader(open(path))}
before, after = of("before.csv"), of("after.csv")
server = next(cause for cause in after if cause.startswith("server_0"))
print("#", before, after)
assert after.pop(server) - before.pop(server, 0) == 4 * 3 * 350500
assert before == after
rows = list(csv.DictReader(open("causes.csv")))
assert rows[0]["pid"] == server and rows[0]["path"].endswith("COPY_MERGED"), rows[0]
assert sum(int(row["cost_ns"]) for row in rows) == sum(of("after.csv").values())
END
result $? 'a server that is slow by 350.5 us in each step, for each worker'
# With several parts and servers.
slow='--hosts 3 --servers 2 --layers 4 --fuse 2 --seed 3 --jitter 0'
# shellcheck disable=SC2086
make_job $slow && import -q j && waits_by kind fast.csv && make_job $slow --slow 2:gradient_tape/model/dense_0/MatMul_1:3000 && import -q j &&
    waits_by kind slow.csv && run 0 waits --show causes --format csv --unit ns --top 0 && cp out causes.csv && python3 - <<'END'
import csv
fast, slow = (sum(int(row["wait_ns"]) for row in csv.DictReader(open(name))) for name in ("fast.csv", "slow.csv"))
rows = list(csv.DictReader(open("causes.csv")))
print("# %.3f ms of waits, without %.3f; cost %.3f" % (slow / 1e6, fast / 1e6, int(rows[0]["cost_ns"]) / 1e6))
assert (rows[0]["pid"], rows[0]["path"]) == ("traces_2.rank0", "BW.gradient_tape/model/dense_0/MatMul_1"), rows[0]
assert sum(int(row["cost_ns"]) for row in rows) == slow
assert 0.98 * (slow - fast) <= int(rows[0]["cost_ns"]) <= slow and slow > 1.5 * fast
END
result $? 'a worker that is slow, and what it costs'
run 0 waits --filter 'pid=traces_0.rank0' --format csv --by rank && tail -n +2 out >rows && filled rows && [ "$(cut -d, -f5 rows)" = 0 ]
result $? 'of one worker'
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stats --by lexgion of traces that PInsight has sampled: counts and totals of all invocations, marked and with bounds.
. "$SRCDIR/tests/cli/lib.sh"
full=$TRACETOOL_DATA/pinsight/recorded/full
oracle() { python3 "$SRCDIR/tests/oracles/sampled.py" "$TRACETOOL" "$scratch" "$@"; }

run 0 --db full.db import -q "$full" && run 0 --db full.db stats --by lexgion && filled out && refute has out '~' &&
    run 0 --db full.db stats --by lexgion --format csv && filled out && refute has out extrapolated &&
    run 0 --db full.db stats --by lexgion --format json && filled out && refute has out extrapolated
result $? 'nothing is extrapolated of a trace that was recorded whole'
printf '[Lexgion(0x401270): OpenMP.default]\ntracing_rate = 2\n' >rate.conf
printf '[Lexgion(0x401270): OpenMP.default]\ntracing_rate = 2\nmax_num_traces = 2\n' >limit.conf
run 0 --db rate.db import -q --config rate.conf "$full" && run 0 --db rate.db stats --by lexgion --top 0 && has out '~ Count' '~ Total' 'at 95 % confidence' 'end?'
result $? 'text marks what is extrapolated'
run 0 --db rate.db stats --by lexgion --top 0 --unit ns --format json && python3 -c '
import json
rows = {(row["lexgion"], row["name"]): row for row in json.load(open("out"))}
# 2 and 4 of five are recorded: the fifth may be, or not
region = rows["0x401270", "COMP.omp_parallel"]
assert region["count"] == 2 and region["sampled_invocations"] == 2, region
assert (region["extrapolated_count"], region["extrapolated_count_error"]) == (5, 1), region
assert region["extrapolated_total_most_ns"] >= region["extrapolated_total_ns"] + region["extrapolated_total_error_ns"], region
assert region["extrapolated_total_ns"] > region["total_ns"] and region["extrapolated_to"] == "end?", region
whole = rows["0x40129b", "COMP.omp_parallel"]
assert whole["count"] == 5 and whole["extrapolated_count"] is None and whole["extrapolated_to"] is None, whole
'
result $? 'JSON has members of their own, empty where the row was recorded whole'
run 0 --db rate.db stats --by lexgion --top 0 --format csv && has out extrapolated_count,extrapolated_count_error,extrapolated_total_us,extrapolated_total_error_us,extrapolated_total_most_us
result $? 'so has CSV'
run 0 --db rate.db stats --by lexgion --config rate.conf --format csv --filter name=COMP.omp_parallel && has out ',end,0x401270,' && refute has out 'end?' &&
    run 0 --db full.db stats --by lexgion --config limit.conf --format csv --filter name=COMP.omp_parallel && has out ',4,4,0,' ',last,0x401270,'
result $? 'the configuration tells what ended sampling'
printf '[Lexgion(0x401270): OpenMP.default]\ntrace_starts_at = 3\nmax_num_traces = 1\n' >one.conf
run 0 --db full.db stats --by lexgion --config one.conf --format json --filter name=COMP.omp_parallel && has out '"extrapolated_count_error":null' '"extrapolated_total_most_us":null' '"extrapolated_count":4,'
result $? 'a single invocation has no bounds'
printf '[Lexgion(0x40129b): OpenMP.default]\ntracing_rate = 2\n[Lexgion(0x4015be): OpenMP.default]\ntracing_rate = 3\n' >own.conf
run 0 --db full.db stats --by lexgion --config own.conf --unit ns --top 0 --format json && python3 -c '
import json
rows = {(row["lexgion"], row["name"]): row for row in json.load(open("out"))}
# Work is recorded in the third region, of which 2 and 4 are.
region, work = rows["0x40129b", "COMP.omp_parallel"], rows["0x4015be", "COMP.omp_work.loop"]
assert (region["sampled_invocations"], region["extrapolated_count"]) == (2, 5), region
assert (work["count"], work["extrapolated_count"], work["sampled_invocations"]) == (2, 8, 2), work
'
result $? 'work that is counted by itself'

ok=0
for seed in $(seeds 5); do
    oracle "made:$seed" any 60 90 && oracle "made:$seed" rate 60 92 && oracle "slow:$seed" rate 60 90 || ok=1
done
result $ok 'samples of made programs: the same as an oracle, and intervals hold'
if [ -d "$SHARED_DATA/pinsight/omp_full" ]; then
    oracle "$SHARED_DATA/pinsight/omp_full" any 200 88 && oracle "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" any 100 90 &&
        oracle "$SHARED_DATA/pinsight/omp_full" rate 100 90 &&
        oracle "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" rate 100 90
    result $? 'samples of recordings'
else
    skip 'samples of recordings' 'no captures here'
fi
finish

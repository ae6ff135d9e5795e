#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PInsight trace configurations: checked, shown, explained, formatted, and applied to traces.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/pinsight/*.conf .
cp -r "$TRACETOOL_DATA/tau-mpi4" "$TRACETOOL_DATA/kineto" .

# -- check

run 0 config check example.conf newer.conf && has out 'example.conf: no errors, no warnings' && [ ! -s err ]
result $? 'good files have no faults'
run 0 config check example.conf && lines out 3 && has out 'since 13 February 2026 reads headers otherwise' 'lines 14, 20, 22 and 26' &&
    run 0 config check newer.conf && lines out 3 && has out 'up to 12 February 2026' 'lines 9, 12, 16, 18, 23, 26, 28 and 2 more'
result $? 'where libraries read headers otherwise than they say'
run 0 config check --pinsight head example.conf && refute has out 'otherwise' &&
    has out 'example.conf:14:2: warning: ' 'knows no such section, and drops it' 'as [OpenMP.default] [W-DIALECT]' \
        'as [Lexgion(0x4010bd)], without what follows in it' && run 1 config check --strict --pinsight head example.conf &&
    run 0 config check --pinsight 2026-02 newer.conf && has out 'newer.conf:18:2: warning: ' 'its first code pointer alone' &&
    refuses 2 'seed, 2026-02 or head' config check --pinsight now newer.conf
result $? 'and how'
printf '[OpenMP.thread(0): OpenMP.default]\nomp_work = off\n[Lexgion(0x10):OpenMP.default:OpenMP.thread(1)]\n[Lexgion(0x20)]:: OpenMP.thread(1)\n' >both.conf
run 0 config show --json --pinsight head both.conf && python3 -c '
import json
config = json.load(open("out"))
assert not config["punit_sections"] and "omp_work" not in config["domains"]["OpenMP"]["on"], config
assert not any("constraints" in entry for entry in config["lexgions"])
' && run 0 config show --json both.conf && python3 -c '
import json
config = json.load(open("out"))
assert len(config["punit_sections"]) == 1 and "omp_work" in config["domains"]["OpenMP"]["on"]
assert [len(entry["constraints"]) for entry in config["lexgions"]] == [1, 1]
'
result $? 'and what becomes of them'
run 1 config check example.conf faults.conf &&
    has out 'faults.conf:3:16: error: ' '[E-HEADER]' 'faults.conf: 12 errors, 7 warnings' "did you mean 'omp_work'?" &&
    grep -A1 'faults.conf:6:19:' out | grep -q '^    \[OpenMP.thread(0, 7-3)\]$' &&
    grep -A2 'faults.conf:6:19:' out | grep -q '^                      ^$'
result $? 'all faults of all files, with the line and a caret'
run 0 config check --format json example.conf && [ "$(tr -d ' \n' <out)" = '[]' ]
result $? 'no faults as JSON'
run 1 config check --format csv faults.conf && has out 'faults.conf,4,2,error,E-DOMAIN' && lines out 20
result $? 'faults as rows'
printf '[OpenMP.default]\nomp_flush = on\n' >warned.conf
run 0 config check warned.conf && run 1 config check --strict warned.conf && has out 'error: ' '1 error, no warnings'
result $? 'warnings fail with --strict only'
refuses 2 'nothing to check' config check && refuses 2 'tracetool config COMMAND' config && run 2 config chek x && has err "did you mean 'config check'" && refuses 2 'one configuration file' config show &&
    refuses 2 "add '-i'" config fmt a b && refuses 2 "'-i' and '--check'" config fmt -i --check a
result $? 'what is no question'
run 1 config check missing.conf && has err missing.conf && refuses 1 'is a directory' config check . && mkfifo fifo && refuses 1 'is a FIFO' config check fifo
result $? 'what is no file'
head -c 20000000 /dev/zero >huge
run 1 config check huge && has err 'more than 16 MiB'
result $? 'a file that is no configuration'
"$TRACETOOL" config check - <example.conf >out && has out '-: no errors'
result $? 'standard input'

# -- show, explain

run 0 config show example.conf &&
    has out 'omp_sync_region_wait' 'Lexgion(0x4010bd) (line 26)' '21, 31, 41 ... 2011 (200 in all)' 'MPI.rank(0,3)'
result $? 'show'
run 0 config show --json newer.conf && python3 -c '
import json, sys
config = json.load(open("out"))
assert config["domains"]["OpenMP"]["trace_mode"] == "MONITORING"
assert config["knobs"] == {"tile": "0x40"} and config["manifest_interval"] == 5
assert [entry["section"] for entry in config["lexgions"]] == ["Lexgion(0x4010bd)", "Lexgion(Python:solver.py:Solver.step)"]
assert config["lexgions"][0]["constraints"][0] == {"domain": "MPI", "kind": "rank", "ids": "0-1"}
assert "MPI_Waitall" not in config["lexgion_domain_defaults"][1]["events"]["MPI"]
'
result $? 'show --json'
run 1 config show faults.conf && [ ! -s out ] && has err 'faults.conf:3:16' "'faults.conf' has 12 errors"
result $? 'a file with errors means nothing'
run 0 config explain --lexgion 0x4010bd --punit MPI.rank=0,OpenMP.thread=3 example.conf &&
    has out 'line 20   OpenMP.thread(0-1): OpenMP.thread is 3, not 0-1' 'line 22   OpenMP.thread(0-7): matches, and decides' \
        'its constraints hold: MPI.rank(0,3)' 'invocations recorded: 21, 31, 41'
result $? 'explain: which section decides'
run 0 config explain --lexgion 0x4010bd --punit MPI.rank=1 --event MPI_Send example.conf &&
    has out 'MPI.rank is 1, not 0,3' 'MPI_Send is on by Lexgion(0x4010bd)' 'invocations recorded: none'
result $? 'explain: constraints'
run 0 config explain --event omp_work --punit OpenMP.thread=9 example.conf && has out 'off: OpenMP.thread is 9, outside 0-7'
result $? 'explain: outside the ids of the domain'
run 0 config explain --event omp_masked --lexgion 0x4010bd --punit MPI.rank=0,OpenMP.thread=0 example.conf &&
    has out 'omp_masked is off by Lexgion(0x4010bd)'
result $? 'explain: masks'
printf '[OpenMP.default]\nomp_thread_begin = off\nomp_work = off\n[Python.default]\npysysmon_py_start = off\n%s\n%s\n' \
    '[Lexgion(0x10)]: OpenMP.default : OpenMP.thread(1-2)' 'max_num_traces = 3' >callbacks.conf
run 0 config explain --lexgion 0x10 --punit OpenMP.thread=0 --event omp_parallel_begin callbacks.conf &&
    has out 'its constraints do not hold' 'PInsight does not ask' 'invocations recorded: 1, 2 and 3' &&
    run 0 config explain --lexgion 0x10 --punit OpenMP.thread=0 --event omp_implicit_task callbacks.conf &&
    has out 'invocations recorded: none' &&
    run 0 config explain --lexgion 0x10 --punit OpenMP.thread=0 --event OpenMP.omp_masked callbacks.conf && has out 'invocations recorded: none'
result $? 'explain: a region is recorded though its constraints do not hold'
run 0 config explain --event omp_thread_begin callbacks.conf && has out 'off by OpenMP.default; PInsight does not ask' 'invocations recorded: all' &&
    run 0 config explain --event pysysmon_c_start callbacks.conf && has out 'it follows the function that calls' 'invocations recorded: none'
result $? 'explain: what PInsight does not ask'
printf '[OpenMP.default]\nomp_work = off\n[Lexgion(0x10)]\nOpenMP.omp_work = on\n[Lexgion(0x20)]\nOpenMP.omp_flush = on\n[Lexgion(0x30)]\ntracing_rate = 2\n' >on.conf
run 0 config explain --lexgion 0x10 --event omp_work on.conf && has out 'omp_work is on by Lexgion(0x10)' 'invocations recorded: all' &&
    run 0 config explain --lexgion 0x20 --event omp_implicit_task on.conf && has out 'omp_implicit_task is off by Lexgion(0x20)' &&
    run 0 config explain --lexgion 0x30 --event omp_work on.conf && has out 'on: Lexgion(0x30) says nothing of OpenMP'
result $? 'explain: a lexgion turns events on, and off'
printf '[OpenMP.thread(0)]\n[OpenMP.thread(1)]\nomp_work = on\n' >units.conf
run 0 config explain --punit OpenMP.thread=0 --event omp_work units.conf && has out 'off by the section in line 1' &&
    run 0 config explain --pinsight head --punit OpenMP.thread=0 --event omp_work units.conf && has out 'on by OpenMP.default' &&
    refuses 2 'seed, 2026-02 or head' config explain --pinsight 2025 units.conf
result $? 'explain: --pinsight head does not ask sections of units'
run 2 config explain --punit MPI.rnk=0 example.conf && has err 'MPI.rank' && refuses 2 'MPI.rank=0' config explain --punit MPI.rank example.conf &&
    refuses 2 'no code pointer' config explain --lexgion 0xq example.conf && run 2 config explain --event MPI_Snd example.conf &&
    has err "did you mean 'MPI_Send'" && refuses 2 'match or fail' config explain --missing-punit no example.conf
result $? 'explain: what is no question'

# -- fmt

run 0 config fmt example.conf && same out example.conf && run 0 config fmt --check example.conf newer.conf && [ ! -s out ]
result $? 'a file in the one style stays'
printf '# x\n[OpenMP.thread( 3 ,1-2)  :OpenMP.default]\nomp_work=OFF\n\n\n[Lexgion(0X4010BD)]\ntracing_rate = 05\n' >odd.conf
run 1 config fmt --check odd.conf && has out odd.conf && run 0 config fmt -i odd.conf && [ ! -s out ] &&
    printf '# x\n[OpenMP.thread(1-3): OpenMP.default]\n  omp_work = off\n\n[Lexgion(0x4010bd)]\n  tracing_rate = 5\n' | same - odd.conf
result $? 'another is changed in place'
cp faults.conf before.conf
refuses 1 'faults.conf:2:1: error' config fmt -i faults.conf && same faults.conf before.conf
result $? 'a file with errors is left alone'
printf 'SYCL\tdomain\tSYCL\tTRACING\nSYCL\tpunit\tqueue\t0-3\nSYCL\tevent\tsycl_submit\ton\n' >more.tsv
printf '[SYCL.default]\nsycl_submit = off\n' >sycl.conf
run 1 config check sycl.conf && has out 'sycl.conf:1:2: error' && run 0 config check --domains more.tsv sycl.conf
result $? 'more domains'
printf 'SYCL\tevent\n' >broken.tsv
run 1 config check --domains broken.tsv sycl.conf && has err 'broken.tsv: line 1: fewer than four columns'
result $? 'a broken table of domains'

# -- applied

printf '[MPI.default]\nMPI_Barrier = off\n[Lexgion.default]\ntrace_starts_at = 5\nmax_num_traces = 4\ntracing_rate = 3\n' >sampled.conf
run 0 import --db full.db -q tau-mpi4 && run 0 import --db kept.db --config sampled.conf tau-mpi4 &&
    has err "'sampled.conf' keeps 8 of 775 events" 'no event of PInsight' 'chosen by its counters' 'MPI.default'
result $? 'import keeps what the configuration records'
"$TRACETOOL" --db full.db stats --config sampled.conf --format csv >a 2>/dev/null
"$TRACETOOL" --db kept.db stats --format csv >b 2>/dev/null
[ -s a ] && same a b
result $? 'stats --config says the same of what is stored'
"$TRACETOOL" convert -q --config sampled.conf tau-mpi4 c.json 2>/dev/null &&
    "$TRACETOOL" --db full.db export --config sampled.conf -o d.json 2>/dev/null &&
    python3 -c '
import json
def spans(path):
    return sorted((e["name"], e["dur"]) for e in json.load(open(path))["traceEvents"] if e["ph"] == "X" and e["cat"] != "arrow")
assert spans("c.json") == spans("d.json") and len(spans("c.json")) == 8'
result $? 'export and convert, too'
run 0 --db kept.db query 'select count(*) as n from message where send_ns is not null or recv_ns is not null' && has out 4
result $? 'messages go with their calls'
run 0 --db full.db export --config sampled.conf --tau o.trc o.edf && has err 'wrote 8 spans'
result $? 'export --tau, too'
run 0 --db full.db export --config sampled.conf --folded -o o.folded && has err 'of 8 spans' && run 0 --db full.db export --config sampled.conf --speedscope -o o.json &&
    has err '8 spans in' && [ "$(grep -c '"type":"O"' o.json)" -eq 8 ]
result $? 'export --folded and --speedscope, too'
printf '' >empty.conf
run 0 --db full.db stats --config empty.conf --config-others keep --by op_cat && has err 'no event of PInsight'
result $? 'what PInsight does not know can stay'
run 0 stats --by op_name --config empty.conf kineto/amd.json && has out hipDeviceSynchronize hipLaunchKernel &&
    refute has out 'aten::' && has err 'Lexgion(HIP).default' 'Lexgion(Python).default' 'device_activity is off'
result $? 'Kineto: HIP calls and Python functions'
run 1 import --db no.db --config faults.conf tau-mpi4 && has err 'faults.conf:3:16' && [ ! -e no.db ]
result $? 'a configuration with errors changes nothing'
run 2 stats --recount tau-mpi4 && has err '--config FILE' && refuses 2 "not 'x'" import --config empty.conf --missing-punit x tau-mpi4
result $? 'options without their meaning'

# -- windows ---------------------------------------------------------------------------------------------
# Process 1 sends at 0, 0.5 and 1.5 s and receives at 0.7 s on another thread, process 2 sends at 1.2 and 2.1 s.
call() { printf '{"ph":"X","name":"MPI_%s","pid":%s,"tid":%s,"ts":%s,"dur":10}' "$1" "$2" "$3" "$4"; }
printf '[%s,%s,%s,%s,%s,%s]' "$(call Send 1 1 0)" "$(call Send 1 1 500000)" "$(call Recv 1 2 700000)" "$(call Send 1 1 1500000)" \
    "$(call Send 2 1 1200000)" "$(call Send 2 1 2100000)" >calls.json
keeps_of_stored() { # CONFIGURATION EVENTS
    printf '%b' "$1" >window.conf
    run 0 --db calls.db stats --config window.conf --format csv --by pid && matches err "keeps $2 of 6 events"
}
keeps() { # CONFIGURATION EVENTS : imported, and of those stored
    keeps_of_stored "$@" && import --config window.conf calls.json && ask "SELECT count(*) FROM event" "$2"
}
run 0 --db calls.db import -q calls.json && keeps '[Lexgion.default]\nwindow_timeout = 1\nwindow_end_action = MPI:OFF\n' 5 &&
    keeps_of_stored '[Lexgion.default]\nwindow_timeout = 1\nwindow_end_action = MPI:OFF\n' 5 && has err 'after the end of its window'
result $? 'window_timeout counts from the first event of each process'
keeps '[Lexgion.default]\nwindow_timeout = 1\nwindow_end_action = OpenMP:OFF\n' 6 &&
    keeps '[Lexgion.default]\nwindow_timeout = 1\nwindow_end_action = INTROSPECT:5:-:TRACING\n' 6 &&
    keeps '[Lexgion.default]\nwindow_timeout = 1\nwindow_end_action = INTROSPECT:5:-:MPI:MONITORING\n' 5
result $? 'other domains, and windows that begin anew'
keeps_of_stored '[Lexgion.default]\n[Lexgion(MPI_Recv): MPI.default]\nmax_num_traces = 1\nwindow_end_action = MPI:OFF\n' 5 &&
    keeps_of_stored '[Lexgion.default]\n[Lexgion(MPI_Send): MPI.default]\nmax_num_traces = 1\nwindow_end_action = MPI:OFF\n' 2 &&
    keeps_of_stored '[Lexgion.default]\nmax_num_traces = 2\nwindow_end_trigger = all\nwindow_end_action = MPI:OFF\n' 4 &&
    import --config window.conf calls.json && has err 'more may be kept than PInsight records'
result $? 'the last trace of one ends the window of its process'
printf '[Lexgion.default]\nmax_num_traces = 2\nwindow_end_action = MPI:OFF\nwindow_end_trigger = all\n[Knob]\nn = 3\n' >window.conf
run 0 config explain --event MPI_Send window.conf && has out 'the window ends when a thread has recorded 2, and as many' 'MPI is OFF' '[Knob]' &&
    run 0 config explain --event MPI_Send --pinsight 2026-02 window.conf && has out 'mean nothing to this library'
result $? 'config explain tells when windows end'

python3 "$SRCDIR/tests/oracles/config.py" "$TRACETOOL" "$scratch" 30
result $? 'random configurations of random traces'

# What PInsight itself recorded.
python3 "$SRCDIR/tests/oracles/pinsight-recorded.py" "$TRACETOOL" "$TRACETOOL_DATA/pinsight/recorded" "$scratch"
result $? 'configurations foretell what PInsight recorded'
captures=$SHARED_DATA/pinsight
if [ -d "$captures/omp_full" ]; then
    numbers() { # the numbers of the regions that are there
        "$TRACETOOL" --db "$1" query --format csv "SELECT DISTINCT json_extract(args, '$.codeptr'),
            json_extract(args, '$.parallel_record_id') FROM event WHERE op_name = 'omp_parallel' ORDER BY 1, 2" |
            tail -n +2 | tr '\n' ' '
    }
    run 0 import -q --db ctf.db --config "$captures/omp_rate.conf" "$captures/omp_full" &&
        [ "$(numbers ctf.db)" = '0x401290,6 0x401290,9 0x4012ab,6 0x4012ab,9 ' ]
    result $? 'a full capture keeps what a sampled one has'
    run 0 import -q --db rate.db "$captures/omp_rate" && run 0 --db rate.db stats --config "$captures/omp_rate.conf" && filled out &&
        unsaid 'not chosen' && unsaid 'not recorded'
    result $? 'a sampled capture stays as it is'
else
    skip 'a full capture keeps what a sampled one has' 'no CTF or no captures here'
fi
finish

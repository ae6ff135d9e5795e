#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CTF traces of PInsight and LTTng: what docs/formats.md says becomes of them, against what babeltrace2 prints, and what becomes of
# damaged ones.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
make=$TRACETOOL_DATA/generators/ctf.py
oracle=$SRCDIR/tests/oracles/ctf.py
epoch=1700000000000000000

agrees() { # TEXT DIRECTORY : with the oracle
    if ! command -v python3 >/dev/null || ! command -v babeltrace2 >/dev/null; then
        skip "$1" 'python3 or babeltrace2 is not here'
        return
    fi
    import "$2" && python3 "$oracle" "$db" "$2"
    result $? "$1"
}

# -- PInsight ----------------------------------------------------------------------------------------
agrees 'two hosts are what babeltrace2 prints of them' "$TRACETOOL_DATA/ctf-hosts"
import "$TRACETOOL_DATA/ctf-hosts" && has out '1 trace' '2, with 4 threads' '138 spans'
result $? 'all traces below a directory are one input'
ask "SELECT group_concat(pid || ':' || rank || ':' || node || ':' || label, ' ') FROM process" \
    'node0.4242:0:node0:app node1.4242:1:node1:app'
result $? 'the same pid on two hosts is two processes, ranks are known'
ask "SELECT count(*), sum(send_ns IS NOT NULL AND recv_ns IS NOT NULL), sum(recv_ns < send_ns) FROM message" '18,15,0'
result $? 'messages are joined over the hosts, those from any source are not'
ask "SELECT count(*) FROM message m JOIN event e ON e.id = m.recv_event WHERE m.tag = 7 AND e.name = 'SYNC.MPI_Waitall' AND m.recv_ns = e.ts_ns + e.dur_ns" 6
result $? 'what MPI_Irecv asks for is received by the wait for all requests'
ask "SELECT count(*), count(DISTINCT ordinal) FROM collective WHERE function = 'MPI_Allreduce'" '6,3'
result $? 'collectives are numbered'
ask "SELECT DISTINCT json_extract(args, '\$.codeptr'), flags FROM event WHERE name = 'COMP.omp_work.loop'" '0x40134f,inferred'
result $? 'code pointers are arguments, ends that the trace lacks are inferred'
ask "SELECT value FROM metadata WHERE key = 'run_id' AND process = 1" r2
result $? 'of a manifest the latest values are metadata'
import "$TRACETOOL_DATA/ctf-hosts/node0" "$TRACETOOL_DATA/ctf-hosts/node1" && has err 'as one run' &&
    ask "SELECT group_concat(pid || ':' || rank, ' ') FROM process" 'node0.4242:0 node1.4242:1' &&
    ask "SELECT count(*), sum(send_ns IS NOT NULL AND recv_ns IS NOT NULL) FROM message" '18,15'
result $? 'hosts that are named apart are one run'
import "$TRACETOOL_DATA/ctf-hosts"
run 1 --db "$db" import --add "$TRACETOOL_DATA/ctf-hosts" && has err 'already in this run'
result $? 'the same directory twice in a run is refused'
run 0 --db "$db" import --add --replace "$TRACETOOL_DATA/ctf-hosts" && ask 'SELECT count(*) FROM event' 138
result $? '--replace reads it again'
import --args codeptr,tag "$TRACETOOL_DATA/ctf-hosts"
ask "SELECT args FROM event WHERE name = 'Comm.MPI_Send.SEND' ORDER BY id LIMIT 1" '"{""codeptr"":""0x400d23"",""tag"":0}"'
result $? '--args keeps only those'
run 0 convert "$TRACETOOL_DATA/ctf-hosts" "$scratch/out.json" && grep -q '"name":"COMP.omp_parallel"' "$scratch/out.json"
result $? 'convert takes a CTF trace'

# -- by place in the program ------------------------------------------------------------------------
import "$TRACETOOL_DATA/ctf-hosts"
run 0 --db "$db" stats --by lexgion --format csv --unit ns && cp "$scratch/out" "$scratch/lexgion.csv"
grep -q '0x401290,COMP.omp_parallel' "$scratch/lexgion.csv"
result $? 'stats --by lexgion'
sql="WITH team AS (SELECT pid, tid,
  sum(CASE WHEN name = 'COMP.omp_implicit_task' THEN dur_ns ELSE -dur_ns END) AS busy,
  sum(CASE WHEN name = 'COMP.omp_implicit_task' THEN 0 ELSE dur_ns END) AS waits
  FROM event WHERE json_extract(args, '\$.parallel_codeptr') = '0x401290'
  AND (name = 'COMP.omp_implicit_task' OR name LIKE 'SYNC.omp_barrier.%' OR name = 'SYNC.omp_join') GROUP BY pid, tid)
  SELECT printf('%d,%d,%d,%.2f', count(*), min(busy), max(busy), 100.0 * sum(waits) / sum(waits + busy)) FROM team"
run 0 --db "$db" query --format csv "$sql"
expected=$(tail -n 1 "$scratch/out" | tr -d '"\r')
found=$(awk -F, '/COMP.omp_parallel/ && /0x401290/ { printf "%d,%d,%d,%.2f", $5, $6, $8, $10 }' "$scratch/lexgion.csv")
[ "$found" = "$expected" ] || echo "# '$found' instead of '$expected'"
[ -n "$found" ] && [ "$found" = "$expected" ]
result $? 'a region has its team'"'"'s work and the part that it waited'
for filter in op_cat=COMP name=COMP.omp_parallel 'dur>1ns'; do
  run 0 --db "$db" stats --by lexgion --filter "$filter" --format csv --unit ns
  awk -F, 'NR == FNR { of[$(NF - 1), $NF] = $5 "," $6 "," $7 "," $8 "," $9 "," $10; next }
           of[$(NF - 1), $NF] != $5 "," $6 "," $7 "," $8 "," $9 "," $10 { print "# " $0; wrong = 1 }
           FNR > 1 { n++ } END { exit wrong || n == 0 }' "$scratch/lexgion.csv" "$scratch/out"
  result $? "a filter does not change how evenly a lexgion is shared: $filter"
done
run 2 --db "$db" stats --exe /bin/true && has err "goes with '--by lexgion'"
result $? '--exe without --by lexgion is refused'
refuses 2 lexgion --db "$db" stats --by lexgion --per pid
result $? '--by lexgion has columns of its own'

# -- devices ------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/ctf-devices"
ask "SELECT group_concat(name || '=' || (ts_ns - $epoch) || '+' || dur_ns, ' ') FROM event WHERE tid = 'device 0 stream 7'" \
    '"MEM.memcpy.H2D=1440+1000 COMP.saxpy(float*, int)=2940+2800 COMP.saxpy(float*, int)=5940+3000"'
result $? 'activity lies on the time of the host, by the calibrations before and behind it'
ask "SELECT group_concat(a.name || '>' || b.name, ' ') FROM flow f JOIN event a ON a.id = f.from_event JOIN event b ON b.id = f.to_event WHERE f.kind = 'ac2g'" \
    '"RT.cudaMemcpyAsync.H2D>MEM.memcpy.H2D RT.cudaLaunchKernel>COMP.saxpy(float*, int) RT.cudaLaunchKernel>COMP.saxpy(float*, int)"'
result $? 'and is linked with the calls that started it'
ask "SELECT series || ':' || (max(value) - min(value)) FROM counter WHERE series = 'energy_cpu/0'" energy_cpu/0:700
result $? 'energy is a counter'
ask "SELECT count(*), sum(flags LIKE '%recursive%') FROM event WHERE raw_name = 'train.<locals>.step'" '2,1'
result $? 'Python functions nest'

# The copy comes 90 ns after its call has returned; the second kernel ends at 8940, 660 ns before the synchronize does.
run 0 --db "$db" critical-path --format csv --unit ns --segments --top 0 &&
    prints '0,350,0,0,77,78,begin,no' '440,7500,90,0,77,device 0 stream 7,launch,no' '7940,810,0,7340,77,78,synchronize,yes'
result $? 'the critical path goes to the device with a launch, and comes back with the wait for it'
run 0 --db "$db" critical-path --format csv --unit ns --show kinds &&
    [ "$(tail -n +2 "$scratch/out" | cut -d, -f1,3 | tr -d '\r' | tr '\n' ' ')" = \
        '5800,computation 0,communication 1000,copy 140,launch 660,sync 450,host 700,idle ' ]
result $? 'and says what the time went to'
run 0 --db "$db" depgraph --kind sync --save &&
    ask "SELECT src || '>' || dst || ':' || cnt FROM edge WHERE kind = 'sync'" \
        '"77->COMP.saxpy(float*, int)>77->SYNC.cudaDeviceSynchronize:1"'
result $? 'what waits for work on a device depends on it'
ask "SELECT group_concat(role || ':' || ifnull(l.name, '-'), ' ') FROM (SELECT * FROM activity ORDER BY event) LEFT JOIN event l ON l.id = launch" \
    'copy_call:- synchronize:- copy:RT.cudaMemcpyAsync.H2D kernel:RT.cudaLaunchKernel kernel:RT.cudaLaunchKernel'
result $? 'the roles of calls and of work are rows of activity, with what launched the work'

# -- other tracers -----------------------------------------------------------------------------------
import "$TRACETOOL_DATA/ctf-lttng" && has out '5 events that the tracer discarded' '2 packets of events' '2 spans whose begins were lost'
result $? 'losses are told'
ask "SELECT group_concat(name || '=' || (ts_ns - $epoch) || '+' || coalesce(dur_ns, 'instant'), ' ') FROM (SELECT * FROM event WHERE tid = '10' ORDER BY ts_ns)" \
    'COMP.order=1000+900 RT.syscall_openat=1100+100 COMP.order=1250+50 COMP.only_begin=1350+instant RT.syscall_openat=1950+0'
result $? 'pairs are spans; a begin without an end in the metadata is an instant'
ask "SELECT json_extract(args, '\$.levels[1]'), json_extract(args, '\$.note') FROM event WHERE name = 'COMP.stock' ORDER BY ts_ns DESC LIMIT 1" ',café'
result $? 'arrays and text are kept'

# -- refused, and damaged ---------------------------------------------------------------------------
run 1 --db "$scratch/x.db" import "$TRACETOOL_DATA/ctf-lttng/kernel/channel0_0" && has err 'one stream of a CTF trace' 'give its directory'
result $? 'one stream is no trace'
import "$TRACETOOL_DATA/ctf-lttng/kernel/metadata" && ask 'SELECT count(*) FROM event' 11
result $? 'metadata stand for their directory'
cp -r "$TRACETOOL_DATA/ctf-lttng" "$scratch/cut"
chmod -R u+w "$scratch/cut"
head -c 100 "$TRACETOOL_DATA/ctf-lttng/kernel/channel0_1" >"$scratch/cut/kernel/channel0_1"
rm -f "$db" && run 3 --db "$db" import "$scratch/cut" && filled "$db" && has out '1 damaged stream' &&
    has err 'left out: ' 'kernel/channel0_1 is damaged: ' '1 of the traces is not in the run' && ask 'SELECT count(*) FROM event' 4
result $? 'a damaged stream is left out and told'
cp -r "$TRACETOOL_DATA/ctf-hosts" "$scratch/bad-host" && chmod -R u+w "$scratch/bad-host"
meta=$(find "$scratch/bad-host/node1" -name metadata) && echo '/* CTF 1.8 */ trace {' >"$meta"
rm -f "$db" && run 3 --db "$db" import "$scratch/bad-host" && filled "$db" && has err 'left out' 'bad-host/node1' &&
    ask "SELECT count(DISTINCT node) FROM process WHERE node IS NOT NULL" 1 &&
    run 1 --db "$scratch/strict-host.db" import --strict "$scratch/bad-host" && has err 'bad-host/node1'
result $? 'a host whose metadata are broken is left out, the other stands; not with --strict'
cp -r "$TRACETOOL_DATA/ctf-hosts/node0" "$scratch/twice"
chmod -R u+w "$scratch/twice"
for stream in "$scratch"/twice/ust/uid/*/64-bit/channel0_?; do
    head -c 150 "$stream" >"$scratch/piece" && cat "$scratch/piece" >>"$stream"
done
import "$TRACETOOL_DATA/ctf-hosts/node0" && run 0 --db "$db" query 'SELECT name, ts_ns, dur_ns FROM event ORDER BY id' && cp "$scratch/out" "$scratch/whole"
import "$scratch/twice" && has out '2 damaged streams' && has err 'is damaged and read up to there: a packet that goes on beyond the end of the file' &&
    run 0 --db "$db" query 'SELECT name, ts_ns, dur_ns FROM event ORDER BY id' && same out whole
result $? 'of a stream that is cut within a packet the packets before are kept'
sh -c 'ulimit -n 7 && exec "$@"' limited "$TRACETOOL" --db "$scratch/x.db" import "$TRACETOOL_DATA/ctf-lttng" >/dev/null 2>"$scratch/err"
[ $? -eq 1 ] && has err 'ctf-lttng' 'open' && [ ! -e "$scratch/x.db" ]
result $? 'streams that cannot be opened are an error'
run 1 --db "$scratch/x.db" import --strict "$scratch/cut" && has err 'damaged stream' '--strict'
result $? '--strict refuses it'
sed 's/clock {/clock [/' "$TRACETOOL_DATA/ctf-lttng/kernel/metadata" >"$scratch/cut/kernel/metadata"
run 1 --db "$scratch/x.db" import "$scratch/cut" && has err 'the metadata cannot be read: ' "line 6: syntax error at '['" && [ ! -e "$scratch/x.db" ]
result $? 'metadata that are none are an error with the line'
if command -v python3 >/dev/null; then
    for name in hosts devices lttng; do
        python3 "$make" "$name" "$scratch/made-$name" && diff -r "$TRACETOOL_DATA/ctf-$name" "$scratch/made-$name" >/dev/null
        result $? "data/ctf-$name is what generators/ctf.py writes"
    done
    for name in hosts devices lttng; do
        python3 "$SRCDIR/tests/oracles/damage-ctf.py" "$TRACETOOL" "$TRACETOOL_DATA/ctf-$name" 5 "${TEST_SEEDS:-$(often 20)}"
        result $? "damage to data/ctf-$name: no crash, no hang, errors with the file"
    done
    for name in hosts devices lttng; do
        python3 "$SRCDIR/tests/oracles/mutate-ctf.py" "$TRACETOOL" "$TRACETOOL_DATA/ctf-$name" 1 "${TEST_SEEDS:-$(often 60)}"
        result $? "changed packets of data/ctf-$name: within the bounds, nothing absurd, errors with the trace"
    done
    again && n_places=4 || n_places=20
    for channel in 0 1; do
        STAND_IN_STATUS=0 python3 "$SRCDIR/tests/oracles/hurt-ctf.py" "$TRACETOOL" "$TRACETOOL_DATA/ctf-hosts" node0/ust/uid/1000/64-bit/channel0_$channel $n_places >judged 2>&1 &&
            grep -q "^$((2 * n_places)) damaged, 0 absurd" judged
        result $? "a damaged time or a hole in channel $channel makes no run long and invents no process in silence"
    done
    if command -v babeltrace2 >/dev/null; then
        status=0
        for seed in $(seeds 8); do
            python3 "$make" random $seed "$scratch/random" && import "$scratch/random" &&
                python3 "$oracle" "$db" "$scratch/random" || { echo "# seed $seed"; status=1; break; }
            rm -rf "$scratch/random"
        done
        result $status 'random programs with lost events are what babeltrace2 prints of them'
    fi
fi

# -- threads -------------------------------------------------------------------------------------------
if command -v python3 >/dev/null && command -v taskset >/dev/null && [ "$(nproc)" -gt 1 ]; then
    python3 "$make" large 400 "$scratch/large" && import "$scratch/large" && has out '10,405 spans' &&
        run 0 --db "$db" query --format csv 'SELECT * FROM event' && cp "$scratch/out" "$scratch/many" && filled "$scratch/many"
    rm -f "$db" && taskset -c "$(taskset -pc $$ | sed 's/.*[:, -]//')" "$TRACETOOL" --db "$db" import -q "$scratch/large" &&
        run 0 --db "$db" query --format csv 'SELECT * FROM event' && same out many
    result $? 'one processor imports what several do'
    rm -rf "$scratch/large" "$scratch/many"
else
    skip 'one processor imports what several do' 'there is one, or python3 or taskset is not here'
fi

# -- memory ------------------------------------------------------------------------------------------
# The length of an array asks for more than its packet has; the other stream is whole.
ask_for() { # LENGTH : in octal bytes
    rm -rf "$scratch/long" && cp -r "$TRACETOOL_DATA/ctf-lttng" "$scratch/long" && chmod -R u+w "$scratch/long" &&
        printf "$1" | dd of="$scratch/long/kernel/channel0_1" bs=1 seek=92 conv=notrunc 2>/dev/null
}
peak() { # ARGUMENT... : the most KiB that tracetool took, in $kib
    kib=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$TRACETOOL" "$@")
}
for length in '177 377 377 377' '001 000 000 000' '000 040 000 000'; do
    ask_for "\\$(echo "$length" | sed 's/ /\\/g')"
    rm -f "$db" && run 3 --db "$db" import "$scratch/long" && filled "$db" && has out '1 damaged stream' &&
        has err "kernel/channel0_1 is damaged: a field goes on beyond the end of its packet" && ask 'SELECT count(*) FROM event' 4
    result $? "an array of (octal) $length elements in 512 bytes: the other stream is read"
done
if command -v python3 >/dev/null && ! grep -q fsanitize "$BUILDDIR/config.status"; then
    ask_for '\001\000\000\000'
    rm -f "$db" && peak --db "$db" import "$scratch/long" && filled "$db" && [ "$kib" -lt 40960 ] || { echo "# $kib KiB"; false; }
    result $? 'its memory stays below 40 MiB'
fi

# -- real traces ----------------------------------------------------------------------------------------
for name in omp_full omp_rate jacobi_mpi_4np_v2; do
    if [ -d "$SHARED_DATA/pinsight/$name" ]; then
        agrees "$name is what babeltrace2 prints of it" "$SHARED_DATA/pinsight/$name"
    else
        skip "$name" 'shared data is not here'
    fi
done
if [ -d "$SHARED_DATA/pinsight/omp_full" ]; then
    import "$SHARED_DATA/pinsight/omp_full"
    ask "SELECT sum(name = 'COMP.omp_parallel'), sum(name = 'COMP.omp_implicit_task'), sum(name LIKE 'COMP.omp_work.%'), sum(name LIKE 'SYNC.omp_barrier.%'), sum(name = 'COMP.omp_masked') FROM event" '20,80,120,120,10'
    result $? 'omp_full has what PInsight traced'
fi

# The only stream of a trace is none: the error says why.
mkdir "$scratch/magic" && cp "$TRACETOOL_DATA/ctf-lttng/kernel/metadata" "$scratch/magic" && head -c 300 "$TRACETOOL_DATA/ctf-lttng/kernel/channel0_0" | tr '\301\374' 'xy' >"$scratch/magic/channel0_0"
run 1 --db "$scratch/magic.db" import "$scratch/magic" && has err 'no event can be read' "channel0_0 is damaged: it does not begin with the magic number" && [ ! -e "$scratch/magic.db" ]
result $? 'a trace whose only stream is damaged'
finish

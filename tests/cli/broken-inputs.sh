#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One broken file of several, of every format whose files stand alone: it is left out with its reason and exit status 3,
# the rows of the others are those of an import without it, and --strict imports nothing.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA
first=$data/chrome/every-kind.json
last=$data/kineto/waits.json

rows() { # : all that the sound two brought
    run 0 --db "$db" query --format csv "SELECT format, pid, tid, name, ts_ns, dur_ns, self_ns, depth, event.args, flags FROM event JOIN source ON source.id = source WHERE path IN ('$first', '$last') ORDER BY 1, 2, 3, 5, 6, 4, 9" &&
        has out kineto && cp "$scratch/out" "$1" &&
        run 0 --db "$db" query --format csv "SELECT s.op_long_name, s.count, s.total_ns, s.self_ns FROM statistic s WHERE pid IN (SELECT DISTINCT pid FROM event JOIN source ON source.id = source WHERE path = '$first') ORDER BY 1" &&
        has out total_ns && cat "$scratch/out" >>"$1"
}
holes() { # FILE : 6 copies, each with zeros at another place, and their names
    python3 - "$1" "$scratch" <<'PYTHON'
import os, sys
data, name = open(sys.argv[1], 'rb').read(), os.path.basename(sys.argv[1])
width = max(8, min(4096, len(data) // 40))
for k in range(6):
    at = (2 * k + 1) * len(data) // 12
    path = f'{sys.argv[2]}/hole{k}-{name}'
    open(path, 'wb').write(data[:at] + bytes(width) + data[at + width:])
    print(path)
PYTHON
}

import "$first" "$last" && rows "$scratch/sound" && ask "SELECT count(*) > 20 FROM event" 1
result $? 'two sound files'

n_sound=$("$TRACETOOL" --db "$db" query --format csv 'SELECT count(*) FROM event' | sed 1d)

# is_left_out FILE : status 3, --strict refuses, and the others are whole
is_left_out() {
    rm -f "$db"*
    run 3 --db "$db" import "$first" "$1" "$last" && has err "left out" "$1" '1 of the traces is not in the run' &&
        rows "$scratch/rows" && cmp "$scratch/rows" "$scratch/sound" &&
        ask "SELECT count(*) FROM source" 2 && run 0 info --check --db "$db" && has out "is whole" &&
        rm -f "$db"* && run 1 --db "$db" import --strict "$first" "$1" "$last" && [ ! -e "$db" ]
}
: >"$scratch/empty.json"
head -c 5000 /dev/zero >"$scratch/zeros.json"
echo '{"traceEvents": "none"}' >"$scratch/none.json"
echo 'no trace' >"$scratch/words.json"
for name in empty zeros none words; do
    is_left_out "$scratch/$name.json"
    result $? "$name.json"
done
run 1 --db "$db" import "$scratch/empty.json" "$scratch/zeros.json" && has err 'empty.json: the file is empty'
result $? 'nothing but broken files: an error'
gzip -nc "$first" | head -c 12 >"$scratch/cut.json.gz" && run 1 --db "$db" import "$scratch/cut.json.gz" &&
    has err 'ends before anything of its contents can be read'
result $? 'a compressed file of which nothing is left is not called empty'
mkdir "$scratch/folder" && cp "$first" "$scratch/empty.json" "$scratch/zeros.json" "$scratch/words.json" "$scratch/folder"
rm -f "$db"*
run 3 --db "$db" import "$scratch/folder" && has err 'empty.json: empty, or nothing but zeros' '2 of the traces are not' 'words.json' &&
    rm -f "$db"* && run 1 --db "$db" import --strict "$scratch/folder" && has err 'empty, or nothing but zeros'
result $? 'of a folder: what is empty counts, what is no trace is told'

if command -v python3 >/dev/null; then
    for file in kineto/rank1.json nsys/ranks.sqlite rocprof/rocm62.json framework/nccl/comm_detail.json \
        framework/xprof/cpu.trace.json chrome/stacks.json; do
        bad='' n_left=0
        for broken in $(holes "$data/$file"); do
            rm -f "$db"*
            "$TRACETOOL" --db "$db" import "$first" "$broken" "$last" >"$scratch/out" 2>"$scratch/err"
            status=$?
            [ -n "$n_sound" ] || status=none
            if [ "$status" = 3 ] && grep -q 'left out' "$scratch/err"; then
                is_left_out "$broken" || bad="$bad $broken"
                n_left=$((n_left + 1))
            elif [ "$status" != 0 ] && ! { [ "$status" = 3 ] && grep -q 'damaged record' "$scratch/err"; } || ! ask "SELECT count(*) FROM event JOIN source ON source.id = source WHERE path IN ('$first', '$last')" "$n_sound"; then
                bad="$bad $broken"
            fi
        done
        echo "# $file: $n_left of 6 left out, the others mended${bad:+; wrong:}$bad"
        [ -z "$bad" ]
        result $? "$file: holes are its own fault"
    done
else
    skip 'holes' 'python3 is not here'
fi

# -- files of a job beside its traces, and of the whole job ----------------------------------------------------------
job_rows() { # FILE : what the database of a job holds
    run 0 --db "$db" query --format csv "SELECT pid, tid, name, ts_ns, dur_ns, step FROM event ORDER BY 1, 2, 4, 3, 5" && has out FW. && mv "$scratch/out" "$1" &&
        run 0 --db "$db" query --format csv "SELECT pid, key, length (value) FROM metadata JOIN process ON process.id = process ORDER BY 1, 2" &&
        cat "$scratch/out" >>"$1"
}
# stands_without JOB FILE : a broken FILE of JOB is left out, and the rest is as without it
stands_without() {
    rm -rf "$scratch/job" && cp -r "$1" "$scratch/job" && chmod -R u+w "$scratch/job" && rm "$scratch/job/$2" &&
        import "$scratch/job" && job_rows "$scratch/sound" || return 1
    for broken in zeros.json words.json; do
        rm -f "$db"* && cp "$scratch/$broken" "$scratch/job/$2" && run 3 --db "$db" import "$scratch/job" &&
            has err "$2" 'left out' '1 of the traces is not in the run' && job_rows "$scratch/rows" &&
            cmp "$scratch/rows" "$scratch/sound" && run 0 --db "$db" info --trust && has out "$2" &&
            rm -f "$db"* && run 1 --db "$db" import --strict "$scratch/job" && has err "$scratch/job/" && [ ! -e "$db" ] || return 1
    done
}
for file in dag.gml nccl_rank_graph.json metadata.json gradient_name_list.json; do
    stands_without "$data/job-2x1" "host0/0/$file"
    result $? "a job stands without its $file"
done
if command -v python3 >/dev/null; then
    mkdir "$scratch/byteps" && python3 "$data/generators/job.py" --kind byteps --gpus 1 --truth "$scratch/truth.json" "$scratch/byteps"
    for file in server_timeline.json comm_timeline.json; do
        stands_without "$scratch/byteps" "$file"
        result $? "a job of BytePS stands without its $file"
    done
else
    skip 'BytePS' 'python3 is not here'
fi

# -- a thread of several ------------------------------------------------------------------------------------------
cp -r "$data/pi-run" "$scratch/pi" && chmod -R u+w "$scratch/pi"
import "$data/pi-run"
run 0 --db "$db" query --format csv "SELECT name, ts_ns, dur_ns, args FROM event WHERE tid <> 'main_0' ORDER BY 2, 1" && cp "$scratch/out" "$scratch/sound"
[ "$(wc -l <"$scratch/sound")" -gt 20 ]
result $? 'a PI recording of two threads'
dd if=/dev/zero of="$scratch/pi/main_0.pi_trace" bs=1 seek=453 count=100 conv=notrunc 2>/dev/null
rm -f "$db"*
run 3 --db "$db" import "$scratch/pi" && has err 'calls are found again at byte' 'calls after the damage of 1 of its 2 threads' &&
    run 0 --db "$db" query --format csv "SELECT name, ts_ns, dur_ns, args FROM event WHERE tid <> 'main_0' ORDER BY 2, 1" &&
    cmp "$scratch/out" "$scratch/sound"
result $? 'the damage of one: the other has all its calls'
rm -f "$db"*
run 1 --db "$db" import --strict "$scratch/pi" && [ ! -e "$db" ]
result $? '--strict'
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program of CUDA with a probe in its kernels: it computes what it did, and its records are those of `probe run`. The
# driver is a stand-in that runs kernels here; where there is a GPU, the same is asked of it.
. "$SRCDIR/tests/cli/lib.sh"
gpu=$SRCDIR/tests/gpu
program=$BUILDDIR/tests/gpu/cuda-program
driver=$BUILDDIR/tests/gpu/.libs/libcuda.so

if [ ! -x "$program" ] || [ ! -e "$driver" ]; then
    skip 'programs of CUDA' 'no stand-in for its driver was built'
    finish
fi
mkdir driver
cp "$driver" driver/libcuda.so.1

cat >counts.py <<'TEXT'
from neutrino import probe, Map
import neutrino.language as nl
@Map(level="thread", type="array", size=16, cap=1)
class Traffic:
    loaded: nl.u64
    stored: nl.u32
    n: nl.u32
loaded: nl.u64 = 0
stored: nl.u32 = 0
n: nl.u32 = 0
@probe(pos="ld.global", level="thread")
def load():
    loaded += nl.bytes
    n += 1
@probe(pos="st.global", level="thread")
def store():
    stored += nl.bytes
@probe(pos="kernel", level="thread")
def leave():
    Traffic.save(loaded, stored, n)
TEXT
cp "$gpu/probes/lanes.py" "$gpu/probes/seed.py" .

# expected PROBE : what `probe run` records of the three launches of the program, in expected-1, -2, -3
expected() {
    rm -rf expected-*
    run 0 probe weave "$gpu/kernels-O2.ptx" "$1" -o woven.ptx &&
        run 0 probe run -k add -g 5 -b 48 -a zero:800 -a zero:800 -a zero:800 -a u32:200 --trace expected-1 woven.ptx &&
        run 0 probe run -k stencil -g 4 -b 64 -a zero:1600 -a zero:1600 -a s32:200 --trace expected-2 woven.ptx &&
        run 0 probe run -k multiply -g 2,2 -b 16,16 -a zero:4096 -a zero:4096 -a zero:4096 -a s32:32 --trace expected-3 woven.ptx
}
# same_records DIR : its three results are those
same_records() {
    i=1
    for file in $(find "$1/result" -name '*.bin' | sort -V); do
        cmp "$file" expected-$i/result/0.000000.bin || return 1
        i=$((i + 1))
    done
    [ $i -eq 4 ]
}

export LD_LIBRARY_PATH="$scratch/driver"
"$program" dlsym "$gpu/kernels-O2.ptx" plain.bin && [ "$(wc -c <plain.bin)" -eq 6496 ]
result $? 'the program alone'
for probe in counts lanes seed; do
    expected $probe.py
    for how in dlsym procaddress file alone list library; do
        run 0 probe record -o $probe-$how $probe.py "$program" $how "$gpu/kernels-O2.ptx" $how.bin && cmp plain.bin $how.bin && same_records $probe-$how &&
            has err "recorded 3 launches; 'tracetool stats $probe-$how' shows them"
        result $? "$probe, by $how"
    done
done
run 0 probe record -o graph counts.py "$program" graph "$gpu/kernels-O2.ptx" graph.bin && cmp plain.bin graph.bin &&
    has err 'kernels went into graphs, whose launches are not recorded' 'recorded 0 launches' && unsaid 'nobody has that'
result $? 'kernels in graphs whose parameters are set 301 times'
for how in nodes nodes-12.2 nodes-12.3; do
    "$program" $how "$gpu/kernels-O2.ptx" nodes.bin && cmp plain.bin nodes.bin &&
        run 0 probe record -o $how counts.py "$program" $how "$gpu/kernels-O2.ptx" nodes.bin && cmp plain.bin nodes.bin &&
        has err 'kernels went into graphs, whose launches are not recorded' 'recorded 0 launches' && unsaid 'nobody has that'
    result $? "the same by the calls for nodes of any kind, $how"
done
import seed-dlsym && ask "SELECT count(*) > 40, count(DISTINCT name) >= 3 FROM event" 1,1 && ask "SELECT count(*) FROM source WHERE repairs IS NOT NULL" 0
result $? 'records import, and nothing is to repair'

# -- what modules come in ------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    expected counts.py
    for form in plain packed zstd; do
        python3 "$gpu/fat-binary.py" $form "$gpu/kernels-O2.ptx" $form.fatbin &&
            run 0 probe record -o fat-$form counts.py "$program" dlsym $form.fatbin fat.bin && cmp plain.bin fat.bin && same_records fat-$form
        result $? "PTX in a fat binary, $form"
    done
    for form in 'code:it has no PTX' 'zstd-past:its PTX is compressed in a way that is not known' 'zstd-short:its PTX is compressed in a way that is not known' 'past:its PTX is compressed in a way that is not known'; do
        python3 "$gpu/fat-binary.py" "${form%%:*}" "$gpu/kernels-O2.ptx" odd.fatbin &&
            run 1 probe record -o "odd-${form%%:*}" counts.py "$program" dlsym odd.fatbin odd.bin && has err "a module is not probed: ${form#*:}"
        result $? "a fat binary: ${form#*:}"
    done
    # NVIDIA's own, of CUDA 12 or 13: its default is zstd.
    if command -v fatbinary >/dev/null; then
        status=0
        for mode in none speed balance size default; do
            rm -rf fat-own
            if ! fatbinary --create=own.fatbin --compress-mode=$mode -64 "--image3=kind=ptx,sm=80,file=$gpu/kernels-O2.ptx" ||
                ! run 0 probe record -o fat-own counts.py "$program" file own.fatbin fat.bin || ! cmp plain.bin fat.bin || ! same_records fat-own; then
                echo "# $mode"
                status=1
            fi
        done
        result $status 'fat binaries by fatbinary, in each way of compression'
    else
        skip 'fat binaries by fatbinary' 'it is not here'
    fi
    head -c 3000 packed.fatbin >cut.fatbin
    run 1 probe record -o cut counts.py "$program" dlsym cut.fatbin cut.bin && has err 'a module is not probed: '
    result $? 'a fat binary that is cut'
    # In a file its size is known: nothing is read behind it.
    status=0
    for bytes in 15 16 79 200 3000; do
        head -c $bytes plain.fatbin >cut.fatbin
        rm -rf cut-file
        if ! run 1 probe record -o cut-file counts.py "$program" file cut.fatbin cut.bin || ! has err 'a module is not probed: it is a fat binary that is cut' 'cuModuleLoad: 200'; then
            echo "# $bytes"
            status=1
        fi
    done
    result $status 'files of fat binaries that are cut'
    printf '\261\103\142\106\1\0\0\0\1\0\0\0\0\0\0\0' >wrapper.fatbin
    run 1 probe record -o wrapper counts.py "$program" file wrapper.fatbin cut.bin && has err 'a module is not probed: it is of a form that is not known' 'cuModuleLoad: 200'
    result $? 'a file that has an address'
else
    skip 'fat binaries' 'no python3'
fi

# -- limits --------------------------------------------------------------------------------------------------
sed 's/pos="ld.global"/pos="ld.global.v4.f32"/; s/loaded += nl.bytes/loaded += nl.out/' counts.py >vector.py
cat "$gpu/kernels-O2.ptx" >both.ptx && sed '1,/address_size/d' "$gpu/guarded.ptx" >>both.ptx
run 0 probe record -o vector vector.py "$program" dlsym both.ptx vector.bin && cmp plain.bin vector.bin && has err 'a module is not probed: ' &&
    has err 'it is a vector here' && has err 'recorded 0 launches'
result $? 'a module that cannot be woven runs as it is'
sed 's/cap=1/cap="dynamic"/; s/    n += 1/    Traffic.save(loaded, stored, n)/; /^@probe(pos="kernel"/,$d' counts.py >dynamic.py
run 0 probe record -o room --room 1 dynamic.py "$program" dlsym "$gpu/kernels-O2.ptx" room.bin && cmp plain.bin room.bin &&
    has err 'records found no room: raise the cap of their map, or --room where it is dynamic' &&
    run 0 probe record -o roomy --room 64 dynamic.py "$program" dlsym "$gpu/kernels-O2.ptx" room.bin && unsaid 'no room'
result $? 'room where a cap is dynamic'

# A weaver that damages its plan.
cat >weaver <<'TEXT'
#!/bin/sh
"$WEAVER" "$@" && sed -i "$DAMAGE" "$4"
TEXT
chmod +x weaver
# damaged DAMAGE LINE : that of the plan is refused for a line, and the program runs as it is
damaged() {
    rm -rf damaged
    run 0 probe record -o damaged counts.py env TRACETOOL_PROBE_TOOL="$scratch/weaver" WEAVER="$TRACETOOL" DAMAGE="$1" "$program" dlsym "$gpu/kernels-O2.ptx" damaged.bin &&
        cmp plain.bin damaged.bin && has err "a module is not probed: line $2 of its plan is damaged" 'recorded 0 launches' && has damaged/event.log "weave: line $2 of its plan is damaged"
}
status=0
while read -r line damage; do
    damaged "$damage" "$line" || { echo "# $damage"; status=1; }
done <<'TEXT'
1 1s/.*/map 4294967296 16 1/
1 1s/.*/map 2 16 1/
1 1s/.*/map -1 16 1/
1 1s/.*/map 0 +16 1/
1 1s/.*/map 0 0 1/
1 1s/.*/map 0 18446744073709551632 1/
1 1s/.*/map 0 16 268435456/
1 1s/.*/map 0 16 1x/
1 1s/.*/map 0 16 1 1/
1 1s/.*/map 0  16 1/
1 1s/^/ /
12 1d
2 2s/^kernel [0-9]*/kernel 0/
2 2s/^kernel [0-9]*/kernel 4294967297/
2 2s/^kernel \([0-9]*\) [0-9]*/kernel \1 18446744073709551608/
2 2s/^kernel \([0-9]*\) [0-9]*/kernel \1 12/
2 2s/ [0-9a-f]\{40\} / 0123 /
2 2s/ [0-9a-f]\{40\} /&0/
2 2s/ [^ ]*$/ a.b/
2 2s/$/ more/
2 2s/ [^ ]*$/ /
14 1p
3 1,2!d
13 $s/.*/end 1 3 /
13 $s/.*/end/
14 $p
TEXT
result $status 'a plan that is damaged'
sed 's/cap=1/cap=268435456/' counts.py >huge.py
run 0 probe record -o huge huge.py "$program" dlsym "$gpu/kernels-O2.ptx" huge.bin && cmp plain.bin huge.bin && has err 'a module is not probed: line 1 of its plan'
result $? 'records that are too many for a launch'
# The second map finds no memory: the first one's is given back, once.
sed 's/^loaded: nl.u64 = 0/@Map(level="thread", type="array", size=16, cap=100000)\nclass Vast:\n    a: nl.u64\n    b: nl.u64\n&/; s/^    Traffic.save.*/&\n    Vast.save(loaded, loaded)/' counts.py >vast.py
run 1 probe record -o vast vast.py "$program" dlsym "$gpu/kernels-O2.ptx" vast.bin && has err 'cuLaunchKernel: 2' '1 launches failed' && unsaid 'nobody has that'
result $? 'no memory for records'
# Each of these is no room: nothing is recorded, and it is said.
status=0
for room in 0 -1 +1 1x '' 18446744073709551616; do
    rm -rf no-room
    if ! run 0 probe record -o no-room dynamic.py env TRACETOOL_PROBE_ROOM="$room" "$program" dlsym "$gpu/kernels-O2.ptx" room.bin || ! cmp plain.bin room.bin ||
        ! has err 'nothing is recorded: TRACETOOL_PROBE_ROOM is not a count' || [ -e no-room/event.log ]; then
        echo "# '$room'"
        status=1
    fi
done
result $status 'a room that is no number'
run 1 probe record -o room-most --room 9223372036854775807 dynamic.py "$program" dlsym "$gpu/kernels-O2.ptx" room.bin && has err '1 launches failed'
result $? 'more room than can be counted'
# Where files cannot be written.
run 0 probe record -o lost counts.py sh -c 'rmdir lost/result && exec "$@"' - "$program" dlsym "$gpu/kernels-O2.ptx" lost.bin && cmp plain.bin lost.bin && has err 'its launch is not recorded' 'recorded 0 launches'
result $? 'no folder for results'
run 0 probe record -o lost-log counts.py sh -c 'rm -r lost-log && exec "$@"' - "$program" dlsym "$gpu/kernels-O2.ptx" lost.bin && cmp plain.bin lost.bin && has err "nothing is recorded: cannot make '"
result $? 'no folder for the log'
run 0 probe record -o none counts.py true && has err "loaded no module by CUDA's driver"
result $? 'a program without CUDA'
refuses 1 'cannot make' probe record -o none counts.py true && refuses 1 'no such program' probe record -o x counts.py ./absent && refuses 2 'which program?' probe record -o x counts.py &&
    refuses 2 'which probe?' probe record && refuses 2 "'-o DIR' says" probe record counts.py true && refuses 2 'at least 1' probe record -o x --room 0 counts.py true &&
    refuses 1 'absent.py' probe record -o x absent.py true && [ ! -e x ]
result $? 'usage'
run 3 probe record -o status counts.py sh -c 'echo ran >ran; exit 3' && has ran ran
result $? "the program's exit status"

# -- where there is a GPU ---------------------------------------------------------------------------------------
unset LD_LIBRARY_PATH
if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then
    for probe in counts lanes; do
        expected $probe.py && run 0 probe record -o gpu-$probe $probe.py "$program" procaddress "$gpu/kernels-O2.ptx" gpu.bin && cmp plain.bin gpu.bin && same_records gpu-$probe
        result $? "$probe on the GPU"
    done
else
    skip 'a GPU' 'there is none'
fi
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The calls of PI recordings, printed: the original's listing, ours, times, the first error.
. "$SRCDIR/tests/cli/lib.sh"
cp -r "$TRACETOOL_DATA"/pi-run "$TRACETOOL_DATA"/pi-g1 "$TRACETOOL_DATA"/pi-g2 "$TRACETOOL_DATA"/pi-doc . && chmod -R u+w .
oracle=$SRCDIR/tests/oracles/pi-print.py
python=$(command -v python3 || true)

# -- the original's listing ----------------------------------------------------------------------------
if [ -d "$SHARED_DATA/pi/print" ]; then
    cp -r "$SHARED_DATA/pi/ex_pb" .
    for form in 'default' 'verbose --verbose' 'perf --perf'; do
        name=${form%% *}
        # shellcheck disable=SC2086
        run 0 pi print --style classic ${form#"$name"} ex_pb && same out "$SHARED_DATA/pi/print/$name.txt"
        result $? "the original's listing: $name"
    done
    # The original takes threads in the order of the directory, which is another one in each copy.
    by_name() { # FILE : its threads in order of their names
        awk '/^~START THREAD/ { part++ } { printf "%s\t%d\t%s\n", (part ? name[part] = ($1 == "~START" ? $4 : name[part]) : ""), NR, $0 }' "$1" |
            sort -s -t "$(printf '\t')" -k1,1 | cut -f3-
    }
    run 0 pi print --style classic --group thread ex_pb && by_name out >ours && by_name "$SHARED_DATA/pi/print/groupthread.txt" >theirs &&
        same ours theirs && [ "$(grep '^~START' out | tr '\n' ' ')" = '~START THREAD : main ~START THREAD : main_0 ~START THREAD : main_0_0 ' ]
    result $? "the original's listing: group thread"
    run 0 pi print --style classic --group thread --order directory ex_pb && by_name out >ours && same ours theirs &&
        grep '^~START' out | sed 's/.* : //' >order && (cd ex_pb && find . -name '*.pi_trace' | sed 's|^\./||; s|\.pi_trace$||') >listed && same order listed
    result $? 'threads in the order of the directory'
else
    skip "the original's listing" 'the shared data are not here'
fi

if [ -n "$python" ]; then
    for form in '' 'thread' 'verbose' 'perf' 'thread verbose perf'; do
        options=$(for word in $form; do if [ "$word" = thread ]; then echo --group thread; else echo "--$word"; fi; done)
        # shellcheck disable=SC2086
        "$python" "$oracle" classic pi-run $form >wanted && run 0 pi print --style classic $options pi-run && same wanted out
        result $? "the original's listing of pi-run:${form:+ $form}"
    done
    for seed in $(seeds 3); do
        "$python" "$oracle" generate $seed random$seed && status=0
        for form in '' 'thread' 'verbose' 'perf' 'thread verbose perf'; do
            options=$(for word in $form; do if [ "$word" = thread ]; then echo --group thread; else echo "--$word"; fi; done)
            # shellcheck disable=SC2086
            "$python" "$oracle" classic random$seed $form >wanted && run 0 pi print --style classic $options random$seed && same wanted out || status=1
        done
        [ "$status" -eq 0 ]
        result $? "the original's listing of random calls, seed $seed"
        run 0 pi print --perf --format csv random$seed && "$python" "$oracle" perf random$seed out &&
            run 0 pi print --perf --format csv --group thread random$seed && "$python" "$oracle" perf random$seed out thread
        result $? "times of random calls, seed $seed"
    done
else
    skip "the original's listing, times of functions" 'python3 is not here'
fi

# Types by number: INT32, INT64, UINT32, UINT64; the first is not written.
mkdir negative idle && printf '\072\0\0\0\010\052\020\005\030\006\052\013\020\377\377\377\377\377\377\377\377\377\001\052\006\020\377\377\377\377\017\052\015\010\001\020\376\377\377\377\377\377\377\377\377\001\052\010\010\002\020\377\377\377\377\017\052\004\010\003\020\007' >negative/main.pi_trace
run 0 pi print --style classic negative && grep '<unknown>' out | tr -d ' ' | tr '\n' ' ' >got &&
    [ "$(cat got)" = '<unknown>:-1 <unknown>:-1 <unknown>:-2 <unknown>:4294967295 <unknown>:7 ' ]
result $? "the original's listing: negative numbers"
cp pi-run/*.pi_trace idle && : >idle/main_7.pi_trace && run 0 pi print --style classic --group thread --verbose --perf idle && refute has out main_7 &&
    [ "$(tail -2 out | head -1)" = "~END THREAD : $(grep '^~START' out | tail -1 | sed 's/.* : //')" ] &&
    sed -n '/^Performance/,$p' out >end && refute matches end '^~START'
result $? "the original's listing: a thread without calls, and the place of the summary"

# The generations differ in what they record of one run, not in its calls.
for generation in g1 g2 doc; do
    run 0 pi print --style classic --thread main pi-run && grep -v '<string>\|0x7f000000[12]0[04]0$\|^Image desc' out | sed '1,/^----*$/d' >wanted
    run 0 pi print --style classic --thread main pi-$generation && grep -v '<string>\|^Image desc' out | sed '1,/^----*$/d' >got && same wanted got &&
        has out '            <string> : -cl-fast-relaxed-math' '            <string> : _ZTSZ4mainE5saxpy'
    result $? "the same calls from pi-$generation"
done
run 0 pi print --style classic --verbose pi-g1 && has out 'Backend            : OpenCL' && has err 'call in progress: piQueueFinish' &&
    run 0 pi print --style classic --verbose pi-g2 && refute matches out '^Backend'
result $? 'the backend where it is recorded'

# -- ours --------------------------------------------------------------------------------------------------
run 0 pi print pi-run && has out '# ./saxpy --size 4096 two words' '# G3' '# image 0: SPIR-V for spir64_gen; kernels saxpy, scale' \
    'piPlatformGetInfo(platform=platform#1, param_name=NAME, param_value_size=15, param_value=0x7ffc00000200 -> "Example OpenCL", param_value_size_ret=NULL) = SUCCESS' \
    'piDevicesGet(platform=platform#1, device_type=GPU, num_entries=0, devices=NULL, num_devices=0x7ffc00000100 -> 1)' \
    'piQueueCreate(context=context#1?, device=device#1, properties=PROFILING, queue=0x7ffc00000138 -> queue#1?) = SUCCESS' \
    'flags=RW|HOST_PTR_USE' 'MAX_COMPUTE_UNITS, param_value_size=4, param_value=0x7ffc00000120 -> 96' \
    'piEnqueueKernelLaunch(queue=queue#1, kernel=kernel#2 scale, work_dim=1' '= INVALID_VALUE (-30), a query refused' \
    'contents in buffers/main_0.mem' && has err "1 of 58 calls failed; '--errors'" && lines out 62 &&
    [ "$(grep -c '^!' out)" -eq 1 ] && grep -q '^! .*INVALID_BUFFER_SIZE (-61)$' out
result $? 'names, symbols, outputs, objects, the call that failed'
run 0 pi print pi-g1 && has out 'options="-cl-fast-relaxed-math"' 'kernel_name="_ZTSZ4mainE5scale", ret_kernel=0x7ffc00000168 -> kernel#2 scale?' \
    'piQueueFinish() = never returned'
result $? 'texts and stubs of older generations'
run 0 pi print pi-run --calls 32:33 && lines out 6 && cp out some && run 0 pi print pi-run --calls 32:33 --group thread && same some out &&
    run 0 pi print pi-run --calls 33 && lines out 5 && run 0 pi print pi-run --calls :2 && lines out 6 && run 0 pi print pi-run --calls 58: && lines out 5 &&
    run 0 pi print pi-run --thread main_0 --filter-function '*Release' && [ "$(grep -c piEventRelease out)" -eq 6 ] && lines out 10
result $? 'a choice of calls keeps numbers and names'
run 0 pi print pi-run --group thread && sed 1,4d out | sort >grouped && run 0 pi print pi-run && sed 1,4d out | sort | same - grouped
result $? 'thread by thread the same lines'
run 0 pi print pi-run --verbose --calls 12 && has out '          properties                 PROFILING' '11 at byte'
result $? 'an argument a line'
run 0 pi print pi-run/main_0.pi_trace && has out 'main_0' && refute has out 'main  ' && run 0 pi print -o listing.txt.gz pi-run && [ ! -s out ] &&
    gzip -dc listing.txt.gz >listing && run 0 pi print pi-run && same listing out
result $? "one thread's file; to a file"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "env -u NO_COLOR TERM=xterm '$TRACETOOL' pi print pi-run" /dev/null >typed 2>&1
    [ "$(grep -c "$(printf '\033')\[31m! .*INVALID_BUFFER_SIZE" typed)" -eq 1 ] && [ "$(grep -c "$(printf '\033')" typed)" -eq 1 ]
    result $? 'the call that failed is red on a terminal'
else
    skip 'the call that failed is red on a terminal' 'script is not here'
fi
run 0 pi print --format json pi-run && lines out 58
if [ -n "$python" ]; then
    "$python" -c 'import json
calls = [json.loads(line) for line in open("out", encoding="utf-8")]
assert [call["number"] for call in calls] == list(range(1, 59))
one = calls[7]
assert one["outputs"]["param_value"] == "Example GPU \u00b5" and one["args"]["param_name"] == "NAME", one
assert one["start_ns"] == 868000 and one["dur_ns"] == 1000 and one["objects"]["device"]["object"] == "device#1"
failed = [call for call in calls if call["failed"]]
assert len(failed) == 1 and failed[0]["result"] == -61 and failed[0]["args"]["size"] == 0
assert calls[11]["objects"]["queue"] == {"object": "queue#1", "created": True, "inferred": True}, calls[11]
assert calls[32]["contents"] == "main_0.mem" and calls[32]["args"]["blocking_read"] is True'
    result $? 'an object a call'
else
    skip 'an object a call' 'python3 is not here'
fi

# -- errors ----------------------------------------------------------------------------------------------------
run 0 pi print --errors pi-run && has out '1 of 58 calls failed; 1 query was refused, which is usual' 'The first is number 32 on main.' \
    'made context#1 (inferred from the order of first uses)' 'last used context#1' 'before it on the same thread' &&
    tail -n 1 out | grep -q '^! .*piMemBufferCreate.*INVALID_BUFFER_SIZE' && [ ! -s err ]
result $? 'the first failing call and what led to it'
run 0 pi print --errors --thread main_0 pi-g1 && has out '0 of 20 calls failed; 1 never returned' 'number 59 on main_0' && [ "$(wc -l <err)" -eq 1 ] &&
    run 0 pi print --errors --thread main_0 pi-g2 && has out '0 of 19 calls failed' && lines out 1
result $? 'a call that never returned; no failing call'

# -- Unified Runtime ----------------------------------------------------------------------------------------------
if [ -n "$python" ]; then
    "$python" "$SRCDIR/tests/oracles/make-pi-ur.py" ur && run 0 pi print ur && has err 'unknown function id 9001' &&
        has out 'urQueueCreate(hContext=context#1, hDevice=device#1, pProperties=NULL, phQueue=0x10 -> queue#1) = SUCCESS' \
            'pGlobalWorkSize=[512, 3], pLocalWorkSize=NULL, numEventsInWaitList=0, phEventWaitList=NULL, phEvent=0x30 -> event#1)' \
            'urEventWait(numEvents=1, phEventWaitList=[event#1]) = ERROR_INVALID_VALUE (4)' 'urFromTomorrow(5, 6) = SUCCESS' '     1.250       0.500  main'
    result $? 'a recording of Unified Runtime calls'
    run 0 pi print --errors ur && has out '1 of 6 calls failed' 'made event#1; before it' && run 0 pi print --style classic ur &&
        has out '----> urFromTomorrow(' && run 0 pi print --perf --format csv ur && has out 'urEventWait,1,0.5,'
    result $? 'its errors, listing and times'
else
    skip 'Unified Runtime' 'python3 is not here'
fi

# -- what is wrong ------------------------------------------------------------------------------------------------
run 2 pi print && has err 'which trace?' && refuses 2 'one trace at a time' pi print pi-run pi-g1 && run 2 pi print --style clasic pi-run && has err "did you mean 'classic'?" &&
    run 2 pi print --thread main_00 pi-run && has err "did you mean 'main_0'?" && refuses 2 "'--calls 0:3' is not A:B" pi print --calls 0:3 pi-run && refuses 2 "'--calls 3:2' is not A:B" pi print --calls 3:2 pi-run &&
    refuses 2 "'--calls x' is not A:B" pi print --calls x pi-run && refuses 2 "needs '--group thread'" pi print --order directory pi-run && run 2 pi print --format csv pi-run && has err '--format json' &&
    refuses 2 "'--style classic' has neither" pi print --style classic --errors pi-run && run 2 pi print --pi-ids 2023 pi-run && has err '2021-summer' && refuses 2 "'--pi-generation g4' is not one of" pi print --pi-generation g4 pi-run &&
    run 2 pi pront && has err "did you mean 'pi print'?"
result $? 'wrong options are refused'
run 0 pi print pi-run --filter-function 'piX*' && has err 'no call matches' && run 1 pi print nothing && has err 'nothing'
result $? 'nothing to print'
cp -r pi-run odd && mv odd/main_0.pi_trace "odd/$(printf 'a\033[31m')b.pi_trace" && printf '\f\0\0\0' >odd/0.desc &&
    run 0 pi print odd && has out 'a\x1b[31mb' && has err 'odd/0.desc: byte 0' && cp out all && run 0 pi print --style classic odd && cat out all err >everything &&
    refute matches everything "$(printf '\033')"
result $? 'no escape of a name reaches the terminal; a damaged descriptor is warned of'
cp -r pi-run cut && head -c 300 pi-run/main.pi_trace >cut/main.pi_trace && printf '\003\0\0\0\017\377\377' >>cut/main.pi_trace &&
    run 1 pi print cut && has err 'cut/main.pi_trace: record 5 at byte 257' "'--salvage' keeps what is good" && has out piPlatformsGet && run 0 pi print --salvage cut &&
    has err 'cut/main.pi_trace' && has out 'main_0  '
result $? 'damage: what was read is printed, the place is told'
mkdir pipe && mkfifo pipe/main.pi_trace && refuses 1 'no calls here' pi print pipe && run 1 pi print pipe/main.pi_trace && has err FIFO
result $? 'a FIFO does not hang it'
if [ -d "$SHARED_DATA/pi/bad" ]; then
    cp -r "$SHARED_DATA/pi/bad" . && chmod -R u+w bad
    for trace in bad/*; do
        case $trace in
        */doc-huge-args | */pb-bad-wire | */pb-huge-length) wanted=1 ;;
        *) wanted=0 ;;
        esac
        run $wanted pi print "$trace" && has err "$trace/main." && run 0 pi print --salvage "$trace" && has out main_0_0 && run 0 pi print --salvage --perf "$trace"
        result $? "$trace"
    done
else
    skip 'damaged traces' 'the shared data are not here'
fi
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Recordings of real programs by clocks that are wrong: waits, what they cost and the path are those of the recording as it
# was, within 2 %, or it is told that they may be wrong, and the recording does not tell that they are. How far clocks are
# said to be known covers how wrong they are.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'recordings by wrong clocks' 'python3 is not here'
    finish
    exit 0
fi
judge=$SRCDIR/tests/oracles/skew_recorded.py
recorded=$TRACETOOL_DATA/recorded/mpi

answers() { # PREFIX FOLDER
    rm -f "$db"* && run 0 --db "$db" import "$2/tau.trc.gz" "$2/tau.edf.gz" && filled "$db" &&
        run 0 waits --by rank,kind --format csv --unit ns --top 0 && filled out && cp out "$1.waits" &&
        run 0 waits --show causes --format csv --unit ns --top 0 && filled out && cp out "$1.causes" &&
        run 0 critical-path --format json --unit ns --top 0 && filled out && cp out "$1.path"
}
skewed() { # RECORDING OFFSET_US [PPM [JUMP_US]]
    rm -rf skewed && python3 "$judge" make "$recorded/$1" skewed "${2}" "${3:-0}" "${4:-0}" && answers now skewed
}
same_answers() { # RECORDING SKEW...
    skewed "$@" && python3 "$judge" same true now >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}

# Where clocks are wrong by what is told and not by more.
are_known() { # OFFSET_US [PPM]
    python3 "$judge" known "$db" "$@" >told
    _status=$?
    sed 's/^/# /' told
    return $_status
}
# By these clocks, too, nothing comes before its cause; and beside waits, causes and path it stands that they may be wrong.
is_undecided() {
    python3 "$judge" possible "$db" >bounds && filled bounds && run 0 waits && has out 'clocks: ' &&
        run 0 waits --show causes && has out 'clocks: ' && run 0 critical-path && has out 'clocks: '
}

# What is wrong all the same, by more than 2 %, and why.
is_exception() { # RECORDING SKEW
    case "$1 $2" in
        # Three calls whose ends are apart by 0.3 to 0.8 ms: as much as it takes to leave them.
        'barrier 500') ;;
        # Who comes last to the first fence, by microseconds, is the rank whose start is on the path.
        'fence 50' | 'fence 100') ;;
        *) return 1 ;;
    esac
}
# All, with TEST_ALL=1; a third, with TEST_LONG=1; else some of each; a few where another build did so.
number=0
for recording in allreduce balanced barrier call-path early-reduce fence iallreduce imbalance late-broadcast late-receiver late-sender \
    late-sender-chain persistent probe propagated scatter-gather sub-communicators test-polling \
    thread-join two-halves waitall waitsome wrong-order; do
    answers true "$recorded/$recording"
    result $? "$recording as it is"
    for skew in '10000 50' '1' '20' '50' '100' '500' '2000' '10000' '0 50' '2000 50'; do
        number=$((number + 1))
        [ "${TEST_ALL:-0}" = 1 ] || { [ "${TEST_LONG:-0}" = 1 ] && [ $((number % 3)) -eq 0 ]; } || [ $((number % 11)) -eq 0 ] || { [ "$skew" = '10000 50' ] && [ "${TEST_AGAIN:-0}" != 1 ]; } || continue
        # shellcheck disable=SC2086
        if is_exception "$recording" "$skew"; then
            ! same_answers $recording $skew && filled judged && is_undecided && are_known $skew
            result $? "$recording, clocks wrong by $skew (us, ppm): undecided, and told"
        else
            same_answers $recording $skew && are_known $skew
            result $? "$recording, clocks wrong by $skew (us, ppm)"
        fi
    done
done
# Always: that the path may go another way is said where it does.
answers true "$recorded/fence" && skewed fence 50 && is_undecided && has out 'clocks: known to 990 us;' '2 of 3 waits on the path for another rank are shorter'
result $? 'a path by clocks that are in doubt'
# Likewise: what each of these stands for was wrong once.
for case in 'allreduce 500' 'fence 2000' 'two-halves 500' 'two-halves 2000 50' 'late-sender 2000' 'sub-communicators 50' \
    'sub-communicators 500' 'probe 2000' 'wrong-order 2000 50'; do
    # shellcheck disable=SC2086
    set -- $case
    recording=$1
    shift
    answers true "$recorded/$recording" && same_answers "$recording" "$@"
    result $? "$case: calls that hardly overlap, fences, messages one way, communicators"
done
# mpi_late.c, by machines with too little time: fences and barriers of which some end late by 3 to 10 ms, messages that take 30 us to
# 4 ms; and messages that are late by themselves, where only the ends of MPI tell.
recorded=$TRACETOOL_DATA/recorded/mpi-late
for case in 'oneway 2000' 'oneway 10000 50' 'rma 500' 'rma 10000 50' 'barriers 2000 50' 'barriers 10000' 'lazy 10000'; do
    # shellcheck disable=SC2086
    set -- $case
    recording=$1
    shift
    answers true "$recorded/$recording" && run 0 query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ] &&
        same_answers "$recording" "$@" && are_known "$@"
    result $? "$case: what ends of MPI_Init and MPI_Finalize tell"
done
recorded=$TRACETOOL_DATA/recorded/mpi
answers true "$recorded/allreduce" && same_answers allreduce 0 0 10000
result $? 'allreduce, clocks that were set'

# What nothing tells is not guessed.
answers true "$recorded/mutex" && skewed mutex 10000 && run 0 info && has out 'not compared: no message or collective'
result $? 'two ranks without a message'
run 0 waits && has out 'clocks: taken for one, of one host (vm); nothing else ties them'
result $? 'and what waits for the other rank rest on'
# A receiver that comes late is no clock that is ahead.
for recording in late-receiver late-sender wrong-order; do
    answers true "$recorded/$recording" && run 0 query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ]
    result $? "$recording: clocks that agree are left alone"
done
finish

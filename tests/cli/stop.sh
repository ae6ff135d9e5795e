#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stopped on the way, or out of room: a message, and no half files.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/tau-merged/run.* .
mkfifo pipe

# stopped TIMES COMMAND... : runs it with a silent standard input, kills it so many times at once.
stopped() {
    times=$1
    shift
    sleep 120 >pipe &
    writer=$!
    "$TRACETOOL" "$@" <pipe >out 2>err &
    reader=$!
    tries=0
    while [ $tries -lt 50 ] && kill -0 $reader 2>/dev/null && ! ls ./*.part-* ./*.importing-* >/dev/null 2>&1; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -0 $reader 2>/dev/null && sleep 0.3
    while [ "$times" -gt 0 ]; do
        kill -s "$signal" $reader 2>/dev/null
        times=$((times - 1))
    done
    wait $reader
    status=$?
    kill $writer
    wait $writer 2>/dev/null
    [ $status -eq 1 ] && has err 'cancelled' && ! ls ./*.part-* ./*.importing-* 2>/dev/null
}

for signal in INT TERM HUP; do
    stopped 1 convert - run.edf out.json && [ ! -e out.json ]
    result $? "SIG$signal stops a conversion that waits for its input"
done
signal=INT
stopped 2 convert - run.edf out.json
result $? 'two signals at once, as timeout(1) sends them, are one'

# -- limits -----------------------------------------------------------------------------------------
"$TRACETOOL" import -q run.trc run.edf
(ulimit -f 8 && run 1 import --db new.db run.trc run.edf && has err 'tracetool: cannot write') && ! ls new.db* 2>/dev/null
result $? 'import at the limit of ulimit -f'
(ulimit -f 8 && run 1 export -o out.json && has err 'cannot write' 'File too large') && ! ls out.json* 2>/dev/null
result $? 'export at the limit of ulimit -f'
if [ -w /dev/full ]; then
    for command in stats comm info 'query SELECT*FROM/**/event' 'export'; do
        # shellcheck disable=SC2086
        "$TRACETOOL" $command >/dev/full 2>err
        [ $? -eq 1 ] && has err 'cannot write standard output: '
        result $? "a full disk under: $command"
    done
else
    skip 'a full disk' '/dev/full is not here'
fi
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi replay and drive of calls of the Unified Runtime: a program with a loader, and an adapter that computes.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

ur=$BUILDDIR/tests/pi-host/ur-loader
"$ur" >direct.txt && has direct.txt 'Loaded multiplier'
result $? 'the program alone'
run 0 pi record -o run "$ur" && has err 'recorded 29 calls of 1 threads' && same out direct.txt
result $? 'recorded: the program prints the same'
mkdir -p empty
(
    # Without the adapter and the framework.
    LD_LIBRARY_PATH=$scratch/empty run 0 pi replay run && has err 'replayed 29 calls, all as recorded' && head -2 out >two && head -2 direct.txt | same - two
)
result $? 'replayed without the adapter: what was copied without blocking is there'
run 1 pi replay run "$ur" -- --factor 4 && has err "record 14: pArgs is one with another 'value': at byte 0 is 0x4, not 0x3" '1 had other arguments'
result $? 'another argument of a kernel, in a structure behind a pointer'
run 1 pi replay run "$ur" -- --first 2 && has err 'record 12: the program hands other contents to the device, in pSrc of urEnqueueUSMMemcpy: byte 0 is 0x02, expected 0x01' \
    '2 had other arguments'
result $? 'other contents'
run 1 pi replay run "$ur" -- --swap && has err 'record 12: pDst is' "record 14: pArgs is one with another 'pointer'" 'record 15: pSrc is'
result $? 'another memory of the device'
run 1 pi replay run "$ur" -- --other-event && has err 'record 14: phEventWaitList is'
result $? 'another dependency'
finish

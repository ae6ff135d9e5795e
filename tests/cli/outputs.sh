#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the main commands print, as a user sees it. Two inputs are small enough to find every number by hand:
#   expected/step.json      two steps of five operators on one GPU, which idles 10 us after FW.b; the second BW.b takes
#                           20 us longer than the first
#   data/kineto/waits.json  two streams, an event, and the host, which waits for both
# The others are the examples data/tau-merged and data/job-2x1.
. "$SRCDIR/tests/cli/lib.sh"
cp "$SRCDIR/tests/cli/expected/step.json" "$TRACETOOL_DATA/kineto/waits.json" "$TRACETOOL_DATA"/tau-merged/run.* .
cp -r "$TRACETOOL_DATA/job-2x1" .

# shows NAME ARGUMENT... : what it prints is expected/NAME.txt
shows() {
    name=$1
    shift
    # The time of the import is that of the test.
    run 0 "$@" && sed 's/^\(run 1 *\)[0-9]\{4\}-[0-9-]*T[0-9:]*Z /\1WHEN /' out >shown &&
        same "$SRCDIR/tests/cli/expected/$name.txt" shown
    result $? "tracetool $*"
}

run 0 import -q step.json
shows info info
shows stats stats
shows steps steps
shows depgraph depgraph
shows simulate simulate
shows comm comm run.trc run.edf
shows nccl nccl job-2x1
shows critical-path critical-path waits.json
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs automake's test driver and leaves how long the test took, in milliseconds, beside its log:
#   timed-driver.sh COMMAND... --log-file TEST.log ...
set -u
log=
for argument in "$@"; do
    [ "$log" != next ] || log=$argument
    [ "$argument" != --log-file ] || log=next
done
begin=$(date +%s%N)
"$@"
status=$?
[ -z "$log" ] || echo $((($(date +%s%N) - begin) / 1000000)) >"${log%.log}.ms"
exit $status

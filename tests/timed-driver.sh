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
# The fast stacks of AddressSanitizer end in libraries. Where a leak is found the test runs once more with whole ones, by
# which tests/lsan.supp knows what is none of ours.
if [ -n "$log" ] && grep -q 'LeakSanitizer' "$log" 2>/dev/null; then
    ASAN_OPTIONS=fast_unwind_on_malloc=0 "$@"
    status=$?
fi
[ -z "$log" ] || echo $((($(date +%s%N) - begin) / 1000000)) >"${log%.log}.ms"
exit $status

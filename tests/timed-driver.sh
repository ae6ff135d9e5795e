#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs automake's test driver and leaves how long the test took beside its log, and of how much processor time, both in
# milliseconds:
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
if [ -n "$log" ]; then
    took=$((($(date +%s%N) - begin) / 1000000))
    # The second line of times is that of the children, which a $(times) has none of.
    times >"${log%.log}.ms"
    cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 1000 * (60 * $1 + $2 + 60 * $3 + $4) }' "${log%.log}.ms")
    echo "$took $cpu" >"${log%.log}.ms"
fi
exit $status

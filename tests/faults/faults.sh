#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make faults: every call of the C library that a command makes fails once, for all commands of commands.txt. The
# commands are spread over the cores; what is wrong is printed, with the call, and a summary at the end.
# FAULTS='NAME...': only these commands. FAULTS_MOST: so many calls of each kind (default 400, of tens of thousands of
# allocations; 0: all, which takes hours). It ends early where a command fails without a fault: the program was built
# anew, or the disk is full.
set -u
FAULT_LIBRARY=$BUILDDIR/tests/faults/.libs/libfault-inject.so
PI_PROGRAM=$BUILDDIR/tests/pi-host/program
LD_LIBRARY_PATH=$BUILDDIR/tests/pi-host/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
LC_ALL=C
export FAULT_LIBRARY PI_PROGRAM LD_LIBRARY_PATH LC_ALL
unset TRACETOOL_DB
sweep=$BUILDDIR/tests/faults/sweep
commands=$SRCDIR/tests/faults/commands.txt
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
FAULT_PROGRAM=$(stat -c '%i %s %Y' "$TRACETOOL")
export TMPDIR FAULT_PROGRAM
report=$TMPDIR/report
names=${FAULTS:-$("$sweep" "$commands")}

# shellcheck disable=SC2086
printf '%s\n' $names |
    xargs -P "${FAULTS_JOBS:-$(nproc)}" -n 1 "$sweep" --most "${FAULTS_MOST:-400}" "$commands" | tee "$report"
# shellcheck disable=SC2086
awk -v wanted="$(printf '%s\n' $names | wc -l)" '$1 == "ok" || $1 == "not" { n++; bad += $1 == "not" }
    / calls that fail/ { for (i = 1; i < NF; i++) if ($(i + 1) == "calls") calls += $i }
    END { printf "%d of %d commands, %d calls that failed; %d commands do not stand it\n", n, wanted, calls, bad
          exit bad > 0 || n != wanted }' "$report"

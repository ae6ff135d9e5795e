#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A few of the calls of every kind of a few commands fail, one at a time: the answer is the same, or an error, and the
# files are as they were. `make faults` lets all fail, of all commands; TEST_LONG=1, as .ci/run sets it, more.
. "$SRCDIR/tests/cli/lib.sh"
FAULT_LIBRARY=$BUILDDIR/tests/faults/.libs/libfault-inject.so
export FAULT_LIBRARY
sweep=$BUILDDIR/tests/faults/sweep
commands=$SRCDIR/tests/faults/commands.txt
names='import-kineto import-tau import-job import-pi-native import-ctf-threads import-otf2 import-add convert-zst stats-filter
stats-long-name query export-chrome export-tau export-otf2 depgraph-save depgraph-reduce report-against plot-png probe-run-file'

if [ ! -x "$sweep" ] || ldd "$TRACETOOL" 2>/dev/null | grep -q 'lib[au]*san'; then
    skip 'calls that fail' 'not with a sanitizer, whose library wants to be the first'
    finish
    exit 0
fi
# Of each command and each format at least one line is swept.
# list_words HEADING ARGUMENT...: the first words of the lines below a heading of a help page.
list_words () {
    heading=$1
    shift
    STAND_IN_STATUS=0 "$TRACETOOL" "$@" --help | awk -v heading="$heading:" '
        $0 == heading { inside = 1; next } inside && /^$/ { exit } inside && /^  [a-z]/ { print $1 }'
}
{
    for command in $(list_words Commands); do
        sub=$(list_words Commands "$command")
        [ -n "$sub" ] || echo "$command"
        for word in $sub; do echo "$command $word"; done
    done
    list_words Formats import | sed 's/^/import-/'
} >"$scratch/wanted"
awk -F '|' '/^[a-z]/ {
    sub (/ *$/, "", $1); print $1
    gsub (/--(db|clock) [^ ]*/, "", $3); split ($3, word, " ")
    print word[1]; print word[1] " " word[2] }' "$commands" | sort -u >"$scratch/swept"
grep -vxFf "$scratch/swept" "$scratch/wanted" | sed 's/^/# nothing of it is swept: /' >"$scratch/missing"
cat "$scratch/missing"
[ "$(wc -l <"$scratch/wanted")" -gt 45 ] && [ ! -s "$scratch/missing" ]
result $? 'each command and each format is swept'

for name in $names; do
    STAND_IN_STATUS=0 "$sweep" --most "$(often 8)" "$commands" "$name" >"$scratch/said"
    grep '^#' "$scratch/said"
    has said "ok - $name" && ! grep -q '^not' "$scratch/said"
    result $? "$(tail -n 1 "$scratch/said" | sed 's/.* - //')"
done

# A sweep without ground says so, and lays nothing to the door of the command.
cat >"$scratch/frail" <<EOF
#!/bin/sh
n=\$(cat "$scratch/n")
echo \$((n + 1)) >"$scratch/n"
[ \$n -lt 4 ] && exec "$TRACETOOL" "\$@"
echo 'no room' >&2
exit 1
EOF
chmod +x "$scratch/frail"
echo 0 >"$scratch/n"
run 0 config show "$TRACETOOL_DATA/pinsight/example.conf" && filled "$scratch/out" && {
    TRACETOOL=$scratch/frail "$sweep" --most 2 "$commands" config-check config-show >"$scratch/said" 2>&1
    [ $? -eq 255 ]
} && has said 'Bail out! config-check: ' 'no longer runs by itself' 'exit status 1, "no room"' ' MB and ' &&
    ! grep -q 'ok - ' "$scratch/said"
result $? 'a program that no longer runs ends the sweep'
FAULT_PROGRAM='1 2 3' "$sweep" --most 2 "$commands" config-show >"$scratch/said" 2>&1
[ $? -eq 1 ] && filled "$scratch/said" && has said 'is no longer the program that it was'
result $? 'a program built anew is not the one that the sweep began with'

# The warning that became an answer: every read fails from the first name on.
import "$TRACETOOL_DATA/kineto/rank0.json" && run 0 --db "$db" stats --top 0 --by op_long_name && cp "$scratch/out" "$scratch/named"
result $? 'statistics of an example'
if import "$TRACETOOL_DATA/ctf-hosts" && ask 'select pid from process order by id' node0.4242 node1.4242; then
    wrong=0 refused=0
    for at in $(seq 1 5 66) $(seq 68 2 90); do
        rm -f "$db"*
        STAND_IN_STATUS=0 LD_PRELOAD=$FAULT_LIBRARY FAULT_CALL=read FAULT_AT=$at FAULT_ERRNO=5 \
            "$TRACETOOL" --db "$db" import -q "$TRACETOOL_DATA/ctf-hosts" >"$scratch/out" 2>"$scratch/err"
        status=$?
        if [ $status -ne 0 ]; then
            has err tracetool && [ $status -ne 3 ] && refused=$((refused + 1))
            [ $status -ne 3 ] || wrong=$((wrong + 1))
        else
            ask 'select pid from process order by id' node0.4242 node1.4242 || wrong=$((wrong + 1))
        fi
    done
    [ $wrong -eq 0 ] && [ $refused -gt 5 ]
    result $? 'a stream of CTF that cannot be read is no trace without a host, no end, and not left out'
fi
import "$TRACETOOL_DATA/kineto/rank0.json" && run 0 --db "$db" stats --top 0 --by op_long_name
wrong=0 refused=0
for at in $(seq 1 4 60); do
    STAND_IN_STATUS=0 LD_PRELOAD=$FAULT_LIBRARY FAULT_CALL=read FAULT_AT=$at FAULT_ALL=1 FAULT_ERRNO=5 \
        "$TRACETOOL" --db "$db" stats --top 0 --by op_long_name >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 0 ] && ! same out named && wrong=$((wrong + 1))
    [ $status -ne 0 ] && [ -s "$scratch/err" ] && refused=$((refused + 1))
done
[ $wrong -eq 0 ] && [ $refused -gt 0 ]
result $? 'a disk that fails is an error, not a name of one sign'
finish

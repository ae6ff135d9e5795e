#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command has a help page with details and examples, and every example runs.
. "$SRCDIR/tests/cli/lib.sh"

listed() { # [GROUP] : the commands that its page lists
    "$TRACETOOL" "$@" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'
}

run 2 && filled err && cp err out && "$TRACETOOL" --help >>out && "$TRACETOOL" pi 2>>out; awk 'length > 80 { wide = 1; print "# " $0 } END { exit wide || NR < 60 }' out
result $? 'the page of all commands fits a terminal'

# The members of a group stand as "group/member".
commands=$(for command in $(listed); do
    members=$(listed "$command")
    if [ -z "$members" ]; then echo "$command"; fi
    for member in $members; do echo "$command/$member"; done
done)
[ -n "$commands" ]
result $? 'there are commands'

for path in $commands; do
    command=$(echo "$path" | tr / ' ')
    # shellcheck disable=SC2086
    run 0 $command --help && has out "tracetool $command [OPTION]..." 'Options:' '--help' 'Example' && [ ! -s err ]
    result $? "$command --help is a page"
    refute matches out -P '[^\x00-\x7f]'
    result $? "$command --help is plain text"
    filled out && awk 'length > 80 { wide = 1; print "# " $0 } END { exit wide }' out
    result $? "$command --help fits a terminal"

    sed -n '/^Examples\{0,1\}:/,$s/^  \(tracetool .*\)/\1/p' out >examples
    [ -s examples ]
    result $? "$command --help has an example"
    rm -rf try
    # shellcheck disable=SC2094
    while IFS= read -r line; do
        mkdir -p try
        cp -r "$TRACETOOL_DATA"/tau-merged/run.* "$TRACETOOL_DATA/tau-mpi4" "$TRACETOOL_DATA/job-2x1" "$TRACETOOL_DATA/collectives" "$TRACETOOL_DATA/pi-run" \
            "$TRACETOOL_DATA/neutrino" try/
        cp "$TRACETOOL_DATA/pinsight/example.conf" try/pinsight.conf
        [ -d try/pinsight-trace ] || cp -r "$TRACETOOL_DATA/pinsight/recorded/full" try/pinsight-trace
        cp "$TRACETOOL_DATA/kineto/rank0.json" try/before.json
        cp "$TRACETOOL_DATA/kineto/late0.json" try/after.json
        (
            cd try || exit 1
            # shellcheck disable=SC2317
            tracetool() { "$TRACETOOL" "$@"; }
            eval "$line"
        ) >example.out 2>example.err </dev/null
        status=$?
        [ $status -eq 0 ] || sed 's/^/# /' example.err
        [ $status -eq 0 ] && { [ -s example.out ] || [ "$(find try -newer examples -type f | wc -l)" -gt 0 ]; }
        result $? "$line"
    done <examples
done

# The manual has a section on each command, and every option that a page lists.
for path in $commands; do
    command=$(echo "$path" | tr / ' ')
    section=$(echo "$command" | tr '[:lower:]' '[:upper:]')
    grep -qE "^\.SH \"?$section" "$SRCDIR/docs/tracetool.1"
    result $? "the manual has a section on $command"
    # shellcheck disable=SC2086
    "$TRACETOOL" $command --help | sed -n '/^Options:/,/^$/s/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' >options
    missing=$(while IFS= read -r option; do
        grep -qF -- "\\-\\-$(echo "$option" | sed 's/-/\\-/g')" "$SRCDIR/docs/tracetool.1" || echo "$option"
    done <options)
    [ -s options ] && [ -z "$missing" ] || echo "# missing: $missing"
    [ -s options ] && [ -z "$missing" ]
    result $? "the manual has all options of $command"
done
finish

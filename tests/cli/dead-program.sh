#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No test of a script passes with a dead program (dead-program-lib.sh): the quick scripts, and that it is noticed.
# usage: dead-program.sh [FORM:SCRIPT...]
. "$SRCDIR/tests/cli/dead-program-lib.sh"

if [ $# -gt 0 ]; then
    judge_all "$@"
    finish
    exit 0
fi

# -- it finds what it is there for --------------------------------------------------------------------
planted() { # FORM TEXT CODE : a test of this code is found
    cat >"$scratch/planted.sh" <<END
. "\$SRCDIR/tests/cli/lib.sh"
"\$TRACETOOL" import -q "\$TRACETOOL_DATA/tau-merged" >out
$3
result \$? 'planted'
finish
END
    passed "$1" "$scratch/planted.sh" | grep -qx planted
    result $? "finds: $2"
}

planted silent 'two outputs that are empty' '"$TRACETOOL" stats >a; "$TRACETOOL" stats >b; cmp -s a b'
planted dies 'a status of 1 that is the program'"'"'s own' 'run 0 stats && grep -qv x out; [ $? -eq 1 ]'
planted no-reader 'a text that is not in nothing' 'run 0 stats && ! grep -q x out'
planted no-reader-dies 'a failure without a word' '"$TRACETOOL" stats --top -3; [ $? -eq 1 ]'
cat >"$scratch/planted.sh" <<'END'
. "$SRCDIR/tests/cli/lib.sh"
import "$TRACETOOL_DATA/tau-merged" && ask 'SELECT count(*) FROM event' 775
result $? 'it lives'
run 0 --db "$db" stats && has out MPI_Send
result $? 'it reads'
finish
END
passed no-reader "$scratch/planted.sh" >"$scratch/passed"
[ ! -s "$scratch/passed" ] && matches tap '^ok 1 - it lives' && matches tap '^not ok 2 - it reads'
result $? 'leaves alone what only living commands do'

(
    here=$scratch/judged-here
    mkdir "$here"
    cp "$SRCDIR/tests/cli/lib.sh" "$SRCDIR/tests/cli/dead-program-lib.sh" "$SRCDIR/tests/cli/dead-program.txt" "$here"
    echo '# tests/cli/dead-program.txt' | tee "$here/one.sh" >"$here/two.sh"
    for script in one two; do echo "$(sum $script) $script"; done >"$here/dead-program.judged"
    echo '# another test' >>"$here/two.sh"
    unset TEST_ALL
    [ "$(printf '%s\n' dies:one silent:one dies:two silent:two dies:stop | unjudged | tr '\n' ' ')" = 'dies:two silent:two dies:stop ' ]
) 2>"$scratch/said"
result $? 'judges a script that changed, and one that is new'

judge_share quick
finish

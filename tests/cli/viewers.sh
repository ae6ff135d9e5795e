#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What people see of an export in a viewer is what the database has, item by item. Perfetto and Catapult are modelled
# here, in tests/viewers; `make viewers` asks themselves.
. "$SRCDIR/tests/cli/lib.sh"
viewers=$SRCDIR/tests/viewers
n_rules=$(grep -c '^def rule_' "$viewers/rules.py")

if ! python3 -c 'import sqlite3, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo '1..0 # SKIP no python3 of 3.10 or later'
    exit 0
fi

# -- the judge --------------------------------------------------------------------------------------------
set -- "$viewers"/cases/*.json
python3 "$viewers/check-model" "$@" >verdict 2>&1 && [ "$(grep -c '^ok' verdict)" -eq $# ]
status=$?
grep -v '^ok' verdict | sed 's/^/# /'
result $status "the model shows $# small traces as Perfetto"

databases=
for example in tau-mpi4 succeed/metrics chrome/every-kind.json kineto/rank0.json; do
    import "$TRACETOOL_DATA/$example" && mv "$db" "${example##*/}.db" && databases="$databases ${example##*/}.db"
    result $? "import $example"
done
for viewer in perfetto-model catapult-model; do
    # shellcheck disable=SC2086
    set -- $databases
    [ $# -eq 4 ] && python3 "$viewers/check-rules" --viewer $viewer . "$@" >verdict 2>&1 &&
        [ "$(grep -c ': right$' verdict)" -eq 4 ]
    status=$?
    grep -v '^ok' verdict | sed 's/^/# /'
    result $status "$viewer: the rules hold of an export that is right, and notice planted errors"
done

# -- the examples ------------------------------------------------------------------------------------------
shows() { # NAME FILES... : the export is what the database has, in both viewers
    name=$1
    shift
    rm -f shown.json
    import -q "$@" && run 0 --db "$db" export -o shown.json && filled shown.json
    status=$?
    rm -f verdict
    [ $status -eq 0 ] && python3 "$viewers/compare" --viewer perfetto-model,catapult-model shown.json "$db" >verdict 2>&1 &&
        [ "$(grep -c '^ok' verdict)" -eq $((2 * n_rules)) ]
    status=$?
    [ ! -e verdict ] || grep -v '^ok' verdict | sed 's/^/# /'
    result $status "$name: the viewers show what the database has"
}

for path in "$TRACETOOL_DATA"/tau-mpi4 "$TRACETOOL_DATA"/tau-merged "$TRACETOOL_DATA"/succeed/* \
    "$TRACETOOL_DATA"/chrome/* "$TRACETOOL_DATA"/kineto/* "$TRACETOOL_DATA"/framework/* "$TRACETOOL_DATA"/job-2x1 \
    "$TRACETOOL_DATA"/ctf-* "$TRACETOOL_DATA"/neutrino-* "$TRACETOOL_DATA"/pi-doc "$TRACETOOL_DATA"/pi-g? \
    "$TRACETOOL_DATA"/pi-run; do
    sampled || continue
    shows "${path##*/}" "$path"
done
for path in chrome/flow.json chrome/simple_trace.json chrome/instant_events.json kineto/sampled_rank-0.json.gz \
    tau/real-mpi4 tau/real-threads; do
    if [ -e "$SHARED_DATA/$path" ]; then
        shows "${path##*/}" "$SHARED_DATA/$path"
    else
        skip "${path##*/}" 'no shared data'
    fi
done
finish

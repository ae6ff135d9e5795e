#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ranks of rows and columns whose calls cross, in traces that do not name communicators, by a simulator with its own truth:
# nearly all calls that are put to the wrong ranks are among those that are marked as doubtful, few right ones are, and how many
# they are is told where the answer stands.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'communicators in doubt' 'python3 is not here'
    finish
    exit 0
fi
judge=$SRCDIR/tests/oracles/crossed_groups.py

judged() { # SEED ROWS COLUMNS SKEW_US NOISE_US
    rm -rf groups "$db"* && python3 "$judge" make groups "$@" && run 0 --db "$db" import groups && filled "$db" &&
        python3 "$judge" judge "$db" "$@" >judged && filled judged && sed 's/^/# /' judged && cat judged >>all
}

: >all
for case in '0 4 4 0 30' '1 3 5 0 30' '2 4 4 200 30' '3 4 4 10000 30' '5 3 5 200 30'; do
    # shellcheck disable=SC2086
    judged $case
    result $? "rows and columns ($case: seed, rows, columns, skew, noise)"
done
sum() { tr ' ' '\n' <all | awk -F= -v name="$1" '$1 == name { sum += $2 } END { print sum + 0 }'; }
{ [ "$(sum right)" -ge 300 ] && [ $(($(sum wrong_doubtful) * 10)) -ge $(($(sum wrong) * 9)) ]; }
result $? 'nine of ten wrong calls are doubtful'
filled all && [ $(($(sum right_doubtful) * 4)) -le "$(sum right)" ]
result $? 'one of four right calls at the most is'
run 0 info && has out 'whose communicator was inferred' && run 0 waits && has out 'communicators: ' 'could as well be of another' &&
    run 0 waits --show causes && has out 'could as well be of another'
result $? 'how many are doubtful stands beside the answers'

# A database of the version before the view had it, with what an import of the time kept.
words() { run 0 --db old.db query 'SELECT flags, count(*) AS n FROM collective GROUP BY flags ORDER BY flags DESC' --format csv; }
gzip -dc "$TRACETOOL_DATA/databases/version-10.db.gz" >old.db &&
    python3 "$SRCDIR/tests/cli/change-database.py" old.db 'UPDATE collective_row SET flags = 5 WHERE id <= 3' \
        'UPDATE collective_row SET flags = 1 WHERE id = 4' && words && has out '"inferred,doubtful",3' 'inferred,1'
result $? 'an older database that is read as it is says so'
run 0 --db old.db --run 1 depgraph --save && has err 'from schema version 10 to' && words && has out '"inferred,doubtful",3' 'inferred,1'
result $? 'and an upgraded one'
finish

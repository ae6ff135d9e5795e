#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Catapult's trace viewer itself, in Chromium: of exports of each format the slices, counters and arrows are those of the
# database, it warns of nothing, its model is ours, and its window draws them. $CATAPULT: a folder of its sources.
. "$SRCDIR/tests/cli/lib.sh"
export PYTHONDONTWRITEBYTECODE=1
browser=
for name in ${BROWSER_FOR_TESTS:-chromium chromium-browser google-chrome}; do
    browser=$(command -v "$name") && break
done
if [ ! -d "${CATAPULT:-}/tracing/tracing_build" ] || [ -z "$browser" ] ||
    ! python3 -c 'import sqlite3, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "1..0 # SKIP needs python3, chromium, and in \$CATAPULT a folder of Catapult's sources"
    exit 0
fi
viewers=$SRCDIR/tests/viewers
unset CATAPULT_IMPORT

set -- "$TRACETOOL_DATA"/tau-mpi4 "$TRACETOOL_DATA"/tau-merged "$TRACETOOL_DATA"/succeed/* "$TRACETOOL_DATA"/chrome/* \
    "$TRACETOOL_DATA"/kineto/* "$TRACETOOL_DATA"/collectives/*.json "$TRACETOOL_DATA"/framework/* "$TRACETOOL_DATA"/job-2x1 \
    "$TRACETOOL_DATA"/otf2/ring "$TRACETOOL_DATA"/ctf-* "$TRACETOOL_DATA"/nsys/*.sqlite "$TRACETOOL_DATA"/rocprof/*.json \
    "$TRACETOOL_DATA"/neutrino-* "$TRACETOOL_DATA"/pi-doc "$TRACETOOL_DATA"/pi-g? "$TRACETOOL_DATA"/pi-run
python3 "$viewers/run" --only json "$@" >table 2>faults
sed 's/^/# /' faults
for path; do
    grep -qE "^\| ${path##*/} \| json \| [^|]* \| ok \| yes \|$" table
    result $? "${path##*/}: the viewer shows what the database has, as its model says"
done

# -- its window ---------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" export -o drawn.json &&
    python3 - "$viewers" drawn.json >out <<'P'
import sys
sys.path.insert(0, sys.argv[1])
import catapult_browser
viewer = catapult_browser.open_viewer()
viewer.import_trace(sys.argv[2])
print('exceptions:', viewer.draw())
print('\n'.join(viewer.headings()))
P
has out 'exceptions: []' 'node0 (pid 0)' 'node3 (pid 3)' 'Heap Memory Used (KB):' 'thread 0'
result $? 'its window has the tracks of an export, and no exception'
finish

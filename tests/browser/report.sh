#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a browser makes of the page of `report`, where Debian's Chromium is; within ten minutes, whatever it does.
set -u
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1
unset TRACETOOL_DB
browser=
for name in ${BROWSER_FOR_TESTS:-chromium chromium-browser google-chrome}; do
    browser=$(command -v "$name") && break
done
if [ -z "$browser" ] || ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP needs python3 and chromium, which './check --browser' installs"
    exit 0
fi
if [ -n "${TEST_AGAIN-}" ]; then
    echo "1..0 # SKIP the page is that of the plain build, which has had this test"
    exit 0
fi
# A browser may be installed and not start: without shared memory, say, or the calls that a container forbids.
if ! timeout -k 10 120 "$browser" --headless --no-sandbox --disable-gpu --dump-dom 'data:text/html,<p>it starts</p>' \
    2>/dev/null | grep -q 'it starts'; then
    echo "1..0 # SKIP $browser does not start here"
    exit 0
fi
timeout -k 10 "${BROWSER_TIMEOUT:-600}" python3 "$SRCDIR/tests/browser/report.py" "$TRACETOOL" "$TRACETOOL_DATA" "$browser" "$@"
status=$?
if [ "$status" -ne 0 ]; then
    echo "Bail out! report.py ended with status $status"
    exit 1
fi

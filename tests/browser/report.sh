#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a browser makes of the page of `report`, where Debian's Chromium is; within five minutes, whatever it does.
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
timeout -k 10 "${BROWSER_TIMEOUT:-300}" python3 "$SRCDIR/tests/browser/report.py" "$TRACETOOL" "$TRACETOOL_DATA" "$browser" "$@"
status=$?
if [ "$status" -ne 0 ]; then
    echo "Bail out! report.py ended with status $status"
    exit 1
fi

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pictures of README.md show what the program says today; `make pictures` draws them anew.
. "$SRCDIR/tests/cli/lib.sh"

grep -qF '](docs/stats.svg)' "$SRCDIR/README.md" && grep -qF '](docs/graph.svg)' "$SRCDIR/README.md" &&
    grep -qF '](docs/timeline.svg)' "$SRCDIR/README.md" && grep -qF '](docs/roofline.svg)' "$SRCDIR/README.md"
result $? 'README.md shows them'
for picture in stats graph timeline roofline; do
    [ "$(wc -c <"$SRCDIR/docs/$picture.svg")" -le 60000 ]
    result $? "$picture.svg is small"
done

if ! command -v script >/dev/null || ! LC_ALL=C.UTF-8 locale charmap 2>/dev/null | grep -q UTF-8; then
    skip 'they are what the program draws' 'script or a locale with UTF-8 is not here'
    finish
    exit 0
fi
mkdir drawn
sh "$SRCDIR/docs/pictures.sh" "$TRACETOOL" "$TRACETOOL_DATA" drawn
result $? 'they can be drawn'
diff "$SRCDIR/docs/stats.svg" drawn/stats.svg | sed 's/^/# /' >different
cat different
[ -s drawn/stats.svg ] && [ ! -s different ]
result $? 'the terminal is what the program prints'
same "$SRCDIR/docs/timeline.svg" drawn/timeline.svg && same "$SRCDIR/docs/roofline.svg" drawn/roofline.svg
result $? 'the timeline is what the program draws'
diff "$SRCDIR/docs/graph.svg" drawn/graph.svg | sed 's/^/# /' >different
cat different
[ -s drawn/graph.svg ] && [ ! -s different ]
result $? 'the graph is what the program draws'
finish

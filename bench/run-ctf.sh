#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmark of CTF traces: an import beside what the program babeltrace2 needs to read the same trace and to print
# it. Median of BENCH_ROUNDS (3) each. `make bench` builds what this needs and calls it.
#
#   BENCH_CTF_REGIONS  parallel regions of the trace, 48 events each (40000)
#   BENCH_ROUNDS       3
#   BENCH_DIR          where the files go (a temporary directory, removed afterwards)
set -eu
export LC_ALL=C
regions=${BENCH_CTF_REGIONS:-40000}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v babeltrace2 >/dev/null; then
    echo 'bench: no babeltrace2: CTF traces are left out' >&2
    exit 0
fi

progress 'generate'
python3 "$(dirname "$0")/../data/generators/ctf.py" large "$regions" "$dir/ctf"
events=$(babeltrace2 "$dir/ctf" | wc -l)

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    measure ctf-read babeltrace2 "$dir/ctf" --component=sink.utils.dummy
    measure ctf-text babeltrace2 "$dir/ctf"
    import ctf-import "$dir/ctf.db" "$dir/ctf"
    measure ctf-lexgion "$tracetool" --db "$dir/ctf.db" stats --by lexgion --format csv
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

million=$(awk -v n="$events" 'BEGIN { print n / 1e6 }')
echo
echo "ctf: $million M events; median of $rounds; $(nproc) cores, $(uname -m)"
echo
echo '| what | time | rate | memory | ratio |'
echo '|---|---|---|---|---|'
row ctf-read 'babeltrace2, events thrown away' "$million" 'M events/s' '' ''
row ctf-text 'babeltrace2, printed' "$million" 'M events/s' ctf-read 'of reading'
row ctf-import 'import' "$million" 'M events/s' ctf-read 'of reading'
row ctf-lexgion 'stats --by lexgion' "$million" 'M events/s' ctf-read 'of reading'

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Own algorithms on graphs of operations beside igraph's: time and memory by the size of the graph. `make bench` builds
# what this needs and calls it.
#
#   BENCH_GRAPHS_EDGES  sizes, separated by commas (1000,10000,100000,200000,1000000)
#   BENCH_ROUNDS        runs of each case (5)
set -eu
export LC_ALL=C
edges=${BENCH_GRAPHS_EDGES:-1000,10000,100000,200000,1000000}
rounds=${BENCH_ROUNDS:-5}

echo "graphs of operations: medians of at least $rounds; $(nproc) cores, $(uname -m)"
echo
"${BUILDDIR:-.}/bench/bench-graphs" --edges "$edges" --rounds "$rounds"

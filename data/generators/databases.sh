#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a database of one version of the schema: data/generators/databases.sh PROGRAM VERSION OUTPUT
# PROGRAM is a tracetool that writes this version. What it imports is what its readers of the time could read;
# tests/cli/upgrade.sh compares an old database with the one that today's program makes in the same way.
set -eu
program=$1
version=$2
output=$3
SOURCE_DATE_EPOCH=1763690400
export SOURCE_DATE_EPOCH
cd "$(dirname "$0")/.."

add() {
    "$program" --db "$output" import -q "$@" 2>/dev/null
}

# Messages, collectives, counters, metadata; repairs; metrics.
add tau-mpi4
add succeed/no-close
add succeed/metrics
# Arguments, flows, instants.
if [ "$version" -ge 2 ]; then
    add chrome/every-kind.json
    add kineto/rank0.json kineto/rank1.json
    add framework/nccl
fi
# What devices do, a task graph.
if [ "$version" -ge 3 ]; then
    add pi-run
    add ctf-devices
fi
"$program" --db "$output" --run 1 depgraph --save 2>/dev/null

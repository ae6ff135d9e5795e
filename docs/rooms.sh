#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rooms of the sources and which uses which, as GML: docs/rooms.sh [TOP]
# An arrow's count is the number of includes across it. `make rooms` draws it with `tracetool depgraph`.
set -eu
export LC_ALL=C
cd "${1:-.}"
find src formats analyzers graphs pictures -name '*.[ch]' | sort | xargs awk '
    function room(path,   part) {
        split(path, part, "/")
        if (part[1] != "src" && part[1] != "formats") return part[1]
        if (path ~ /^src\/store\/foreign\//) return "src/store/foreign"
        if (part[1] == "src") return part[1] "/" part[2]
        if (part[2] ~ /-export$/ || part[2] == "dot" || part[2] == "graph-svg") return "exporters"
        return "importers"
    }
    /^[ \t]*#[ \t]*include[ \t]*"[^"]*\/[^"]*"/ {
        split($0, part, "\"")
        a = room(FILENAME); b = room(part[2])
        if (a != b) uses[a, b]++
    }
    END {
        n = split("src/mpi src/cli src/pi src/gpu src/shards analyzers exporters importers graphs pictures src/select src/store src/store/foreign src/trace src/base", order, " ")
        print "graph ["; print "  directed 1"
        for (i = 1; i <= n; i++) {
            id[order[i]] = i
            printf "  node [ id %d label \"%s\" ]\n", i, order[i]
        }
        for (i = 1; i <= n; i++) for (k = 1; k <= n; k++)
            if ((order[i], order[k]) in uses)
                printf "  edge [ source %d target %d cnt %d ]\n", i, k, uses[order[i], order[k]]
        print "]"
    }'

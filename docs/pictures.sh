#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pictures of README.md, drawn by the program from its own example:  pictures.sh TRACETOOL DATA FOLDER
# FOLDER gets stats.svg (a terminal with the answer of `stats`), graph.svg (a graph of operations), timeline.svg and roofline.svg.
set -eu
export LC_ALL=C.UTF-8 NO_COLOR=1
unset TRACETOOL_DB
tracetool=$1 data=$2 out=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Text on standard input as it looks in a terminal.
draw_terminal() {
    awk '
    { gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;"); line[++n] = $0 }
    END {
        width = 100 * 7.83 + 32; height = n * 18 + 28
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" viewBox=\"0 0 %.0f %d\">\n", width, height, width, height
        print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>"
        print "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#d7dae0\" xml:space=\"preserve\">"
        for (i = 1; i <= n; i++) {
            colour = line[i] ~ /^\$ / ? " fill=\"#98c379\"" : line[i] ~ /^ *Time %/ ? " font-weight=\"bold\"" : ""
            printf "<text x=\"16\" y=\"%d\"%s>%s</text>\n", i * 18 + 12, colour, line[i]
        }
        print "</g>\n</svg>"
    }'
}

"$tracetool" --db "$scratch/trace.db" import -q "$data/tau-mpi4"
command="stats --top 8"
{
    echo "\$ tracetool $command"
    # Only a terminal has a width.
    script -qec "stty cols 100 && exec '$tracetool' --db '$scratch/trace.db' $command" /dev/null </dev/null | tr -d '\r'
} >"$scratch/text"
grep -q 'Comm.MPI_Recv.RECV' "$scratch/text"
draw_terminal <"$scratch/text" >"$scratch/stats.svg"
"$tracetool" --db "$scratch/trace.db" depgraph --merge-ranks --collapse --max-nodes 14 -o "$scratch/graph.svg" 2>"$scratch/messages"
[ -s "$scratch/graph.svg" ]
"$tracetool" --db "$scratch/trace.db" plot timeline -o "$scratch/timeline.svg" 2>"$scratch/messages"
"$tracetool" --db "$scratch/trace.db" plot roofline -o "$scratch/roofline.svg" 2>"$scratch/messages"
mv "$scratch/stats.svg" "$scratch/graph.svg" "$scratch/timeline.svg" "$scratch/roofline.svg" "$out/"

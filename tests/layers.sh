#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arrows go one way: between rooms as tests/layers.txt has them, and no files and no folders form a circle.
# What a file uses is read from the symbols of its object and from its includes. Every rule is also tried on planted
# symbols, includes and files that break it.
set -u
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
n=0

report() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

sources() { # ROOT FOLDER... : all .c and .h files there
    (cd "$1" && shift && find "$@" -name '*.[ch]' 2>/dev/null | sort)
}

# symbols BUILD: "FILE defines SYMBOL" and "FILE uses SYMBOL" for the objects of the program.
symbols() {
    (cd "$1" && find src formats analyzers graphs pictures -name '*.o' ! -path '*/.libs/*' | sort | xargs nm -A) | awk -v top="$SRCDIR" '
        {
            object = $1
            sub(/:.*/, "", object)
            if (object != last) {
                last = file = object
                sub(/\/([^\/]*_la|tracetool_mpi)-/, "/", file)
                sub(/o$/, "c", file)
                # An object that is older than a move of its source is nothing.
                is_there = (getline line <(top "/" file)) > 0
                close(top "/" file)
            }
            if (!is_there) next
        }
        $(NF - 1) ~ /(^|:)[Uvw]$/ { print file, "uses", $NF }
        # What is preloaded stands in front of the C library, for programs that are not ours.
        $NF == "dlsym" { next }
        $(NF - 1) ~ /^[TDBRVWC]$/ { print file, "defines", $NF }'
}

# includes ROOT: "FILE includes FILE" for the headers of the project.
includes() {
    (cd "$1" && find src formats analyzers graphs pictures -name '*.[ch]' 2>/dev/null | sort | xargs -r awk '
        /^[ \t]*#[ \t]*include[ \t]*"[^"]*\/[^"]*"/ { split($0, part, "\""); print FILENAME, "includes", part[2] }')
}

arrows() { # FACTS
    awk -f "$SRCDIR/tests/layers.awk" "$SRCDIR/tests/layers.txt" "$1" | sort
}

# rule ROOT TEXT PATTERN FILES... : prints what in FILES matches PATTERN.
rule() {
    root=$1 text=$2 pattern=$3
    shift 3
    [ $# -gt 0 ] || return 0
    (cd "$root" && grep -nE -- "$pattern" "$@" /dev/null 2>/dev/null) | sed "s|^|$text: |"
}

header() { # PATTERN: an #include line of it
    printf '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](%s)' "$1"
}

# What cannot be told by symbols of our own: other libraries' headers, plain C, standard output.
violations() { # ROOT
    top=$1
    all=$(sources "$top" src formats analyzers graphs pictures)
    plain_tau=$(sed -n 's/^libtau_la_SOURCES += *//p' "$SRCDIR/formats/tau/local.mk" | sed 's|%D%|formats/tau|g')
    plain_pi="formats/pi/api.c formats/pi/api.h formats/pi/native.h formats/pi/native-read.c formats/pi/native-write.c
        formats/pi/shape.c formats/pi/shape.h $(sources "$top" formats/pi/recorder formats/pi/replayer)"
    # shellcheck disable=SC2046,SC2086
    {
        rule "$top" 'sqlite3.h outside src/store' "$(header 'sqlite3')" $(printf '%s\n' "$all" | grep -v '^src/store/')
        rule "$top" 'igraph.h outside graphs' "$(header 'igraph')" $(printf '%s\n' "$all" | grep -v '^graphs/')
        rule "$top" 'babeltrace2 outside the tests' "$(header 'babeltrace2')" $all
        rule "$top" 'the TAU library is plain C' "$(header 'src/|glib|gio|sqlite|igraph')" $plain_tau
        rule "$top" 'the PI tables are plain C' "$(header 'src/|glib|gio|sqlite|igraph')" $plain_pi
        rule "$top" 'stdout outside the commands' \
            '(^|[^a-z_])(printf|puts|putchar|g_print) \(|[^a-z_]stdout[^a-z_]|STDOUT_FILENO' \
            $(printf '%s\n' "$all" | grep -vE '^(src/cli/.*|src/base/report/.*|src/base/output|src/mpi/main)\.?[a-z/-]*\.[ch]$') |
            grep -vE ':[[:space:]]*(/\*|\*)'
    }
}

symbols "$BUILDDIR" >"$scratch/symbols"
includes "$SRCDIR" >"$scratch/includes"

# With too few facts the arrows would be right for want of any.
[ "$(grep -c ' defines ' "$scratch/symbols")" -gt 1000 ] && [ "$(grep -c ' uses ' "$scratch/symbols")" -gt 5000 ] &&
    [ "$(wc -l <"$scratch/includes")" -gt 1000 ] && [ "$(sources "$SRCDIR" src formats analyzers graphs pictures | wc -l)" -gt 500 ]
report $? 'sources, symbols and includes are read'

cat "$scratch/symbols" "$scratch/includes" >"$scratch/facts"
found=$(arrows "$scratch/facts")
[ -z "$found" ]
report $? 'arrows between rooms go one way, no files and no folders form a circle'
[ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/# /'

# The picture in docs/architecture.md has the arrows of the sources.
sh "$SRCDIR/docs/rooms.sh" "$SRCDIR" >"$scratch/rooms.gml"
awk '$1 == "node" { gsub(/"/, "", $6); name[$4] = $6 } $1 == "edge" { print name[$4] "->" name[$6] }' "$scratch/rooms.gml" |
    sort >"$scratch/arrows"
awk '/^<path .* data-a=/ { sub(/.*<title>/, ""); from = $0; getline; sub(/^to /, ""); print from "->" $0 }' "$SRCDIR/docs/rooms.svg" |
    sort >"$scratch/drawn"
[ -s "$scratch/arrows" ] && diff "$scratch/drawn" "$scratch/arrows" >"$scratch/stale"
report $? 'the picture of the rooms is of these sources'
sed 's/^/# make rooms: /' "$scratch/stale"

found=$(violations "$SRCDIR")
[ -z "$found" ]
report $? 'libraries, plain C and standard output stay in their rooms'
[ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/# /'

# planted_fact COMPLAINT LINE... : facts of the sources and these lines must be complained about so.
planted_fact() {
    complaint=$1
    shift
    { cat "$scratch/facts"; printf '%s\n' "$@"; } >"$scratch/planted"
    arrows "$scratch/planted" | grep -qF -- "$complaint"
    report $? "finds: $*"
}

planted_fact 'src/trace may not use src/store' 'src/trace/sink.c uses tt_store_open'
planted_fact 'src/base may not use src/trace' 'src/base/input.c uses tt_nest_new'
planted_fact 'src/store may not use analyzers' 'src/store/scan.c includes analyzers/statistics/tally.h'
planted_fact 'src/store may not use src/select' 'src/store/scan.c includes src/select/selection.h'
planted_fact 'graphs may not use src/store' 'graphs/graph.c includes src/store/store.h'
planted_fact 'pictures may not use src/store' 'pictures/bars.c includes src/store/store.h'
planted_fact 'graphs may not use src/trace' 'graphs/schedule/schedule.c includes src/trace/event.h'
planted_fact 'formats may not use src/store' 'formats/ctf/import.c uses tt_store_open'
planted_fact 'formats may not use formats/chrome-export' 'formats/tau/import.c uses tt_planted' \
    'formats/chrome-export/planted.c defines tt_planted'
planted_fact 'formats/dot may not use src/store' 'formats/dot/dot.c includes src/store/store.h'
planted_fact 'analyzers may not use formats' 'analyzers/devices/work.c includes formats/kineto/kineto.h'
planted_fact 'analyzers may not use src/cli' 'analyzers/pass.c uses tt_planted' 'src/cli/planted.c defines tt_planted'
planted_fact 'src/pi may not use src/cli' 'src/pi/run.c includes src/cli/command.h'
planted_fact 'is in no room' 'src/planted.c includes src/base/error.h'
planted_fact 'a circle of files: src/base/error -> src/base/planted' 'src/base/planted.c uses tt_error_quark' \
    'src/base/planted.c defines tt_planted' 'src/base/error.c uses tt_planted'
planted_fact 'a circle of files: graphs/a -> graphs/b' 'graphs/a.c defines tt_a' 'graphs/b.c defines tt_b' \
    'graphs/c.c defines tt_c' 'graphs/a.c uses tt_b' 'graphs/b.c uses tt_c' 'graphs/c.c uses tt_a'
planted_fact 'a circle of folders: formats/a -> formats/b' 'formats/a/one.c defines tt_a' 'formats/b/one.c defines tt_b' \
    'formats/a/two.c uses tt_b' 'formats/b/two.c uses tt_a'

# planted FILE LINE: a tree with only that must be complained about.
planted() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$scratch/tree/$1"
    [ -n "$(violations "$scratch/tree")" ]
    report $? "finds $1: $2"
}

planted src/select/selection.c '#include <sqlite3.h>'
planted formats/nsys/device.c '#include <sqlite3.h>'
planted analyzers/statistics/tally.c '#include <igraph/igraph.h>'
planted formats/ctf/reader.c '#include <babeltrace2/babeltrace.h>'
planted formats/tau/reader.c '#include <glib.h>'
planted formats/tau/rows.c '#include "src/trace/repairs.h"'
planted formats/pi/api.c '#include <glib.h>'
planted formats/pi/recorder/call.c '# include <glib.h>'
planted formats/tau/import.c '  printf ("%d", n);'
planted src/store/store.c '  fputs (text, stdout);'
planted src/trace/sink.c '  write (STDOUT_FILENO, text, 1);'

# What is allowed is left alone.
{
    cat "$scratch/facts"
    echo 'src/cli/planted.c uses tt_store_open'
    echo 'formats/chrome-export/planted.c includes src/store/store.h'
    echo 'graphs/planted.c uses tt_error_quark'
    # A symbol that two programs define is nobody's.
    printf '%s\n' 'src/base/one.c defines tt_twice' 'src/cli/two.c defines tt_twice' 'src/base/three.c uses tt_twice'
} >"$scratch/planted"
arrows "$scratch/planted" >"$scratch/allowed"
arrows "$scratch/facts" | cmp -s - "$scratch/allowed"
report $? 'leaves alone the arrows that are allowed'

rm -rf "$scratch/tree"
mkdir -p "$scratch/tree/src/store" "$scratch/tree/src/cli/commands" "$scratch/tree/graphs"
echo '#include <sqlite3.h>' >"$scratch/tree/src/store/write.c"
echo '#include <igraph/igraph.h>' >"$scratch/tree/graphs/graph.c"
printf '  g_print ("x");\n' >"$scratch/tree/src/cli/commands/info.c"
[ -z "$(violations "$scratch/tree")" ]
report $? 'leaves alone the includes that are allowed'
echo "1..$n"

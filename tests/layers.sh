#!/bin/sh
# Arrows go one way: vocabulary <- importers, graphs, store <- analyzers, exporters <- commands <- main.
# Every rule is also tried on a planted file that breaks it.
set -u
export LC_ALL=C

# Words of the vocabulary: they know neither store nor anything above it.
vocabulary=$(cat "$SRCDIR/tests/vocabulary.txt")

# rule ROOT TEXT PATTERN FILES... : prints what in FILES matches PATTERN.
rule() {
    root=$1 text=$2 pattern=$3
    shift 3
    (cd "$root" && grep -nE -- "$pattern" "$@" /dev/null 2>/dev/null) | sed "s|^|$text: |"
}

sources() { # ROOT FOLDER... : all .c and .h files there
    root=$1
    shift
    (cd "$root" && find "$@" -name '*.[ch]' 2>/dev/null | sort)
}

includes() { # PATTERN: an #include line of it
    printf '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](%s)' "$1"
}

violations() { # ROOT
    top=$1
    words=$(for w in $vocabulary; do printf 'src/%s.c src/%s.h ' "$w" "$w"; done)
    tau=$(for w in TAU_tf definitions detect reader reader-private reader-records record rows seen-threads writer writer-rows; do
        printf 'formats/tau/%s.c formats/tau/%s.h ' "$w" "$w"
    done)
    pi="formats/pi/api.c formats/pi/api.h formats/pi/native.h formats/pi/native-read.c formats/pi/native-write.c
        formats/pi/shape.c formats/pi/shape.h $(sources "$top" formats/pi/recorder formats/pi/replayer)"
    store=$(sources "$top" src | grep -E '^src/(store|schema)[^/]*$')
    # shellcheck disable=SC2046,SC2086
    {
        rule "$top" 'sqlite3.h outside the store' "$(includes 'sqlite3')" \
            $(sources "$top" src formats analyzers graphs | grep -vE '^src/(store|schema)[^/]*$')
        rule "$top" 'igraph.h outside graphs/' "$(includes 'igraph')" \
            $(sources "$top" src formats analyzers)
        rule "$top" 'babeltrace2 outside the process that decodes' "$(includes 'babeltrace2|formats/ctf/decode-private')" \
            $(sources "$top" src formats analyzers graphs | grep -vE '^formats/ctf/(decode|decode-private|streams|encode)\.[ch]$')
        rule "$top" 'the vocabulary looks up' "$(includes '(formats|analyzers|graphs)/|src/(store|command|report|selection|output)')" $words
        rule "$top" 'the store looks up' "$(includes '(formats|analyzers|graphs)/|src/(command|report)')" $store
        rule "$top" 'graphs know only the vocabulary' "$(includes '(formats|analyzers)/|src/(store|command|report|selection)')" \
            $(sources "$top" graphs)
        rule "$top" 'importers know only the sink' "$(includes '(analyzers|graphs)/|src/(store|command|report|selection)')" \
            formats/format.c formats/format.h \
            $(sources "$top" formats/tau formats/json formats/framework formats/pi formats/pinsight \
                formats/neutrino formats/neutrino-trace formats/ctf)
        rule "$top" 'the TAU library is plain C' "$(includes '(src/|glib|gio|sqlite|igraph|formats/tau/(edf|layout|stream|ids))')" $tau
        rule "$top" 'the PI tables are plain C' "$(includes '(src/|glib|gio|sqlite|igraph|formats/pi/(call|trace|side))')" $pi
        rule "$top" 'below the commands' "$(includes 'src/(command|report)\.h')" \
            $(sources "$top" formats analyzers graphs)
        rule "$top" 'analyzers know no format' "$(includes 'formats/')" $(sources "$top" analyzers)
        rule "$top" 'stdout outside the commands' \
            '(^|[^a-z_])(printf|puts|putchar|g_print) \(|[^a-z_]stdout[^a-z_]|STDOUT_FILENO' \
            $(sources "$top" src formats analyzers graphs | grep -vE '^src/(cmd-[^/]*|main|commands?|report[^/]*|output[^/]*)\.[ch]$') |
            grep -vE ':[[:space:]]*(/\*|\*)'
    }
}

n=0
report() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

found=$(violations "$SRCDIR")
[ -z "$found" ]
report $? 'the arrows go one way'
[ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/# /'

# planted FILE LINE: a tree with only that must be complained about.
planted() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/$(dirname "$1")" "$scratch/tree/src"
    printf '%s\n' "$2" >"$scratch/tree/$1"
    [ -n "$(violations "$scratch/tree")" ]
    report $? "finds $1: $2"
}

planted src/select/selection.c '#include <sqlite3.h>'
planted analyzers/statistics/tally.c '#include <igraph/igraph.h>'
planted src/trace/nest/nest.c '#include "formats/format.h"'
planted src/trace/sink.h '#include "src/store/store.h"'
planted src/store-write.c '#include "analyzers/statistics/tally.h"'
planted graphs/graph.c '#include "src/store/store.h"'
planted graphs/path.c '#include "formats/exporter.h"'
planted formats/ctf/reader.c '#include <babeltrace2/babeltrace.h>'
planted formats/ctf/import.c '#include "src/store/store.h"'
planted formats/tau/tau.c '# include "src/store/store.h"'
planted formats/chrome/chrome.c '#include "src/cli/command.h"'
planted formats/tau/reader.c '#include <glib.h>'
planted formats/tau/rows.c '#include "src/trace/repairs.h"'
planted formats/pi/api.c '#include <glib.h>'
planted formats/pi/recorder/call.c '#include <glib.h>'
planted formats/pi/trace.c '#include "src/store/store.h"'
planted analyzers/pass.c '#include "formats/exporter.h"'
planted formats/tau/tau.c '  printf ("%d", n);'
planted src/store/store.c '  fputs (text, stdout);'

# And what is allowed is not.
rm -rf "$scratch/tree"
mkdir -p "$scratch/tree/src" "$scratch/tree/graphs"
echo '#include <sqlite3.h>' >"$scratch/tree/src/store-write.c"
echo '#include <igraph/igraph.h>' >"$scratch/tree/graphs/graph.c"
printf '  g_print ("x");\n' >"$scratch/tree/src/cmd-info.c"
[ -z "$(violations "$scratch/tree")" ]
report $? 'leaves alone what is allowed'
echo "1..$n"

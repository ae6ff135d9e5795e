#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is imported, against an independent decoder (tests/oracles/tau.py), row by row: the examples,
# random traces of the generator, real traces where they are at hand.
. "$SRCDIR/tests/cli/lib.sh"
gen=$BUILDDIR/bench/gen-tau
oracle=$SRCDIR/tests/oracles/tau.py

if ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP python3 is not here"
    exit 0
fi

load() { # DATABASE INPUT...
    load_db=$1
    shift
    rm -f "$load_db"
    "$TRACETOOL" --db "$load_db" import "$@" >"$scratch/import.out" 2>&1 && filled "$load_db" ||
        { sed 's/^/# /' "$scratch/import.out"; return 1; }
}

agrees() { # TEXT INPUT...
    what=$1
    shift
    load "$scratch/trace.db" "$@" &&
        python3 "$oracle" compare "$scratch/trace.db" "$@" &&
        "$TRACETOOL" --db "$scratch/trace.db" stats --by op_long_name --top 0 --unit ns --format json >"$scratch/stats.json" &&
        python3 "$oracle" compare-stats "$scratch/trace.db" "$scratch/stats.json" "$@"
    result $? "$what"
}

agree() { # TEXT DATABASE DATABASE [--rows]
    what=$1
    shift
    python3 "$oracle" same "$@"
    result $? "$what"
}

# -- examples -------------------------------------------------------------------------------------
agrees 'data/tau-mpi4' "$TRACETOOL_DATA/tau-mpi4"
mv "$scratch/trace.db" "$scratch/ranks.db"
agrees 'data/tau-merged' "$TRACETOOL_DATA/tau-merged/run.trc" "$TRACETOOL_DATA/tau-merged/run.edf"
agree 'by rank and merged give the same statistics' "$scratch/ranks.db" "$scratch/trace.db"
for name in no-thread0 metrics; do
    agrees "data/succeed/$name" "$TRACETOOL_DATA/succeed/$name"
done
for name in big-endian-32 no-close callpaths relative deep cut no-magic odd-edf; do
    agrees "data/succeed/$name" "$TRACETOOL_DATA/succeed/$name/run.trc" "$TRACETOOL_DATA/succeed/$name/run.edf"
done

# -- random traces --------------------------------------------------------------------------------
all='--messages --collectives --user-events --records 4000'
seed=100
for options in \
    '--nodes 3 --threads 2' \
    '--nodes 5 --metrics 3 --flush 57 --late-rank 1' \
    '--nodes 1 --threads 4 --depth 40 --no-close' \
    '--nodes 12 --distinct-names 700 --flush 20' \
    '--nodes 2 --callpaths --metrics 1 --start 5000'; do
    for layout in 24le 32be; do
        seed=$((seed + 1))
        [ $((seed - 100)) -le "${TEST_SEEDS:-$(often 100)}" ] || continue
        # shellcheck disable=SC2086
        "$gen" $all $options --seed "$seed" --layout $layout --merged "$scratch/r$seed" &&
            agrees "random: $options --layout $layout" "$scratch/r$seed.trc" "$scratch/r$seed.edf"
        mv "$scratch/trace.db" "$scratch/merged.db"
        # shellcheck disable=SC2086
        "$gen" $all $options --seed "$seed" --layout $layout "$scratch/d$seed" &&
            agrees "random, by rank: $options --layout $layout" "$scratch/d$seed"
        agree 'by rank and merged give the same statistics' "$scratch/merged.db" "$scratch/trace.db"
    done
done
first=
for layout in 24le 24be 32le 32be; do
    # shellcheck disable=SC2086
    "$gen" $all --seed 9 --metrics 1 --layout $layout --merged "$scratch/layout"
    load "$scratch/$layout.db" "$scratch/layout.trc" "$scratch/layout.edf"
    if [ -z "$first" ]; then
        first=$layout
    else
        agree "layouts $first and $layout give the same rows" "$scratch/$first.db" "$scratch/$layout.db" --rows
    fi
done

# -- real traces ----------------------------------------------------------------------------------
tau=$SHARED_DATA/tau
if [ -d "$tau" ]; then
    for name in real-mpi4 real-mpi4-callpath-flush real-threads; do
        mkdir -p "$scratch/$name"
        cp "$tau/$name"/tautrace.* "$tau/$name"/events.* "$scratch/$name/"
        agrees "$name by rank" "$scratch/$name"
        mv "$scratch/trace.db" "$scratch/ranks.db"
        agrees "$name merged" "$tau/$name/tau.trc" "$tau/$name/tau.edf"
        agree "$name by rank and merged give the same statistics" "$scratch/ranks.db" "$scratch/trace.db"
    done
    for name in edge g1k; do
        agrees "synthetic $name" "$tau/synthetic/$name.trc" "$tau/synthetic/$name.edf"
    done
    for layout in 32le 32be 64le 64be; do
        load "$scratch/$layout.db" "$tau/variants/mpi4-$layout.trc" "$tau/real-mpi4/tau.edf"
        [ $layout = 32le ] ||
            agree "variants 32le and $layout give the same rows" "$scratch/32le.db" "$scratch/$layout.db" --rows
    done
else
    skip 'real traces' "no $tau"
fi
finish

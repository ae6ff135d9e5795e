#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The measured path through several PyTorch ranks: real recordings with a cause that was planted, and simulated runs; with
# clocks that agree and that do not.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'paths through ranks' 'python3 is not here'
    finish
    exit 0
fi
judge=$SRCDIR/tests/oracles/rank_path.py
recorded=$TRACETOOL_DATA/recorded

planted() { # FILES OFFSETS RANK NAME [BEFORE] : the files' clocks are ahead by OFFSETS, in us
    rm -rf moved && mkdir moved
    for _offset in $2; do
        _rank=$(find moved -name '*.json' | wc -l)
        python3 "$judge" move "$_offset" "$recorded/$1.rank$_rank.json.gz" "moved/rank$_rank.json" || return 1
    done
    shift 2
    import -q moved/*.json && run 0 --db "$db" critical-path --show segments --format csv --unit us --top 0 && cp out segments.csv &&
        python3 "$judge" planted "$db" segments.csv "$@" >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}
for offsets in '0 0 0 0' '0 60 -40 0' '-10000 0 10000 60'; do
    planted torch-2.13.0-forward "$offsets" 2 'COMP.planted sleep'
    result $? "a rank that sleeps in its forward pass, clocks ahead by $offsets us"
done
for offsets in '0 0 0' '60 -40 0' '10000 -10000 0'; do
    planted causes/loader "$offsets" 0 'I/O.enumerate(DataLoader)#_SingleProcessDataLoaderIter___next__'
    result $? "a rank that loads, clocks ahead by $offsets us"
    planted causes/silent "$offsets" 2 FW.aten::mean 'COMP.Optimizer_zero_grad#SGD_zero_grad'
    result $? "a rank that sleeps under no name, clocks ahead by $offsets us"
    planted causes/compute "$offsets" 1 FW.aten::mm
    result $? "a rank that computes, clocks ahead by $offsets us"
done
planted causes/loader '0 0 0' 0 'I/O.enumerate(DataLoader)#_SingleProcessDataLoaderIter___next__' && run 0 --db "$db" critical-path &&
    has out 'waits of the host are inferred' 'The run is bounded by process rank0.'
result $? 'what is inferred is said'

simulated() { # PERCENT SCENARIO OPTION... : path times by rank and operation are that near
    _percent=$1
    shift
    rm -rf sim && python3 "$SRCDIR/tests/oracles/mpi_simulator.py" "$@" --operations 20 --format kineto -o sim && mv sim/truth.json . &&
        import -q sim && run 0 --db "$db" critical-path --show ranks --format csv --unit ns --top 0 && cp out ranks.csv &&
        run 0 --db "$db" critical-path --show ops --format csv --unit ns --top 0 && python3 "$judge" simulated truth.json ranks.csv out "$_percent" >judged
    _status=$?
    sed 's/^/# /' judged
    result $_status "$*: within $_percent %"
}
# But for the launch of the first kernel the path is the truth.
for scenario in nxn grid halves random; do
    sampled || continue
    simulated 0.6 $scenario --ranks 6 --seed 2
    simulated 0.6 $scenario --ranks 9 --seed 4
done
# Of ranks that end within the error of the clocks either may be the last; these do not.
for scenario in nxn random; do
    simulated 2 $scenario --ranks 6 --seed 3 --skew 100us
    simulated 2 $scenario --ranks 6 --seed 3 --skew 10ms --drift 50
done
finish

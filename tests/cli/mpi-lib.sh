# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read after lib.sh by tests of tracetool-mpi, which are skipped where it cannot be run.
program=$BUILDDIR/tracetool-mpi
if ! [ -x "$program" ] || ! command -v mpirun >/dev/null || ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    echo '1..0 # SKIP no tracetool-mpi, or no mpirun of Open MPI'
    exit 0
fi
if grep -q 'fsanitize=thread' "$BUILDDIR/config.status"; then
    echo '1..0 # SKIP the MPI library is not built with ThreadSanitizer'
    exit 0
fi
# The MPI library leaks.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

# A rank that is killed while it starts may hold a lock in the memory that PMIx shares, for which mpirun then waits for ever
# at its end.
export PMIX_MCA_gds=hash

job() { # ARGUMENT... : of mpirun, which else sleeps for two seconds where a rank ends with a status
    TMPDIR=/tmp timeout -k 5 60 mpirun --quiet --mca odls_base_sigkill_timeout 0 --allow-run-as-root --oversubscribe "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
}

ranks() { # STATUS N ARGUMENT... : tracetool-mpi as N ranks
    wanted=$1 _n=$2
    shift 2
    job -n "$_n" "$program" "$@"
    got=$?
    judge_status "($_n ranks)" "$@"
}

# answers TEXT NUMBERS ARGUMENT... : a question about run.db; so many ranks say, byte by byte, what one process says. $about: the command,
# if ARGUMENTs do not say it.
answers() {
    _text=$1 _numbers=$2 _differs=0
    shift 2
    # shellcheck disable=SC2086
    run 0 --db run.db ${about-} "$@" && mv out one && mv err err.one && filled one || _differs=1
    for _number in $_numbers; do
        # shellcheck disable=SC2086
        { ranks 0 "$_number" --db run.db ${about-} "$@" && same one out && cmp -s err err.one; } || { echo "# $_number ranks"; _differs=1; }
    done
    [ $_differs = 0 ]
    result $? "$_text: $*"
}

# questions TEXT NUMBERS : those of standard input, a line each
questions() {
    _about_what=$1 _by=$2
    ! again || _by=${_by##* }
    while IFS= read -r _question; do
        # shellcheck disable=SC2086
        answers "$_about_what" "$_by" $_question
    done
}

# begun ARGUMENT... : tracetool-mpi as three ranks that have begun, their numbers in pid.RANK
begun() {
    rm -f pid.*
    # shellcheck disable=SC2016
    job -n 3 sh -c 'echo $$ >"pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$program" "$@" &
    _job=$!
    for _ in $(seq 2000); do
        [ -s pid.0 ] && [ -s pid.1 ] && [ -s pid.2 ] && break
        sleep 0.005
    done
}

# What has begun fails, without a word, and soon.
ended() {
    wait $_job
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] && [ ! -s out ]
}

# killed ARGUMENT... : tracetool-mpi as three ranks, of which one is killed; sooner where it came too late
killed() {
    for _after in 0.2 0.1 0.05 0.02 0; do
        begun "$@"
        sleep $_after
        kill -KILL "$(cat pid.1)"
        ! ended || return 0
    done
    return 1
}

# signalled RANK SIGNAL ARGUMENT... : tracetool-mpi as three ranks, of which one gets a signal while the last stands still; likewise
signalled() {
    _rank=$1 _signal=$2
    shift 2
    for _after in 0.3 0.1 0.03; do
        begun "$@"
        sleep $_after
        kill -STOP "$(cat pid.2)"
        sleep 0.3
        kill "-$_signal" "$(cat "pid.$_rank")"
        sleep 1
        kill -CONT "$(cat pid.2)" 2>/dev/null
        ! ended || return 0
    done
    return 1
}

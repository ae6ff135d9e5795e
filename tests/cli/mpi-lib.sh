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

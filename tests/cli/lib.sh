# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read by the tests of the command line: TAP, a scratch folder, and expectations.
set -u
export LC_ALL=C NO_COLOR=1
unset TRACETOOL_DB
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
n=0

result() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

skip() { # TEXT REASON
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

# run STATUS ARGUMENT... : runs tracetool, output in $scratch/out and err; complains of another status.
run() {
    wanted=$1
    shift
    "$TRACETOOL" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    got=$?
    [ "$got" -eq "$wanted" ] && return 0
    echo "# tracetool $*: status $got instead of $wanted"
    sed 's/^/# /' "$scratch/err"
    return 1
}

has() { # FILE TEXT... : all are in $scratch/FILE
    file=$scratch/$1
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$file" || { echo "# not in $(basename "$file"): $text"; sed 's/^/# /' "$file" | head -20; return 1; }
    done
}

lines() { # FILE NUMBER
    [ "$(wc -l <"$scratch/$1")" -eq "$2" ] || { echo "# $(wc -l <"$scratch/$1") lines in $1, not $2"; sed 's/^/# /' "$scratch/$1"; return 1; }
}

finish() {
    echo "1..$n"
}

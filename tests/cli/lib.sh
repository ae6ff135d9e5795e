# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read by the tests of the command line: TAP, a scratch folder, and expectations, none of which holds of nothing at all.
set -u
export LC_ALL=C NO_COLOR=1
unset TRACETOOL_DB COLUMNS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
db=$scratch/trace.db
n=0

result() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

skip() { # TEXT REASON
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

often() { # NUMBER : that with TEST_LONG=1, as .ci/run sets it, else a fourth; a twentieth if another build did so
    if [ "${TEST_LONG:-0}" = 1 ]; then
        echo "$1"
    elif [ "${TEST_AGAIN:-0}" = 1 ]; then
        echo $((($1 + 19) / 20))
    else
        echo $((($1 + 3) / 4))
    fi
}

n_rounds=0
again() { # whether another build ran all
    [ "${TEST_AGAIN:-0}" = 1 ]
}

sampled() { # whether this round of a loop is to run: where another build ran all, every eighth is
    n_rounds=$((n_rounds + 1))
    ! again || [ $((n_rounds % 8)) -eq 1 ]
}

seeds() { # NUMBER : 1 to that, for random inputs; $TEST_SEEDS has the last word
    seq 1 "${TEST_SEEDS:-$(often "$1")}"
}

finish() {
    echo "1..$n"
}

# -- running ----------------------------------------------------------------------------------------

# run STATUS ARGUMENT... : runs tracetool, output in $scratch/out and err; complains of another status, and of a failure
# without a word.
run() {
    wanted=$1
    shift
    # The status is told to the stand-ins of dead-program.sh, for nothing is harder to notice than the right one.
    STAND_IN_STATUS=$wanted "$TRACETOOL" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    got=$?
    judge_status "$@"
}

# The same, typed in a terminal, of which out is the screen. Words without blanks; first of all may stand VARIABLE=VALUE.
typed() {
    wanted=$1
    shift
    _set=
    case $1 in *=*) _set=$1; shift ;; esac
    STAND_IN_STATUS=$wanted script -qec "$_set '$TRACETOOL' $* 2>'$scratch/err'" /dev/null >"$scratch/out" </dev/null
    got=$?
    judge_status "$@"
}

has_terminals() { # whether typed can be asked
    command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1 </dev/null
}

judge_status() { # ARGUMENT... : of the program that ended with $got
    if [ "$got" -ne "$wanted" ]; then
        echo "# tracetool $*: status $got instead of $wanted"
        sed 's/^/# /' "$scratch/err"
        return 1
    fi
    [ "$got" -eq 0 ] || [ -s "$scratch/err" ] || [ -s "$scratch/out" ] && return 0
    echo "# tracetool $*: fails without a word"
    return 1
}

refuses() { # STATUS TEXT ARGUMENT... : it fails so, and says TEXT
    _status=$1 _text=$2
    shift 2
    run "$_status" "$@" && has err "$_text"
}

change_database() { # DATABASE SQL... : as another program could that knows our checksums; needs python3
    python3 "$SRCDIR/tests/cli/change-database.py" "$@"
}

import() { # ARGUMENT... : into a fresh $db
    rm -f "$db"*
    run 0 --db "$db" import "$@" && filled "$db"
}

refuses_import() { # STATUS TEXT ARGUMENT... : it fails so, says TEXT, and leaves no $db
    _status=$1 _text=$2
    shift 2
    rm -f "$db"*
    refuses "$_status" "$_text" --db "$db" import "$@" && [ ! -e "$db" ]
}

ask() { # SQL ROW... : the rows of $db, in csv, are these
    run 0 --db "$db" query --format csv "$1" || return 1
    shift
    prints "$@"
}

# -- looking at files ---------------------------------------------------------------------------------
# A file is in $scratch unless it has a path of its own. The answer is 0 for yes, 1 for no and 2 if a file is empty or
# not there, of which nothing can be told.

at() { # FILE : its path
    case $1 in /*) echo "$1" ;; *) echo "$scratch/$1" ;; esac
}

filled() { # FILE... : each is there and has something in it
    for _file in "$@"; do
        [ -s "$(at "$_file")" ] || { echo "# $_file is empty"; return 2; }
    done
}

has() { # FILE TEXT... : it has all of them
    filled "$1" || return 2
    _path=$(at "$1")
    shift
    for _text in "$@"; do
        grep -qF -- "$_text" "$_path" && continue
        echo "# not in $(basename "$_path"): $_text"
        sed 's/^/# /' "$_path" | head -20
        return 1
    done
}

matches() { # FILE [OPTION OF GREP] PATTERN : a line of it matches
    filled "$1" || return 2
    _path=$(at "$1")
    shift
    grep -q "$@" "$_path" && return 0
    echo "# nothing in $(basename "$_path") matches: $*"
    sed 's/^/# /' "$_path" | head -20
    return 1
}

lines() { # FILE NUMBER : it has so many
    _path=$(at "$1")
    [ "$(wc -l <"$_path")" -eq "$2" ] && return 0
    echo "# $(wc -l <"$_path") lines in $1, not $2"
    sed 's/^/# /' "$_path"
    return 1
}

same() { # FILE FILE : they are; the first may be -, standard input
    _left=$1
    if [ "$1" = - ]; then
        _left=same.stdin
        cat >"$scratch/same.stdin"
    fi
    filled "$_left" "$2" || return 2
    cmp -s "$(at "$_left")" "$(at "$2")" && return 0
    diff "$(at "$_left")" "$(at "$2")" | sed 's/^/# /' | head -20
    return 1
}

refute() { # HELPER ARGUMENT... : has, matches or same says no, and not for want of anything to look at
    case $1 in has | matches | same) ;; *) echo "# refute cannot ask: $1"; return 1 ;; esac
    "$@" >/dev/null
    [ $? -eq 1 ] && return 0
    echo "# not refuted: $*"
    return 1
}

unsaid() { # TEXT : err, which may well be empty, does not have it
    ! grep -F -- "$1" "$scratch/err"
}

# -- tables in csv ----------------------------------------------------------------------------------------
# In a pipe their status is lost: give what comes out of it to `same`, or compare it with a text.

body() { # [FILE] : the rows of out, without the heading; fails if there are none
    tail -n +2 "$(at "${1:-out}")" | grep .
}

prints() { # ROW... : the rows of out are these
    printf '%s\n' "$@" >"$scratch/wanted.rows"
    body | same - wanted.rows
}

column() { # NAME [FILE] : that column of out, without the heading; fails if there is none, or no rows
    awk -v name="$1" '
        function split_row(line, part, n, value) {
            for (line = line ","; line != ""; line = substr(line, RLENGTH + 1)) {
                if (match(line, /^"([^"]|"")*",/)) {
                    value = substr(line, 2, RLENGTH - 3)
                    gsub(/""/, "\"", value)
                } else {
                    match(line, /^[^,]*,/)
                    value = substr(line, 1, RLENGTH - 1)
                }
                part[++n] = value
            }
            return n
        }
        { n = split_row($0, part) }
        NR == 1 { for (i = 1; i <= n; i++) if (part[i] == name) at = i; if (!at) exit; next }
        { print part[at] }
        END { exit !(at && NR > 1) }' "$(at "${2:-out}")"
}

total() { # NAME [FILE] : the sum of that column of out; fails as column does
    column "$@" >"$scratch/summands" && awk '{ sum += $1 } END { printf "%.12g\n", sum }' "$scratch/summands"
}

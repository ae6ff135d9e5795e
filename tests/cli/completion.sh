#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The completion for bash, asked as bash would ask.
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1

if ! command -v bash >/dev/null; then
    echo '1..0 # SKIP bash is not here'
    exit 0
fi

# complete WORD... : what is offered for the last of them, one a line.
complete() {
    bash -c '
        source "$0" 2>/dev/null
        program=$1
        shift
        COMP_WORDS=(tracetool "$@")
        COMP_CWORD=$#
        _tracetool "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
        printf "%s\n" "${COMPREPLY[@]}"' "$SRCDIR/src/cli/tracetool.bash" "$TRACETOOL" "$@" >out
}
offers() { # exactly these
    printf '%s\n' "$@" | sort >wanted
    sort out | same - wanted
}

mkdir traces
touch run.trc run.edf stats.txt

complete sta && offers stats stats.txt
result $? 'commands and files'
complete --d && offers --db
result $? 'options before the command'
complete --db x.db inf && offers info
result $? 'commands after an option with a value'
complete help com && offers comm
result $? 'commands after help'
complete stats --fil && offers --filter
result $? 'options of a command'
complete import --ad && offers --add
result $? 'options of another command'
complete stats --by op_ && offers op_cat op_long_name op_name
result $? 'keys'
complete stats --by pid,na && offers pid,name pid,native_group
result $? 'a second key'
complete steps --per = r && offers run
result $? 'what steps are shown per'
complete simulate --lanes s && offers separate shared && complete replay --show s && offers sweep
result $? 'what a simulation is asked'
complete stats --format = na && offers name2sta
result $? 'a format after an equals sign'
complete comm --format m && offers markdown
result $? 'formats'
complete stats --sort p && offers p95 p99
result $? 'columns'
complete pi pri && offers print && complete pi print --style c && offers classic && complete pi print --pi-ids 2021 && offers 2021-12 2021-summer
result $? 'a command of a group, and its options'
complete import run. && offers run.edf run.trc
result $? 'files'
complete stats --filter op_l && offers op_long_name
result $? 'fields of a filter'

# What it offers is what the program knows.
# shellcheck disable=SC2016
keys=$(sed -n 's/.*_tracetool_list "$current" name/name/p' "$SRCDIR/src/cli/tracetool.bash" | tr ' ' ',')
"$TRACETOOL" stats --help | tr -d ' ' | grep -qF "KEYs:$keys."
result $? 'all keys of stats are offered'
finish

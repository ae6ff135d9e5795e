# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of tracetool for bash. The program itself says what may follow.

_tracetool() {
    local program=$1 line word words=() files='' i

    # "--by=name" and "a:b" arrive as three words each.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#words[@]} > 0)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done
    # Only what follows the last of these characters is replaced.
    local whole=${words[-1]} current=${COMP_WORDS[COMP_CWORD]}
    case $current in [=:]*) current=${current#?} ;; esac
    local before=${whole%"$current"}

    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :files) files=yes ;;
            :partial) compopt -o nospace ;;
            *) word=${line%%$'\t'*} && COMPREPLY+=("${word#"$before"}") ;;
        esac
    done < <("$program" completion --words "${words[@]}" 2>/dev/null)
    if [ -n "$files" ]; then
        compopt -o filenames
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    fi
}

complete -F _tracetool tracetool

#compdef tracetool
# SPDX-License-Identifier: Apache-2.0
# Completion of tracetool for zsh. The program itself says what may follow.

_tracetool() {
    local line word files
    local -a lines found shown suffix described

    lines=("${(@f)$("${(Q)words[1]}" completion --words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    for line in "${lines[@]}"; do
        word=${line%%$'\t'*}
        case $line in
            '') ;;
            :files) files=yes ;;
            :partial) suffix=(-S '') ;;
            *$'\t'?*) found+=("$word") shown+=("${(r:20:)word} ${line#*$'\t'}") described=(-l) ;;
            *) found+=("$word") shown+=("$word") ;;
        esac
    done
    (( $#found )) && compadd "${described[@]}" "${suffix[@]}" -d shown -a found
    if [[ -n $files ]]; then
        compset -P '--*='
        _files
    fi
    (( $#found )) || [[ -n $files ]]
}

if [[ $funcstack[1] == _tracetool ]]; then
    _tracetool "$@"
else
    compdef _tracetool tracetool
fi

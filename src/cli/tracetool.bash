# SPDX-License-Identifier: Apache-2.0
# Completion of tracetool for bash. Commands and options come from the program's own --help.

_tracetool_commands() { # PROGRAM [GROUP]
    "$@" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'
}

_tracetool_options() { # PROGRAM COMMAND [MEMBER]
    "$@" --help 2>/dev/null | sed -n '/^Options:/,/^$/p' | grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,'
}

_tracetool_formats() {
    "$1" import --help 2>/dev/null | sed -n '/^Formats:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'
}

# The command on the line, if there is one already, with the second word of a group's: "pi print".
_tracetool_command() { # PROGRAM
    local i first=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            --db | --run) ((i++)) ;;
            -*) ;;
            *)
                if [ -n "$first" ]; then
                    echo "$first ${COMP_WORDS[i]}"
                    return
                fi
                first=${COMP_WORDS[i]}
                [ -n "$(_tracetool_commands "$1" "$first")" ] || break
                ;;
        esac
    done
    echo "$first"
}

# Completes the last of a list separated by commas.
_tracetool_list() { # CURRENT WORD...
    local current=$1 done=''
    shift
    case $current in
        *,*) done=${current%,*},; current=${current##*,} ;;
    esac
    compopt -o nospace
    mapfile -t COMPREPLY < <(compgen -P "$done" -W "$*" -- "$current")
}

_tracetool_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_tracetool() {
    local program=$1 current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command
    local fields='pid tid op_cat op_name sub_op suffix name op_long_name raw_name native_group file step depth dur self ts flags rank'
    local columns='time total self count avg med min max stddev p95 p99 name ranks mean imbalance'

    COMPREPLY=()
    # "--by=name" arrives as three words.
    if [ "$current" = '=' ]; then
        current=''
    elif [ "$previous" = '=' ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    command=$(_tracetool_command "$program")

    case $command/$previous in
        */--db | */--name-rules | stats/--exe | */-o | */--output) _tracetool_files "$current"; return ;;
        */--run) mapfile -t COMPREPLY < <(compgen -W all -- "$current"); return ;;
        stats/--by)
            _tracetool_list "$current" name op_long_name op_cat op_name sub_op pid tid sm step native_group file
            _tracetool_list "$current" name op_long_name op_cat op_name sub_op pid tid step native_group file lexgion
            return ;;
        steps/--per) mapfile -t COMPREPLY < <(compgen -W 'step pid run' -- "$current"); return ;;
        stats/--per) mapfile -t COMPREPLY < <(compgen -W pid -- "$current"); return ;;
        stats/--sort) mapfile -t COMPREPLY < <(compgen -W "$columns" -- "$current"); return ;;
        stats/--metric) mapfile -t COMPREPLY < <(compgen -W "$("$program" stats --metric list 2>/dev/null)" -- "$current"); return ;;
        simulate/--lanes | replay/--lanes) mapfile -t COMPREPLY < <(compgen -W 'separate shared' -- "$current"); return ;;
        simulate/--recv | replay/--recv) mapfile -t COMPREPLY < <(compgen -W 'rest traced clipped' -- "$current"); return ;;
        simulate/--algo | replay/--algo) mapfile -t COMPREPLY < <(compgen -W 'ring tree' -- "$current"); return ;;
        simulate/--show | replay/--show)
            mapfile -t COMPREPLY < <(compgen -W 'ranks kinds ops path sweep' -- "$current")
            return ;;
        simulate/--scale | replay/--scale)
            compopt -o nospace
            mapfile -t COMPREPLY < <(compgen -S = -W 'op_cat op_name sub_op name op_long_name pid' -- "$current")
            return ;;
        comm/--matrix | comm/--sort) mapfile -t COMPREPLY < <(compgen -W 'bytes count wait' -- "$current"); return ;;
        comm/--show) mapfile -t COMPREPLY < <(compgen -W 'pairs ranks collectives' -- "$current"); return ;;
        critical-path/--show)
            mapfile -t COMPREPLY < <(compgen -W 'ops ranks segments kinds path cycles slack dominators feedback' -- "$current")
            return
            ;;
        depgraph/--level) mapfile -t COMPREPLY < <(compgen -W 'op event job task' -- "$current"); return ;;
        depgraph/--recv) mapfile -t COMPREPLY < <(compgen -W 'traced clipped dpro' -- "$current"); return ;;
        depgraph/--from) _tracetool_files "$current"; return ;;
        depgraph/--format) mapfile -t COMPREPLY < <(compgen -W 'dot gml graphml json svg png trail' -- "$current"); return ;;
        'probe compile'/-t | 'probe compile'/--target) mapfile -t COMPREPLY < <(compgen -W 'ptx gfx90a gfx942 cuda hip' -- "$current"); return ;;
        nccl/--show) mapfile -t COMPREPLY < <(compgen -W 'groups rings trees possible problems' -- "$current"); return ;;
        'pi record'/--format) mapfile -t COMPREPLY < <(compgen -W 'native g3 doc' -- "$current"); return ;;
        'pi record'/--output | 'pi pack'/--output | 'pi drive'/--plugin) _tracetool_files "$current"; return ;;
        'pi print'/--style) mapfile -t COMPREPLY < <(compgen -W 'named classic' -- "$current"); return ;;
        'pi print'/--group) mapfile -t COMPREPLY < <(compgen -W thread -- "$current"); return ;;
        'pi print'/--order) mapfile -t COMPREPLY < <(compgen -W 'name directory' -- "$current"); return ;;
        */--pi-generation) mapfile -t COMPREPLY < <(compgen -W 'g0 doc g1 g2 g3 native' -- "$current"); return ;;
        */--pi-ids) mapfile -t COMPREPLY < <(compgen -W '2021-summer 2021-12 2022-05 2024' -- "$current"); return ;;
        */--config | */--domains) _tracetool_files "$current"; return ;;
        */--config-others) mapfile -t COMPREPLY < <(compgen -W 'drop keep' -- "$current"); return ;;
        */--missing-punit) mapfile -t COMPREPLY < <(compgen -W 'fail match' -- "$current"); return ;;
        'config check'/--format) mapfile -t COMPREPLY < <(compgen -W 'text json csv tsv markdown table' -- "$current"); return ;;
        import/--format | convert/--format)
            mapfile -t COMPREPLY < <(compgen -W "$(_tracetool_formats "$program")" -- "$current")
            return ;;
        */--probe-layout) _tracetool_files "$current"; return ;;
        */--step-rule) mapfile -t COMPREPLY < <(compgen -W 'seed strict none' -- "$current"); return ;;
        */--args) mapfile -t COMPREPLY < <(compgen -W 'all none' -- "$current"); return ;;
        stats/--format) mapfile -t COMPREPLY < <(compgen -W 'table csv tsv json markdown name2sta cat2sta' -- "$current"); return ;;
        */--format) mapfile -t COMPREPLY < <(compgen -W 'table csv tsv json markdown' -- "$current"); return ;;
        */--unit) mapfile -t COMPREPLY < <(compgen -W 'ns us ms s' -- "$current"); return ;;
        */--filter)
            compopt -o nospace
            mapfile -t COMPREPLY < <(compgen -W "$fields" -- "$current")
            return ;;
    esac

    if [ -z "$command" ]; then
        if [[ $current == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W '--db --run --version --help' -- "$current")
            return
        fi
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -W "$(_tracetool_commands "$program") help" -- "$current"; compgen -f -- "$current")
    elif [ "$command" = help ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tracetool_commands "$program")" -- "$current")
    elif [[ $current == -* ]]; then
        # shellcheck disable=SC2086
        mapfile -t COMPREPLY < <(compgen -W "$(_tracetool_options "$program" $command)" -- "$current")
    elif [[ $command != *' '* ]] && [ -n "$(_tracetool_commands "$program" "$command")" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_tracetool_commands "$program" "$command")" -- "$current")
    else
        _tracetool_files "$current"
    fi
}

complete -F _tracetool tracetool

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The completion of command lines: what the program offers, that it is what help lists and what it takes, and how bash,
# zsh and fish make use of it.
. "$SRCDIR/tests/cli/lib.sh"
scripts=$SRCDIR/data/completion
typed=$SRCDIR/tests/oracles/type-in-shell.py

cp -r "$TRACETOOL_DATA/tau-merged" "$TRACETOOL_DATA/neutrino" "$TRACETOOL_DATA/pi-run" "$TRACETOOL_DATA/job-2x1" . && chmod -R u+w .
cp "$TRACETOOL_DATA/pinsight/example.conf" .
cp -r "$TRACETOOL_DATA/pinsight/recorded/full" pinsight-trace
"$TRACETOOL" import -q job-2x1 2>/dev/null || exit 1

# complete WORD... : what may stand in the place of the last one, the words alone.
complete() {
    "$TRACETOOL" completion --words "$@" >asked && cut -f 1 asked >out
}
offers() { # exactly these
    printf '%s\n' "$@" | sort >wanted
    sort out | cmp -s - wanted || { echo "# offered: $(tr '\n' ' ' <out)"; return 1; }
}

complete sta && offers stats :files
result $? 'commands, and files'
complete --d && offers --db
result $? 'options before the command'
complete --db x.db inf && offers info :files
result $? 'commands after an option with a value'
complete --db='x.db' inf && offers info :files && complete --db= && offers :files
result $? 'commands after an option with its value, and the value'
complete help com && offers comm compare completion && complete help pi pr && offers print
result $? 'commands after help'
complete stats --fil && offers --filter && complete import --ad && offers --add
result $? 'options of a command'
complete stats --by op_ && offers op_cat op_long_name op_name :partial
result $? 'keys'
complete stats --by pid,na && offers pid,name pid,native_group :partial
result $? 'a second key'
complete stats --by name,pid,n && offers name,pid,native_group :partial
result $? 'no key a second time'
complete stats --by=pid,na && offers --by=pid,name --by=pid,native_group :partial
result $? 'a second key after an equals sign'
complete steps --per ru && offers run && complete steps --per=ru && offers --per=run
result $? 'what steps are shown per'
complete simulate --lanes s && offers separate shared && complete replay --show s && offers sweep
result $? 'what a simulation is asked, under both names'
complete stats --format na && offers name2sta && complete comm --format m && offers markdown && complete pi record --format '' && offers native g3 doc
result $? 'formats, of each command its own'
complete stats --sort p && offers p95 p99 && complete stats --per pid --sort me && offers mean
result $? 'columns, of each table its own'
complete probe compile -t gfx && offers gfx90a gfx942
result $? 'the value of a short option'
complete pi pri && offers print && complete pi print --style c && offers classic && complete pi print --pi-ids 2021 && offers 2021-12 2021-summer 2021.1 2021.2 2021.3 2021.4
result $? 'a command of a group, and its options'
complete stats --filter op_l && offers op_long_name= :partial
result $? 'fields of a filter'
complete stats --db='' '' && offers :files && complete import run. && offers :files && complete stats -- --by && offers :files
result $? 'files'
complete stats --exe '' && offers :files && complete depgraph -o '' && offers :files
result $? 'files as values'
complete stats --to && offers --top && complete stats --top '' && ! [ -s out ] && complete stats --time-window '' && ! [ -s out ]
result $? 'nothing where a number is wanted'
complete completion '' && offers bash zsh fish
result $? 'shells'
complete plot br && offers breakdown && complete plot breakdown '' && offers :files
result $? 'what to plot, then files'
complete nonsense '' && offers :files && complete stats --nonsense x --by=x '' && offers :files
result $? 'files after what is wrong'
complete inf && filled out && "$TRACETOOL" completion --words >out && ! [ -s out ]
result $? 'nothing for no word'
"$TRACETOOL" --db s.db import -q "$TRACETOOL_DATA/succeed/metrics" && metric=$("$TRACETOOL" --db s.db stats --metric list | head -n 1) &&
    [ -n "$metric" ] && complete --db s.db stats --metric "$metric" && grep -qxF "$metric" out
result $? 'metrics of the database'

# -- what is offered, what help lists, and what the program takes
listed() { # [GROUP]
    "$TRACETOOL" "$@" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'
}
commands=$(for command in $(listed); do
    members=$(listed "$command")
    [ -n "$members" ] || echo "$command"
    for member in $members; do echo "$command/$member"; done
done)
[ -n "$commands" ]
result $? 'there are commands'
listed >wanted && complete '' && grep -v '^:files$\|^help$' out | same - wanted
result $? 'all commands are offered'

# Some options are taken only together with others, and some commands only with arguments.
with() { # COMMAND OPTION VALUE
    case $1/$2/$3 in
        remove/format/*) echo '--run 1 --dry-run' ;;
        depgraph/level/event) echo '--time-window 0:1' ;;
        depgraph/format/trail | depgraph/recv/*) echo '--level job' ;;
        critical-path/filter/*) echo '--model' ;;
    esac
    case $1/$2 in
        import/config-others | import/missing-punit | convert/config-others | convert/missing-punit | stats/config-others | \
            stats/missing-punit | export/config-others | export/missing-punit | import/pinsight | convert/pinsight | \
            stats/pinsight | export/pinsight) echo '--config example.conf' ;;
        pi/print/order) echo '--group thread' ;;
        config/explain/*) echo '--lexgion 0x1' ;;
        config/suggest/*) echo '--max-size 1M' ;;
    esac
}
arguments() { # COMMAND VALUE
    case $1/$2 in plot/text) echo roofline && return ;; esac # few plots have letters
    case $1 in
        import) echo tau-merged ;;
        convert) echo tau-merged x.json ;;
        compare) echo 1 1 ;;
        config/suggest) echo pinsight-trace ;;
        config/*) echo example.conf ;;
        plot) echo waits ;;
        pi/print) echo pi-run ;;
        pi/record) echo '-o recorded --override true' ;;
        probe/compile) echo neutrino/block_sched.py ;;
    esac
}
# takes COMMAND OPTION VALUE : the program does not call it a mistake; 2 is the status of mistakes.
takes() {
    given=$3
    case $2 in scale) given=${given}FW:2 ;; esac
    db=given.db
    [ "$1" != import ] || db=other.db
    cp trace.db given.db
    # shellcheck disable=SC2046
    "$TRACETOOL" --db $db $(echo "$1" | tr / ' ') $(with "$1" "$2" "$3") "--$2=$given" $(arguments "$1" "$3") >taken 2>err </dev/null
    status=$?
    [ $status -le 1 ] || grep -qE 'no operation of this job has|NVLS: hosts have one GPU' err && return 0
    echo "# $1 --$2=$given: status $status: $(cat err)"
    return 1
}

: >valued
for path in $commands; do
    command=$(echo "$path" | tr / ' ')
    # shellcheck disable=SC2086
    "$TRACETOOL" $command --help >page
    sed -n '/^Options:/,/^$/p' page | grep -oE '^  (-., )?--[a-z0-9-]+|^  -[a-z], ' | grep -oE -- '--?[a-z0-9-]+' | sort >wanted
    # shellcheck disable=SC2086
    complete $command - && sort out | cmp -s - wanted && [ -s wanted ]
    result $? "$command: all options of its help are offered, and no other" || diff wanted out
    # shellcheck disable=SC2013
    for option in $(sed -n 's/^--//p' wanted); do
        # shellcheck disable=SC2086
        complete $command "--$option" '' && grep -v '^:' out >values
        [ -s values ] && sed -n "/^ .*--$option=/p" page | grep -q . || continue
        echo "$path $option" >>valued
        # Where another build has tried them all, one.
        [ "${TEST_AGAIN:-0}" != 1 ] || sed -i '2,$d' values
        bad=$(while IFS= read -r value; do
            takes "$path" "$option" "$value" || echo "$value"
            case $path/$option in */filter | */scale | */metric | convert/format) ;; *) grep -qF -- "${value%=}" page || echo "not in help: $value" ;; esac
        done <values)
        [ -z "$bad" ] || printf '%s\n' "$bad" | sed 's/^/# /'
        [ -z "$bad" ]
        result $? "$command: takes all values offered for --$option, and its help names them"
        case $option in run | metric | args | scale) continue ;; esac
        ! takes "$path" "$option" nonsense >/dev/null
        result $? "$command: takes no others"
    done
done
[ "$(wc -l <valued)" -ge 40 ]
result $? "many options have values ($(wc -l <valued))"

# -- the scripts
for shell in bash zsh fish; do
    run 0 completion $shell && cmp -s out "$scripts/tracetool.$shell"
    result $? "completion $shell prints its script"
done
run 2 completion bush && has err "did you mean 'bash'" && run 2 completion && has err 'for which shell'
result $? 'completion of no known shell'

# -- shells
mkdir bin files && ln -s "$TRACETOOL" bin/tracetool && touch files/run.trc files/run.edf files/stats.txt "files/a b.trc"
cd files || exit 1
PATH=$scratch/bin:$PATH
export PATH
# completed SHELL LINE WANTED : the line after Tab.
completed() {
    [ "$(head -n 1 "../typed")" = "$1" ] || { echo "# after Tab: $(head -n 1 ../typed)"; return 1; }
}
typing() { # SHELL LINE
    python3 "$typed" "$1" "$scripts/tracetool.$1" "$2" >../typed 2>../typed.err || { sed 's/^/# /' ../typed.err; return 1; }
}
lists() { # WORD... : were listed by the second Tab
    for word in "$@"; do
        sed 1d ../typed | tr -s ' \t' '\n\n' | grep -qxF -- "$word" || { echo "# not listed: $word"; sed 's/^/# /' ../typed; return 1; }
    done
}

# The same in bash and zsh; a blank after a word says that it is complete.
for shell in bash zsh; do
    if ! command -v $shell >/dev/null || ! command -v python3 >/dev/null; then
        skip "$shell" "$shell or Python is not here"
        continue
    fi
    typing $shell 'tracetool inf' && completed 'tracetool info '
    result $? "$shell: a command"
    typing $shell 'tracetool pi pri' && completed 'tracetool pi print '
    result $? "$shell: a command of a group"
    typing $shell 'tracetool stats --time-w' && completed 'tracetool stats --time-window '
    result $? "$shell: an option"
    typing $shell 'tracetool stats --by op_l' && completed 'tracetool stats --by op_long_name'
    result $? "$shell: a key, after which there may be more"
    typing $shell 'tracetool stats --by pid,nat' && completed 'tracetool stats --by pid,native_group'
    result $? "$shell: a second key"
    typing $shell 'tracetool stats --format=na' && completed 'tracetool stats --format=name2sta '
    result $? "$shell: a value after an equals sign"
    typing $shell 'tracetool stats --format ' && lists table csv tsv json markdown name2sta cat2sta
    result $? "$shell: lists of values"
    typing $shell 'tracetool depgraph --level ' && lists op event job task
    result $? "$shell: other lists of values"
    typing $shell 'tracetool stats --filter raw_' && completed 'tracetool stats --filter raw_name='
    result $? "$shell: a field of a filter"
    typing $shell 'tracetool import run.t' && completed 'tracetool import run.trc '
    result $? "$shell: a file"
    typing $shell 'tracetool import run.' && lists run.trc run.edf
    result $? "$shell: files"
    typing $shell 'tracetool import a' && completed 'tracetool import a\ b.trc '
    result $? "$shell: a file with a blank"
    typing $shell 'tracetool depgraph -o sta' && completed 'tracetool depgraph -o stats.txt '
    result $? "$shell: a file as the value of an option"
    typing $shell 'tracetool depgraph --output=sta' && completed 'tracetool depgraph --output=stats.txt '
    result $? "$shell: a file after an equals sign"
    typing $shell 'tracetool pi print --' && lists --style --group --errors --pi-ids
    result $? "$shell: options"
done

if command -v fish >/dev/null; then
    fish_offers() { # LINE WORD... : exactly these
        HOME=$scratch fish --no-config -c "source '$scripts/tracetool.fish'; complete -C '$1'" 2>../err | cut -f 1 >../out
        shift
        printf '%s\n' "$@" | sort >../wanted
        sort ../out | cmp -s - ../wanted || { sed 's/^/# offered: /' ../out ../err; return 1; }
    }
    fish_offers 'tracetool inf' info && fish_offers 'tracetool pi pri' print
    result $? 'fish: commands'
    fish_offers 'tracetool stats --time-w' --time-window
    result $? 'fish: an option'
    fish_offers 'tracetool stats --by op_' op_cat op_name op_long_name && fish_offers 'tracetool stats --by pid,na' pid,name pid,native_group
    result $? 'fish: keys'
    fish_offers 'tracetool stats --format ' table csv tsv json markdown name2sta cat2sta && fish_offers 'tracetool stats --format=na' --format=name2sta
    result $? 'fish: formats'
    fish_offers 'tracetool import run.' run.trc run.edf && fish_offers 'tracetool depgraph --output=sta' --output=stats.txt
    result $? 'fish: files'
else
    skip 'fish' 'fish is not here'
fi
finish

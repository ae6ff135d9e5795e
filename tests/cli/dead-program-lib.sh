# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Runs scripts of this folder with a program that is dead: no test may pass then, for a test that does checks nothing.
# What may pass all the same is in dead-program.txt, with the reason. Read by the dead-program*.sh, each of which takes a
# share of the scripts, so that they run side by side.
#
# The forms:
#   dies        every command exits 1 without a word
#   silent      every command says nothing and exits as the test wants it to, with 0 if it does not tell
#   no-reader   as silent, but import, convert, query and pi record are the real program, so that what the other
#               commands should read is there; with TEST_ALL=1 also no-reader-dies, where the others exit 1
#
# A test passes wrongly if a dead command was called in it; or, where it calls nothing, in the last test that did. The
# random inputs are one each, and generated ones small. The long forms of tests and the shared data are left out, for the
# same functions ask the same of them; with TEST_ALL=1 they are not, and the long scripts run too.
#
# What a script asks does not depend on the program, so a script is judged once: dead-program.judged has the sums of those
# that passed, over the script, the files of tests/ that it names, and what may pass. A script that is not there as it is
# is judged; with JUDGED=write its sum is then written. With TEST_ALL=1 all are judged.
. "$SRCDIR/tests/cli/lib.sh"
here=$SRCDIR/tests/cli
tab=$(printf '\t')
living='import convert query pi-record'
forms='dies silent no-reader no-reader-dies'
# Each of these takes two seconds or more though the program is dead: they wait, compile, or generate their input. The
# longest take about as long as the others.
long='stop pi-record simulate completion upgrade pi oracle neutrino trace-json tau-library pi-pack runs job pi-print kill
viewers damage limits mpi-simulator'
longest='installed ctf generated-job'
if [ "${TEST_ALL:-0}" != 1 ]; then
    forms='dies silent no-reader'
    SHARED_DATA=$scratch/none
    echo '# without the shared data'
    # shellcheck disable=SC2086
    [ "${TEST_LONG:-0}" = 1 ] || echo "# without what takes long, see TEST_LONG:" $long $longest
else
    TEST_LONG=1
fi

# stand_in FILE STATUS LIVING : a program that is the real one for the commands LIVING and exits with STATUS for all
# others; in the middle of the script's own output, $TAP, it tells which.
stand_in() {
    cat >"$1" <<END
#!/bin/sh
value= command= member=
for word in "\$@"; do
    case \$value\$word in
    value*) value= ;;
    --db | --run) value=value ;;
    -*) ;;
    *)
        [ -z "\$command" ] || { member=\$word && break; }
        command=\$word
        ;;
    esac
done
[ "\$command" != pi ] || command=pi-\$member
case ' $3 ' in
*" \${command:-none} "*)
    echo '# alive' >>"\$TAP"
    exec '$TRACETOOL' "\$@"
    ;;
esac
echo '# dead' >>"\$TAP"
exit $2
END
    chmod +x "$1"
}


# A folder of the build for each form, in which only the program is another.
for form in dies silent no-reader no-reader-dies; do
    mkdir "$scratch/$form"
    for entry in "$BUILDDIR"/* "$BUILDDIR"/.libs; do
        case ${entry##*/} in tracetool | neutrino-compile) ;; *) ln -s "$entry" "$scratch/$form/" ;; esac
    done
    # shellcheck disable=SC2016
    case $form in *dies) status=1 ;; *) status='${STAND_IN_STATUS:-0}' ;; esac
    case $form in no-reader*) alive=$living ;; *) alive= ;; esac
    stand_in "$scratch/$form/tracetool" "$status" "$alive"
    stand_in "$scratch/$form/neutrino-compile" "$status" ''
done

# passed FORM SCRIPT : the texts of the tests that pass wrongly, and what else is wrong with the run
passed() {
    rm -rf "$scratch/tap" "$scratch/tmp"
    mkdir "$scratch/tmp"
    TMPDIR=$scratch/tmp TAP=$scratch/tap TEST_SEEDS=1 TEST_CALLS=100 TEST_LONG=${TEST_ALL:-0} SHARED_DATA=$SHARED_DATA \
        BUILDDIR=$scratch/$1 TRACETOOL=$scratch/$1/tracetool timeout 600 sh "$2" >>"$scratch/tap" 2>"$scratch/said" </dev/null
    awk -v form="$1" -v status=$? '
        $0 == "# dead" { dead = called = any = 1 }
        $0 == "# alive" { called = 1 }
        /^1\.\.0/ { none = 1 }
        /^1\.\.[0-9]+/ { planned = substr($0, 4) + 0 }
        /^(not )?ok / {
            n++
            if (/^not ok /) failed = 1
            if (called) state = dead
            dead = called = 0
            if (/^ok / && state && !/ # SKIP /) { sub(/^ok [0-9]+ - /, ""); print }
        }
        END {
            if (status == 124) print "(it hangs)"
            if (none) exit
            if (any && !failed && planned && n == planned) print "(the suite would not see it)"
            if (form ~ /^no-reader/ && n != planned) print "(it stops before its end)"
        }' "$scratch/tap"
}

# listed FORM SCRIPT TEXT : it may pass
listed() {
    while IFS=$tab read -r part script pattern _; do
        [ "$script" = "$2" ] || continue
        case $1 in "$part"*) ;; *) [ "$part" = any ] || continue ;; esac
        # shellcheck disable=SC2254
        case $3 in $pattern) echo "$part$tab$script$tab$pattern" >>"$scratch/used" && return 0 ;; esac
    done <"$here/dead-program.txt"
    return 1
}

# judge FORM SCRIPT NAME : what passes is listed
judge() {
    passed "$1" "$2" >"$scratch/passed"
    sed -n "s/^not ok [0-9]* - /$3$tab/p" "$scratch/tap" >>"$scratch/failing"
    wrong=0
    while IFS= read -r text; do
        listed "$1" "$3" "$text" || { echo "# passes: $text"; wrong=1; }
    done <"$scratch/passed"
    return $wrong
}

# -- the scripts ------------------------------------------------------------------------------------------

# share quick | long | longest : the FORM:SCRIPT of that share
share() {
    for script in "$here"/*.sh; do
        name=$(basename "$script" .sh)
        case $name in lib | dead-program*) continue ;; esac
        # shellcheck disable=SC2086,SC2116
        case " $(echo $long) : $(echo $longest) " in
        *" $name "*:*) its=long ;;
        *:*" $name "*) its=longest ;;
        *) its=quick ;;
        esac
        [ "$its" = "$1" ] || continue
        for form in $forms; do
            # It asks import and convert, which are alive then, for a minute.
            case $form:$name in no-reader*:limits) continue ;; esac
            echo "$form:$name"
        done
    done
}

: >"$scratch/used"
n_bad=0
judge_all() { # FORM:SCRIPT... : a result each
    for pair in "$@"; do
        judge "${pair%%:*}" "$here/${pair#*:}.sh" "${pair#*:}" && bad=0 || bad=1
        n_bad=$((n_bad + bad))
        result "$bad" "$pair: no test passes"
    done
}

# sum SCRIPT : of all that decides what it asks
sum() {
    {
        cat "$here/$1.sh" "$here/lib.sh" "$here/dead-program-lib.sh"
        awk -F "$tab" -v script="$1" '$2 == script' "$here/dead-program.txt"
        grep -oE 'tests/[A-Za-z0-9_/.-]+' "$here/$1.sh" | sort -u | while IFS= read -r file; do
            case $file in *.py | *.sh | *.awk) ;; *) file=$file.c ;; esac # what was built differs from tree to tree
            [ ! -f "$SRCDIR/$file" ] || cat "$SRCDIR/$file"
        done
    } | sha256sum | cut -d ' ' -f 1
}

# unjudged : of the FORM:SCRIPT read, those whose script is not in dead-program.judged as it is
unjudged() {
    last=
    while IFS=: read -r form script; do
        if [ "$script" != "$last" ]; then
            last=$script known=no
            [ "${TEST_ALL:-0}" = 1 ] || ! grep -qxF "$(sum "$script") $script" "$here/dead-program.judged" || known=yes
        fi
        [ "$known" = yes ] || echo "$form:$script"
    done
}

# write_judged : the scripts of $scratch/share are judged now
write_judged() (
    flock 9 # the shares run side by side
    cut -d : -f 2 "$scratch/share" | sort -u >"$scratch/names"
    {
        while read -r sum name; do
            [ ! -f "$here/$name.sh" ] || grep -qxF "$name" "$scratch/names" || echo "$sum $name"
        done <"$here/dead-program.judged"
        while IFS= read -r name; do echo "$(sum "$name") $name"; done <"$scratch/names"
    } | sort -k 2 >"$scratch/judged"
    cp "$scratch/judged" "$here/dead-program.judged"
) 9<"$here"

# judge_share NAME : all of that share, and what is listed of its scripts is there, and passes. A test that is skipped
# here is neither used nor failing.
judge_share() {
    share "$1" >"$scratch/whole"
    unjudged <"$scratch/whole" >"$scratch/share"
    if [ ! -s "$scratch/share" ]; then
        filled whole
        result $? "the $(wc -l <"$scratch/whole") of this share were judged as they are"
        return
    fi
    # shellcheck disable=SC2046
    judge_all $(cat "$scratch/share")
    grep -v '^#' "$here/dead-program.txt" >"$scratch/listed"
    while IFS=$tab read -r part script pattern _; do
        grep -q ":$script\$" "$scratch/share" || continue
        grep -qF -- "${pattern%%[[*]*}" "$here/$script.sh" || echo "# not there: $script: $pattern"
        grep -qxF -- "$part$tab$script$tab$pattern" "$scratch/used" && continue
        sed -n "s/^$script$tab//p" "$scratch/failing" | while IFS= read -r text; do
            # shellcheck disable=SC2254
            case $text in $pattern) echo "# does not pass: $script: $pattern" && break ;; esac
        done
    done <"$scratch/listed" >"$scratch/stale"
    cat "$scratch/stale"
    [ ! -s "$scratch/stale" ] && bad=0 || bad=1
    n_bad=$((n_bad + bad))
    result "$bad" 'what is listed is there, and passes'
    [ "${JUDGED-}" != write ] || [ $n_bad -gt 0 ] || write_judged
}

# What tests ask does not depend on how the program was built: once is enough.
if [ "${TEST_AGAIN:-0}" = 1 ] || grep -q fsanitize "$BUILDDIR/config.status"; then
    echo '1..0 # SKIP another build shows it'
    exit 0
fi

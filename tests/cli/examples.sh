#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# data/succeed must import, data/fail must be refused: with status 1, a message that names the file,
# no database and no hang; and so must things that are no files.
. "$SRCDIR/tests/cli/lib.sh"

try() { # ARGUMENT... : imports into a database in an empty folder; sets $status
    rm -rf "$scratch/db"
    mkdir "$scratch/db"
    timeout 60 "$TRACETOOL" --db "$scratch/db/t.db" import "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    status=$?
}

refused() { # TEXT PATTERN ARGUMENT... : the last one refused
    what=$1 pattern=$2
    shift 2
    try "$@"
    [ "$status" -eq 1 ] && grep -q "$pattern" "$scratch/err" && [ -z "$(find "$scratch/db" -mindepth 1)" ]
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# status $status"; sed 's/^/# /' "$scratch/err"; }
    result "$verdict" "$what"
}

accepted() { # TEXT ARGUMENT...
    what=$1
    shift
    try "$@"
    [ "$status" -eq 0 ] && has out "run 1 in '$scratch/db/t.db'" && filled db/t.db
    verdict=$?
    [ "$verdict" -eq 0 ] || { echo "# status $status"; sed 's/^/# /' "$scratch/err"; }
    result "$verdict" "$what"
}

for example in "$TRACETOOL_DATA"/succeed/*; do
    name=${example##*/}
    accepted "succeed/$name as a directory" "$example"
    if [ -f "$example/run.trc" ]; then
        accepted "succeed/$name as a pair" "$example/run.edf" "$example/run.trc"
    fi
done
for name in cut no-close no-magic; do
    refused "--strict: succeed/$name" "run\.trc" --strict "$TRACETOOL_DATA/succeed/$name"
done

for example in "$TRACETOOL_DATA"/fail/*; do
    name=${example##*/}
    case $name in
    no-edf) refused "fail/$name" 'run\.edf' "$example/run.trc" ;;
    *) refused "fail/$name" 'run\.\(trc\|edf\)' "$example/run.trc" "$example/run.edf" ;;
    esac
    refused "fail/$name as a directory" 'run\.\(trc\|edf\)' "$example"
done

mkfifo "$scratch/pipe.trc"
refused 'a FIFO' 'pipe\.trc' "$scratch/pipe.trc" "$TRACETOOL_DATA/tau-merged/run.edf"
mkdir "$scratch/folder.trc"
refused 'an empty folder named like a trace' 'folder\.trc' "$scratch/folder.trc"
refused 'a device' '/dev/zero' /dev/zero
refused 'a file that is not there' 'nowhere\.trc' "$scratch/nowhere.trc"
refused 'definitions alone' 'run\.edf' "$TRACETOOL_DATA/tau-merged/run.edf"
finish

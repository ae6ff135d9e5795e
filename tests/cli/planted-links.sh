#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How files are made and replaced: nothing that others planted is written through, links of one's own are, permissions
# stay, and what a killed program left goes with the next one, whichever container either of them runs in.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/tau-merged/run.* "$TRACETOOL_DATA/kineto/waits.json" .
mkfifo hold
run 0 import -q run.trc run.edf

no_parts() {
    find . -name '*.part-*' -o -name '*.importing-*' >left
    [ ! -s left ]
}

# wait_for PATTERN : a file of that name, up to 5 s
wait_for() {
    tries=0
    # shellcheck disable=SC2086
    until ls $1 >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "# no $1"; return 1; }
        sleep 0.05
    done
}

# -- the place of a file ---------------------------------------------------------------------------------
# The name of a part was that of the target with the process number: exec keeps the number.
echo precious >precious
sh -c 'ln -s precious "out.json.part-$$"; exec "$0" export -o out.json' "$TRACETOOL" >out 2>err </dev/null
status=$?
[ $status -eq 0 ] && has out.json traceEvents && has precious precious && [ "$(wc -l <precious)" -eq 1 ]
result $? 'a link planted where the part of an export was to be'
sh -c 'ln -s precious "new.db.importing-$(uname -n)-$$"; exec "$0" --db new.db import -q waits.json' "$TRACETOOL" >out 2>err </dev/null
status=$?
[ $status -eq 0 ] && filled new.db && [ ! -L new.db ] && [ "$(cat precious)" = precious ]
result $? 'a link planted where a new database was to grow'
rm -f ./*.part-* ./*.importing-* new.db

mkdir real && echo old >real/target.json && ln -s real/target.json link.json && chmod 640 real/target.json
run 0 export -o link.json && [ -L link.json ] && has real/target.json traceEvents && [ "$(stat -c %a real/target.json)" = 640 ] && no_parts
result $? 'a link is written through, and the permissions of the file stay'
ln -s real/made.json dangling.json
run 0 export -o dangling.json && [ -L dangling.json ] && has real/made.json traceEvents && no_parts
result $? 'a link to what is not there: it is made'
ln -s b.json a.json && ln -s a.json b.json
refuses 1 'symbolic links' export -o a.json
result $? 'a circle of links'
ln -s real/base.db dangling.db
refuses 1 'symbolic link to' --db dangling.db import waits.json && [ ! -e real/base.db ] && no_parts
result $? 'a database by a link to what is not there is refused'
head -c 1000 run.trc >broken.trc && cp run.edf broken.edf && printf xx >>broken.trc
refuses 1 'broken.trc' --db real/base.db import --strict broken.trc broken.edf &&
    refuses 1 'symbolic link to' --db dangling.db import --strict broken.trc broken.edf
result $? 'before the import, not after it'

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    mkdir -m 1777 shared && ln -s "$scratch/precious" shared/out.json && chown -h 65534 shared/out.json
    refuses 1 'symbolic link of another user' export -o shared/out.json && [ "$(cat precious)" = precious ]
    result $? 'a link that another user planted in a shared folder'
    echo planted >shared/plain.json && chown 65534 shared/plain.json && chmod 666 shared/plain.json
    run 0 export -o shared/plain.json && has shared/plain.json traceEvents && [ "$(stat -c %a:%u shared/plain.json)" = 644:0 ]
    result $? 'a file that another user planted does not say who may write the new one'
else
    skip 'what another user planted' 'only root can plant it'
fi

mkdir folder.json && refuses 1 'is a directory' export -o folder.json && run 0 export --chrome -o /dev/null && [ -c /dev/null ]
result $? 'a folder, a device'
ln -s /dev/stdout stdout.json
{ echo before && "$TRACETOOL" export -o stdout.json && echo after; } >out 2>err </dev/null
has out traceEvents before after && [ "$(head -n 1 out)" = before ] && [ "$(readlink /dev/stdout)" = /proc/self/fd/1 ]
result $? 'standard output by its name in /dev goes where it goes'

# -- the writer of the TAU library -------------------------------------------------------------------------------
copy_trace() { # TRC EDF : as another program would with the library
    "$BUILDDIR/tests/formats/tau-copy" run.trc run.edf "$1" "$2" >out 2>err
}
copy_trace copy.trc copy.edf && filled copy.trc copy.edf && no_parts
result $? 'the TAU library writes a trace'
cp copy.trc wanted.trc && echo old >old.trc && echo old >old.edf && chmod 640 old.trc && ln -s old.trc linked.trc
copy_trace linked.trc old.edf && [ -L linked.trc ] && same old.trc wanted.trc && [ "$(stat -c %a old.trc)" = 640 ] && no_parts
result $? 'through a link of its own, and the permissions stay'
echo old >old.trc && ! copy_trace old.trc /nowhere/old.edf && has err '/nowhere/old.edf' && [ "$(cat old.trc)" = old ] && no_parts
result $? 'a trace that cannot be written whole leaves the old one'
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    ln -s "$scratch/precious" shared/out.trc && chown -h 65534 shared/out.trc
    ! copy_trace shared/out.trc out.edf && has err 'Permission denied' && [ "$(cat precious)" = precious ]
    result $? 'not through a link that another user planted'
else
    skip 'not through a link that another user planted' 'only root can plant it'
fi

# -- parts of killed programs ----------------------------------------------------------------------------------
kill_export() { # leaves a part of killed.json
    "$TRACETOOL" convert - run.edf killed.json <hold >out 2>err &
    pid=$!
    exec 9>hold
    wait_for 'killed.json.part-*' && kill -9 $pid
    wait $pid 2>/dev/null
    exec 9>&-
    ls killed.json.part-* >/dev/null
}
kill_export && run 0 convert run.trc run.edf killed.json && has killed.json traceEvents && no_parts
result $? 'the part of a killed export goes with the next'

# An import that waits for its input is alive, though its number means nothing here.
space=
if command -v unshare >/dev/null && unshare --pid --fork true 2>/dev/null; then space='unshare --pid --fork'; fi
"$BUILDDIR/bench/gen-tau" --records 100000 --nodes 2 --merged "$scratch/big"
"$TRACETOOL" --db live.db import -q - big.edf <hold >out 2>live.err &
pid=$!
exec 9>hold
head -c 1000000 big.trc >&9
# shellcheck disable=SC2086
wait_for 'live.db.importing-*' && $space "$TRACETOOL" --db live.db import -q waits.json >out 2>err </dev/null && ls live.db.importing-* >/dev/null
result $? "the file of a running import stays${space:+, even seen from another PID namespace}"
tail -c +1000001 big.trc >&9
exec 9>&-
wait $pid
status=$?
[ $status -eq 1 ] && has live.err 'appeared while' && no_parts
result $? 'and it finishes by itself'
finish

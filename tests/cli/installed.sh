#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An installation needs nothing of the tree that it was built in, can be moved, and can be taken away.
. "$SRCDIR/tests/cli/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES TRACETOOL_DATA
data=$SRCDIR/data
built=$TRACETOOL
prefix=$(sed -n 's|^prefix = ||p' "$BUILDDIR/Makefile")

if ! make -C "$BUILDDIR" -s install DESTDIR="$scratch/root" >log 2>&1; then
    sed 's/^/# /' log | tail -n 20
    echo "not ok 1 - make install"
    echo "1..1"
    exit 1
fi
home=$scratch/root$prefix
[ -x "$home/bin/tracetool" ] && [ -x "$home/bin/neutrino-compile" ]
result $? 'make install installs the programs'

# Where configure found an MPI. What that library keeps at its end is not ours.
MPI_ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export MPI_ASAN_OPTIONS
if grep -q '^am__EXEEXT_[0-9]* = tracetool-mpi' "$BUILDDIR/Makefile"; then
    [ -x "$home/bin/tracetool-mpi" ] && ASAN_OPTIONS=$MPI_ASAN_OPTIONS "$home/bin/tracetool-mpi" --version >mpi.txt 2>err && "$built" --version | cmp -s - mpi.txt
    result $? 'and tracetool-mpi, which is tracetool where nobody starts it as ranks'
else
    [ ! -e "$home/bin/tracetool-mpi" ]
    result $? 'and no tracetool-mpi, as there is no MPI'
fi

[ "$(head -n 1 "$home/share/zsh/site-functions/_tracetool")" = '#compdef tracetool' ] &&
    grep -q '^complete -F _tracetool tracetool' "$home/share/bash-completion/completions/tracetool" &&
    grep -q '^complete -c tracetool ' "$home/share/fish/vendor_completions.d/tracetool.fish"
result $? 'and completion where bash, zsh and fish look for it'

# Sanitizers and gcov keep paths of their own; `make distcheck` installs into the tree.
sources=$(cd "$SRCDIR" && pwd -P)
if case $prefix in "$BUILDDIR"/* | "$sources"/*) true ;; *) false ;; esac; then
    skip 'no installed file names the tree' 'the prefix is in it'
elif grep -qE '^(SANITIZER|COVERAGE)_CFLAGS = .' "$BUILDDIR/Makefile" || ! grep -q '^PREFIX_MAP_CFLAGS = .' "$BUILDDIR/Makefile"; then
    skip 'no installed file names the tree' 'this build does not leave paths out'
else
    find root -type f >files
    found=$(xargs grep -laF -e "$BUILDDIR" -e "$sources" <files)
    [ -s files ] && [ -z "$found" ] || echo "# $found"
    [ -s files ] && [ -z "$found" ]
    result $? 'no installed file names the tree that it was built in'
fi

# Of several ranks.
mkdir rank-files && cp "$data"/kineto/rank?.json rank-files
cp -r "$data/tau-merged" "$data/neutrino" "$data/pi-run" "$data/pinsight/example.conf" . && chmod -R u+w tau-merged neutrino pi-run
mkdir host
[ ! -e "$BUILDDIR/tests/pi-host/.libs/libxptifw.so" ] ||
    cp "$BUILDDIR/tests/pi-host/program" "$BUILDDIR"/tests/pi-host/.libs/*.so host/

# What the programs do with data and libraries that come with them; run in a folder with the inputs.
cat >use.sh <<'EOF'
set -e
bin=$1/bin
rm -rf t.db run out.toml
"$bin/tracetool" --db t.db import -q --again tau-merged
"$bin/tracetool" --db t.db stats --top 3 >stats.txt
grep -q 'Comm.MPI_Recv.RECV' stats.txt
for shell in bash zsh fish; do "$bin/tracetool" completion $shell | grep -q "^# Completion of tracetool for $shell"; done
"$bin/tracetool" config check example.conf >config.txt
grep -q 'no errors' config.txt
"$bin/tracetool" probe compile -o out.toml neutrino/block_sched.py
"$bin/neutrino-compile" neutrino/block_sched.py >again.toml
cmp out.toml again.toml
"$bin/tracetool" pi print pi-run >pi.txt
grep -q 'piPlatformsGet' pi.txt
if [ -e "$bin/tracetool-mpi" ] && command -v mpirun >log.mpi && mpirun --version | grep -q 'Open MPI'; then
    rm -rf run.shards
    ASAN_OPTIONS=$MPI_ASAN_OPTIONS TMPDIR=/tmp timeout -k 5 60 mpirun --quiet --allow-run-as-root --oversubscribe -n 2 "$bin/tracetool-mpi" --db run.shards import -q rank-files
    "$bin/tracetool" --db run.shards stats >mpi.stats
    grep -q 'COMP.ampere_sgemm' mpi.stats
fi
if [ -e host/libxptifw.so ]; then
    LD_LIBRARY_PATH=$PWD/host "$bin/tracetool" pi record -o run "$PWD/host/program" -- --threads 1 >host.txt
    "$bin/tracetool" pi print run >calls.txt
    grep -q 'piEnqueueMemBufferRead' calls.txt
fi
EOF
works() { # PREFIX [COMMAND...] : uses the installation there
    where=$1
    shift
    "$@" sh use.sh "$where" >use.log 2>&1 </dev/null || { sed 's/^/# /' use.log | tail -n 20; return 1; }
}
works "$home"
result $? 'what is installed works'

# With nothing in the place of the tree: an empty file system on top, seen only by this command.
cat >hidden.sh <<'EOF'
set -e
for tree in "$BUILDDIR" "$SRCDIR"; do [ ! -d "$tree" ] || mount -t tmpfs none "$tree"; done
if [ -e "$SRCDIR/data" ] || [ -e "$BUILDDIR/tracetool" ]; then exit 1; fi
exec "$@"
EOF
export BUILDDIR SRCDIR
if unshare -rm sh hidden.sh true 2>/dev/null; then
    works "$home" unshare -rm sh hidden.sh
    result $? 'it works without the tree that it was built in'
else
    skip 'it works without the tree that it was built in' 'no file system can be hidden here'
fi

# A tree of its own, to damage it: the program that is not installed reads it, the installed one does not.
mkdir -p tree/b tree/src/data
cp "$built" tree/b/tracetool
cp "$data/name-rules.ini" "$data"/pinsight-*.tsv tree/src/data/
echo ../src >tree/b/build-tree
tree/b/tracetool --db b.db import -q --again tau-merged
result $? 'a program in a build folder finds the data of its sources'
mv tree moved && moved/b/tracetool --db b.db import -q --again tau-merged
result $? 'also after both were moved'
echo '[damaged' >moved/src/data/name-rules.ini
moved/b/tracetool --db b.db import -q --again tau-merged 2>err
[ $? -eq 1 ] && has err 'moved/src/data/name-rules.ini'
result $? 'damaged data of the sources is an error of that program'
(cd moved/b && "$home/bin/tracetool" --db b.db import -q --again ../../tau-merged)
result $? 'and not of the installed one'

# Moved to another prefix, and there through a link.
mkdir elsewhere && mv "$home" elsewhere/place && mkdir -p elsewhere/links
works "$scratch/elsewhere/place"
result $? 'it works in another prefix'
ln -s "$scratch/elsewhere/place/bin" elsewhere/links/bin
works "$scratch/elsewhere/links"
result $? 'and through a link'
mv elsewhere/place/share/tracetool/name-rules.ini kept.ini
elsewhere/place/bin/tracetool --db t.db import -q --again tau-merged 2>err
status=$?
if [ -e "$prefix/share/tracetool/name-rules.ini" ]; then
    [ $status -eq 0 ]
else
    [ $status -eq 1 ] && has err "$prefix/share/tracetool/name-rules.ini"
fi
result $? 'what is nowhere else is looked for where it was to be installed'
TRACETOOL_DATA=$data elsewhere/place/bin/tracetool --db t.db import -q --again tau-merged
result $? 'TRACETOOL_DATA names another folder'
TRACETOOL_DATA=$scratch/nothing elsewhere/place/bin/tracetool --db t.db import -q --again tau-merged 2>err
[ $? -eq 1 ] && has err "$scratch/nothing/name-rules.ini"
result $? 'and no other is asked then'
mv kept.ini elsewhere/place/share/tracetool/name-rules.ini
mv elsewhere/place "$home"

make -C "$BUILDDIR" -s uninstall DESTDIR="$scratch/root" >log 2>&1 || sed 's/^/# /' log | tail -n 20
[ -z "$(find root ! -type d)" ] || find root ! -type d | sed 's/^/# left: /'
[ -d root ] && [ -z "$(find root ! -type d)" ] && [ -z "$(find "$home" -name '*tracetool*' 2>err)" ]
result $? 'make uninstall leaves nothing'
finish

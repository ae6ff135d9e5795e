#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does a test notice when the sources are wrong? Plants MUTANTS mutants (200), drawn with MUTANTS_SEED (1), into a copy
# of the sources and runs the tests against each. Called by `make mutants` with DIST (an unpacked distribution), OUT,
# FLAGS (of the compiler) and TESTS. A second call goes on where the first was stopped.
set -eu
python=${PYTHON:-python3}
seed=${MUTANTS_SEED:-1}
tools=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$OUT" && pwd)
tree=$out/tree

if [ ! -e "$out/built" ]; then
    rm -rf "$tree" "$out/hunt"
    mv "$DIST" "$tree"
    chmod -R u+w "$tree"
    cd "$tree"
    echo 'mutants: configuring'
    ./configure CFLAGS='-O1 -w' >"$out/configure.log" 2>&1
    make -s formats/pi/api-tables.h >"$out/build.log" 2>&1
    # FLAGS is quoted as in a Makefile.
    eval "'$python' '$tools/plant.py' --seed '$seed' --mutants '${MUTANTS:-200}' . '$out/list' \
        src/base src/trace src/store src/select analyzers graphs formats pictures -- -I. -Iformats/tau $FLAGS"
    echo 'mutants: building'
    { make -s && make -s check TESTS=; } >>"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log" >&2; exit 1; }
    touch "$out/built"
fi
echo 'mutants: hunting; this takes hours'
# shellcheck disable=SC2086
exec nice -n 19 "$python" "$tools/hunt.py" "$tree" "$out/list" "$out/hunt" $TESTS

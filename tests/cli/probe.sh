#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Probes from the command line: what examples compile to, in words and for assemblers; errors; options.
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/neutrino
wrap=$BUILDDIR/tests/formats/wrap-probe
random=$BUILDDIR/tests/formats/random-probe


# -- our own examples ------------------------------------------------------------------------------------

for source in "$examples"/*.py; do
    name=$(basename "$source" .py)
    for target in ptx gfx90a gfx942; do
        run 0 probe compile --target $target "$source" && same out "$examples/$name.$target.toml"
        result $? "$name for $target"
    done
    run 0 probe compile --layout "$source" && same out "$examples/$name.layout"
    result $? "$name, its records"
    run 0 probe compile --ir "$source" && same out "$examples/$name.ir"
    result $? "$name, its instructions"
done

(cd "$examples" && "$TRACETOOL" probe compile fail/several.py >"$scratch/out" 2>"$scratch/err")
[ $? -eq 1 ] && [ ! -s out ] && same err "$examples/fail/several.txt"
result $? 'several errors are said at once, and nothing is written'

# -- the examples that the compiler must agree with --------------------------------------------------------

shared=$SHARED_DATA/neutrino
if [ -d "$shared/examples" ]; then
    for source in "$shared"/examples/*.py; do
        name=$(basename "$source" .py)
        for target in ptx gfx90a gfx942; do
            # Those examples lack the wait states of gfx942, and have guards.
            run 0 probe compile --save-guards --target $target "$source" && sed '/^s_nop /d' out >got.toml &&
                same got.toml "$shared/examples/$name.$target.toml"
            result $? "shared $name for $target"
        done
    done
    while IFS= read -r line; do
        (cd "$shared/errors" && "$TRACETOOL" probe compile "${line%%:*}" >"$scratch/out" 2>"$scratch/err")
        [ $? -eq 1 ] && [ ! -s out ] && [ "$(head -1 err)" = "$line" ]
        result $? "$line"
    done <"$shared/errors/index.txt"
else
    skip 'the shared examples' 'no ../shared/data'
fi

seed=$SRCDIR/../shared/seeds/neutrino-tracing-language.md
if [ -f "$seed" ]; then
    sed -n '/^```python/,/^```$/p' "$seed" | sed '1d;$d' >seed.py
    # Comments are for people.
    sed -n '/^```toml/,/^```$/p' "$seed" | sed '1d;$d' | sed 's|//[^"]*||; s/ *#.*//; s/ *$//; s|; *"""$|;"""|' >seed.toml
    run 0 probe compile seed.py && sed 's/ *$//' out >got.toml && same got.toml seed.toml
    result $? "the seed's example"
else
    skip "the seed's example" 'no ../shared/seeds'
fi

# -- options ---------------------------------------------------------------------------------------------

source=$examples/block_sched.py
for pair in cuda:ptx hip:gfx942 CUDA:ptx; do
    run 0 probe compile -t "${pair%:*}" "$source" && same out "$examples/block_sched.${pair#*:}.toml"
    result $? "${pair%:*} is ${pair#*:}"
done
run 0 probe compile -o block.toml "$source" && [ ! -s out ] && same block.toml "$examples/block_sched.ptx.toml"
result $? '-o writes a file'
"$TRACETOOL" probe compile - <"$source" >out 2>err && same out "$examples/block_sched.ptx.toml"
result $? '- is standard input'
"$BUILDDIR/neutrino-compile" --target gfx90a "$source" >out 2>err && same out "$examples/block_sched.gfx90a.toml"
result $? 'neutrino-compile is the same'
"$BUILDDIR/neutrino-compile" nothing.py >out 2>err
[ $? -eq 1 ] && has err 'neutrino-compile: ' 'nothing.py'
result $? 'neutrino-compile names itself'
run 2 probe compile --target sm_80 "$source" && has err "unknown target 'sm_80' (known: ptx, gfx90a, gfx942)"
result $? 'an unknown target'
run 2 probe compile --target gfx90 "$source" && has err "did you mean 'gfx90a'?"
result $? 'a misspelt target'
run 2 probe compile && has err 'which source?'
result $? 'no source'
run 2 probe compile "$source" other.py && has err "'other.py' is the second"
result $? 'two sources'
run 2 probe compile --ir --layout "$source" && has err 'give one'
result $? 'two outputs'
cp "$source" own.py
run 2 probe compile -o own.py own.py && has err 'would overwrite the source' && same own.py "$source"
result $? 'the source is not overwritten'
run 0 probe compile --layout "$examples/loads.gfx942.toml" && same out "$examples/loads.layout"
result $? '--layout reads TOML, too'
{ cat "$examples/loads.gfx942.toml"; head -c 2000000 /dev/zero | tr '\0' '#'; } >long.toml
run 0 probe compile --layout long.toml && same out "$examples/loads.layout"
result $? 'a TOML may be longer than a source'
head -c 5000000 /dev/zero | tr '\0' '#' >large.toml
run 1 probe compile --layout large.toml && has err 'large.toml: line 1: the file is larger than 4 MiB'
result $? 'too large a TOML'
run 1 probe compile no.py && has err 'no.py'
result $? 'no such file'
run 1 probe compile . && has err 'directory'
result $? 'a directory'
mkfifo pipe
run 1 probe compile pipe && has err 'pipe'
result $? 'a FIFO'
: >empty.py
run 1 probe compile empty.py && has err 'empty.py:1:1: error: no probe defined'
result $? 'an empty file'
printf 'x: nl.u64 = 0\nstrange' >bad.py
refuses 1 'bad.py:1:1: error' probe compile -o bad.toml bad.py && [ ! -e bad.toml ]
result $? 'errors leave no file'
head -c 2000000 /dev/zero | tr '\0' '#' >large.py
run 1 probe compile large.py && has err 'large.py:1:1: error: the source has more than 1048576 bytes'
result $? 'too large a file'
run 0 probe compile "$examples/loads.py" && has err 'loads.py:9:1: warning: map contents reordered'
result $? 'a warning is no error'

# -- assemblers ------------------------------------------------------------------------------------------

# The examples, and random programs of both dialects.
mkdir sources
cp "$examples"/*.py sources/
[ ! -d "$shared/examples" ] || cp "$shared"/examples/*.py sources/
for number in $(seeds 12); do
    "$random" seed $number >sources/seed$number.py
    "$random" current $number >sources/current$number.py
done

# assemble TARGET MACHINE COMMAND... : all sources, wrapped into a kernel, which the command reads as its last argument.
assemble() {
    target=$1 machine=$2
    shift 2
    for file in sources/*.py; do
        "$TRACETOOL" probe compile --target "$target" -o probe.toml "$file" 2>err &&
            "$wrap" "$machine" probe.toml >kernel.s && "$@" -o /dev/null kernel.s >err 2>&1 ||
            { echo "# $file"; sed 's/^/# /' err | head -5; return 1; }
    done
}

ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
for machine in sm_80 sm_90; do
    if [ -x "$ptxas" ]; then
        assemble ptx $machine "$ptxas" -arch=$machine
        result $? "ptxas takes all for $machine"
    else
        skip "ptxas takes all for $machine" 'no ptxas'
    fi
done

# The newest that there is, unless LLVM_MC names one.
llvm_mc=${LLVM_MC:-}
for number in '' -14 -15 -16 -17 -18 -19 -20 -21; do
    [ -z "${LLVM_MC:-}" ] && command -v "llvm-mc$number" >/dev/null && llvm_mc=llvm-mc$number
done
for machine in gfx90a gfx942; do
    if [ -z "$llvm_mc" ]; then
        skip "llvm-mc takes all for $machine" 'no llvm-mc'
    elif ! "$llvm_mc" -triple=amdgcn-amd-amdhsa -mcpu=help </dev/null 2>&1 | grep -qw $machine; then
        skip "llvm-mc takes all for $machine" "$llvm_mc does not know it"
    else
        assemble $machine $machine "$llvm_mc" -triple=amdgcn-amd-amdhsa -mcpu=$machine -filetype=obj
        result $? "llvm-mc takes all for $machine"
    fi
    # LLVM 19 judges the waits: releases before it know other rules, or other names in their machine code.
    if ! command -v llc-19 >/dev/null || ! command -v python3 >/dev/null; then
        skip "$machine waits where it must" 'no llc-19 or no python3'
    else
        # shellcheck disable=SC2016
        assemble $machine $machine sh -c \
            'exec python3 "$SRCDIR/tests/oracles/gcn-hazards.py" "$0" llc-19 "$3"' $machine
        result $? "$machine waits where it must"
    fi
done
finish

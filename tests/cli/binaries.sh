#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import --binaries: functions that LTTng-UST traces by their addresses are called as the symbol tables of the programs and
# libraries say, wherever these lay in memory; files that are not what they were, or nothing at all, do no harm.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

for program in python3 cc addr2line readelf nm; do
    command -v "$program" >/dev/null && continue
    skip 'functions of addresses' "$program is not here"
    finish
    exit 0
done
oracle=$SRCDIR/tests/oracles/binaries.py
mkdir bin
make_source() { # NAME : two functions of that name
    printf 'int f_%s_a (int x) { return x + 1; }\nint f_%s_b (int x)\n{\n  return x * 2;\n}\n' "$1" "$1"
}
for name in program fixed library one other; do
    make_source "$name" >"$name.c"
done
echo 'int main (void) { return 0; }' | tee -a program.c >>fixed.c
{ cc -g -Wl,--build-id -pie -fPIE -o bin/program program.c && cc -g -Wl,--build-id -no-pie -fno-pie -Wl,-Ttext-segment=0x400000 -o bin/fixed fixed.c &&
    for name in library one other; do cc -g -Wl,--build-id -shared -fPIC -o "bin/$name" "$name.c" || exit 1; done; } 2>err
result $? 'programs to look at'

made=0
tried=0
for seed in $(seeds 8); do
    tried=$((tried + 1))
    rm -rf trace trace.db
    python3 "$oracle" write "$seed" trace trace.json "$scratch/bin/program" "$scratch/bin/fixed" "$scratch/bin/library" \
        "$scratch/bin/one" "$scratch/bin/other"
    run 0 import -q --binaries / --db trace.db trace && python3 "$oracle" check trace.db trace.json >got 2>&1 && made=$((made + 1))
    [ "$made" = "$tried" ] || sed "s/^/# seed $seed: /" got
done
[ "$tried" -gt 0 ] && [ "$made" = "$tried" ]
result $? 'PIE, fixed program, libraries, and those opened one after the other at one place'
run 0 --db trace.db query --format csv "SELECT DISTINCT op_name, line FROM event WHERE op_name LIKE 'f_%_b' ORDER BY 1" && has out ',3'
result $? 'with their lines'
run 0 import -q --db plain.db trace && run 0 --db plain.db stats && has out 'COMP.0x'
result $? 'without the option addresses stay as they are'

# below DIRECTORY WORDS TEXT : what import --binaries DIRECTORY says, and what functions are called then
below() {
    rm -f below.db
    run 0 import --binaries "$1" --db below.db trace && has err "$2" && run 0 --db below.db stats --wide && has out "$3"
}
mkdir empty && below empty 'is not there' 'COMP.library+0x'
result $? 'files that are not there'
mkdir -p "newer$scratch" && cp -r bin "newer$scratch" && echo 'int more;' >>library.c && cc -g -Wl,--build-id -shared -fPIC -o "newer$scratch/bin/library" library.c &&
    below newer 'library'"' below 'newer' is another version" 'COMP.library+0x' && has out COMP.f_one COMP.f_program
result $? 'a library that was built anew is not used'
mkdir -p "hostile$scratch/bin"
for name in program fixed library one other; do
    head -c 700 "bin/$name" >"hostile$scratch/bin/$name"
done
head -c 5000 /dev/urandom >"hostile$scratch/bin/one"
below hostile 'addr2line' 'COMP.library+0x'
result $? 'files that are cut, or nothing'
rm "hostile$scratch/bin/one" && mkfifo "hostile$scratch/bin/one" && below hostile 'is not there' 'COMP.one+0x'
result $? 'a pipe is not opened'
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi pack and unpack.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"
archive() {
    python3 "$SRCDIR/tests/oracles/pi-archive.py" "$@"
}

echo 'the line that was there' >data.txt
run 0 pi record -o run "$program" -- --usm --open data.txt && has err 'recorded ' && filled run/main.ttpi
result $? 'a recording'
echo 'a line of a larger file' >large.txt && head -c 3000000 /dev/zero >>large.txt
run 0 pi record -o other "$program" -- --open large.txt && run 0 pi pack other -o other.pack && filled other.pack
result $? 'and one with a large file'

run 0 pi pack run -o run.pack && has err 'packed the program and' 'wrote run.pack'
result $? 'pack'
same run/pack/0 "$program"
result $? 'pack/0 is the program'
grep -q "\"$scratch/data.txt\": \"[0-9]*_data\"" run/replay_file_map.json && same run/pack/*_data data.txt
result $? 'a file it opened is there under its stem, and in the map'
python3 -c '
import json, os, sys
m, c = json.load(open("run/replay_file_map.json")), json.load(open("run/replay_config.json"))
numbers = sorted(int(v.split("_")[0]) for v in m.values())
sys.exit(c["recordMode"] != "full" or numbers != list(range(len(m))) or sorted(m.values()) != sorted(os.listdir("run/pack")) or
         any(k.startswith(("/dev/", "/sys/", "/proc/")) for k in m))'
result $? 'the map has every copy, numbered from 0; the mode is full'
cp -r run before
run 1 pi pack run -o again.pack && has err "'run' is packed already" && diff -r run before && [ ! -e again.pack ]
result $? 'a pack of a pack is refused and changes nothing'

if command -v zstd >/dev/null 2>&1; then
    archive read run.pack theirs && diff -r run theirs
    result $? 'an independent reader finds what was packed'
    archive read other.pack theirs-other && diff -r other theirs-other
    result $? 'also of a large file'
else
    skip 'an independent reader' 'no zstd here'
fi
run 0 pi unpack run.pack ours && diff -r run ours
result $? 'unpack'
[ -x ours/pack/0 ]
result $? 'the program can be run'
archive write run python.pack && run 0 pi unpack python.pack python && diff -r run python
result $? 'an archive by an independent writer'
run 0 pi print run.pack && cp out print.txt && run 0 pi print run && same out print.txt
result $? 'pi print reads the archive as the directory'
run 0 pi unpack other.pack other-ours && diff -r other other-ours
result $? 'a large file comes back'
run 1 pi unpack run.pack ours && has err "'ours' exists" && diff -r run ours
result $? 'a directory that exists'

for kind in absolute parent inside parent-directory nul empty-name long-name kind version cut cut-head length no-frame no-size \
    bomb lies-more lies-less twice file-then-directory; do
    archive bad $kind bad.pack
    run 1 pi unpack bad.pack "bad-$kind" && [ ! -e "bad-$kind" ] && has err bad &&
        [ ! -e /tmp/pi-archive-absolute ] && [ ! -e pi-archive-parent ]
    result $? "refused, and nothing stays: $kind"
done
archive bad large bad.pack
run 1 pi unpack bad.pack bad-large && [ ! -e bad-large ] && has err "'--large'"
result $? 'contents of 12 GB in an archive of some kilobytes'

# -- what cannot be packed
run 0 pi record -o gone cp -- data.txt copy.txt && run 1 pi pack gone && has err 'no calls'
result $? 'a recording without calls'
mkdir plain && refuses 1 'no calls here' pi pack plain
result $? 'a directory that is none'
run 1 pi pack data.txt && has err 'is no directory'
result $? 'a file'
refuses 1 "'nowhere' is no directory" pi pack nowhere
result $? 'nothing'
cp "$program" own-program && run 0 pi record -o own ./own-program && rm own-program
run 1 pi pack own && has err 'cannot copy the program' && [ ! -e own/pack ] && [ ! -e own/pack.unfinished ]
result $? 'a program that is gone: the recording is as it was'
run 0 pi record -o linked "$program" && ln -s /etc/passwd linked/link && run 0 pi pack linked -o linked.pack && has err "'linked/link' is neither"
result $? 'a link in the directory is left out and said'
run 0 pi record -o bare "$program" && rm bare/files_config.json && run 0 pi pack bare && has err 'only the program itself'
result $? 'without the list of files'
refuses 2 'one recording is wanted' pi pack && refuses 2 'an archive and the directory' pi unpack x
result $? 'words that are missing'
finish

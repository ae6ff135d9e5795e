#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Archives of tar as inputs: the rows of the folder that was packed, whatever the form; what leads out of them, is cut or
# unpacks to too much is refused; and nothing that was unpacked stays, however the program ends.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR

left_over() { # how many folders of unpacked archives there are
    find tmp -maxdepth 1 -name 'tracetool-*' -type d ! -name '*virtual*' | wc -l
}

rows() { # INPUT OUTPUT
    rm -f rows.db
    "$TRACETOOL" import -q --db rows.db "$1" && "$TRACETOOL" --db rows.db query --format csv 'SELECT * FROM event' >"$2" &&
        "$TRACETOOL" --db rows.db query --format csv 'SELECT bytes, hash FROM source' >>"$2" && filled "$2"
}

for name in ctf-hosts tau-mpi4; do
    cp -r "$TRACETOOL_DATA/$name" . && chmod -R u+w "$name"
done
good=0
for name in ctf-hosts tau-mpi4; do
    tar --format=ustar -cf "$name.tar" "$name" && tar --format=gnu -czf "$name.tar.gz" "./$name" && tar --format=pax -czf "$name.tgz" "$name"
    rows "$name" plain.csv
    for archive in "$name.tar" "$name.tar.gz" "$name.tgz"; do
        rows "$archive" packed.csv && same plain.csv packed.csv && good=$((good + 1))
    done
done
[ "$good" = 6 ]
result $? 'ustar, GNU and pax, plain or compressed: the rows and the hash of the folder'
if command -v zstd >/dev/null && grep -q '^#define HAVE_ZSTD' "$BUILDDIR/config.h"; then
    zstd -q -k ctf-hosts.tar -o ctf-hosts.tar.zst && rows ctf-hosts plain.csv && rows ctf-hosts.tar.zst packed.csv && same plain.csv packed.csv
    result $? 'and .tar.zst'
else
    skip 'and .tar.zst' 'zstd is not here'
fi

# -- names -----------------------------------------------------------------------------------------------------------
rows ctf-hosts.tar packed.csv && run 0 --db rows.db query --format csv 'SELECT path FROM source' && has out 'ctf-hosts.tar' && refute has out "$TMPDIR"
result $? 'a source is called as its archive'
# shellcheck disable=SC2046
deep=$(printf 'a%.0s' $(seq 1 90))
mkdir -p "long/$deep/$deep/$deep" && cp -r ctf-hosts "long/$deep/$deep/$deep/" && tar --format=gnu -cf gnu.tar long && tar --format=pax -cf pax.tar long &&
    rows long plain.csv && rows gnu.tar a.csv && rows pax.tar b.csv && same plain.csv a.csv && same plain.csv b.csv
result $? 'names of more than 255 bytes'
run 0 stats ctf-hosts.tar.gz && [ -s ctf-hosts.tar.gz.tracetool.db ] && run 0 stats ctf-hosts.tar.gz && has err 'cache'
result $? 'a reading command keeps its cache beside the archive'
run 0 convert ctf-hosts.tar.gz c.json && run 0 convert ctf-hosts d.json && filled c.json && same c.json d.json
result $? 'convert takes archives, too'
stream=$(find ctf-hosts -name 'channel*' | sort | head -n 1)
cp -r ctf-hosts broken && head -c 100 "broken${stream#ctf-hosts}" >short && mv short "broken${stream#ctf-hosts}" && tar -cf broken.tar broken &&
    run 3 import --db broken.db broken.tar && has err 'broken.tar' && unsaid "$TMPDIR"
result $? 'what is wrong with a file is told with its place in the archive'

# -- what is refused --------------------------------------------------------------------------------------------------
cat >evil.py <<'END'
import io, sys, tarfile
def member(name, data=b'x', **more):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in more.items():
        setattr(info, key, value)
    return info, io.BytesIO(data)
forms = {
    'up': [member('a/../../escaped')],
    'absolute': [member('/tmp/tracetool-escaped')],
    'through-link': [member('l', b'', type=tarfile.SYMTYPE, linkname='..'), member('l/escaped')],
    'hard-link': [member('l', b'', type=tarfile.LNKTYPE, linkname='../../../etc/passwd')],
    'fifo': [member('f', b'', type=tarfile.FIFOTYPE)],
    'twice': [member('a'), member('a/b')],
}
for name, members in forms.items():
    with tarfile.open(f'{name}.tar', 'w', format=tarfile.GNU_FORMAT) as f:
        for info, data in members:
            f.addfile(info, data)
END
python3 evil.py && run 1 import --db evil.db up.tar && has err 'up.tar: byte 0 of the archive: a name that leads out of the archive' &&
    run 1 import --db evil.db absolute.tar && has err 'an absolute name' &&
    run 1 import --db evil.db twice.tar && has err 'cannot unpack' &&
    [ ! -e escaped ] && [ ! -e tmp/escaped ] && [ ! -e /tmp/tracetool-escaped ]
result $? 'names that lead out of an archive are refused'
run 1 import --db evil.db through-link.tar && has err 'no trace files in the directory' 'through-link.tar' && run 1 import --db evil.db hard-link.tar &&
    run 1 import --db evil.db fifo.tar && [ ! -e tmp/escaped ] && [ ! -e escaped ] && [ ! -e evil.db ]
result $? 'links and FIFOs are left out'
head -c $(($(wc -c <ctf-hosts.tar) / 2)) ctf-hosts.tar >cut.tar && run 1 import --db cut.db cut.tar && has err 'the archive is cut short' && [ ! -e cut.db ]
result $? 'an archive that is cut is refused'
python3 -c 'd = bytearray(open("ctf-hosts.tar", "rb").read()); d[512 * 3 + 5] ^= 1; open("sum.tar", "wb").write(d)' && run 1 import --db sum.db sum.tar
result $? 'a damaged one, too'
mkdir zeros && truncate -s 200M zeros/a && tar -cf - zeros | gzip -9 >bomb.tar.gz && rm -rf zeros && run 1 import --db bomb.db bomb.tar.gz &&
    has err 'what it unpacks to is more than 64 MiB and 500 times the archive'
result $? 'one that unpacks to too much is stopped'
python3 -c 'import zipfile; zipfile.ZipFile("a trace.zip", "w").writestr("metadata", "/* CTF 1.8 */")' && run 1 import --db zip.db 'a trace.zip' &&
    has err 'a ZIP archive' "unzip 'a trace.zip' -d FOLDER" && [ ! -e zip.db ]
result $? 'a ZIP archive is refused, with what unpacks it'
mkfifo pipe && run 1 import --db pipe.db pipe
result $? 'a FIFO is refused as before'

# -- nothing stays ----------------------------------------------------------------------------------------------------
run 0 import -q --db left.db ctf-hosts.tar && filled left.db && [ "$(left_over)" = 0 ]
result $? 'nothing that was unpacked is left'
"$TRACETOOL" import -q --db killed.db ctf-hosts.tar &
child=$!
kill -9 "$child" 2>/dev/null
wait "$child" 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(left_over)" = 0 ] || sleep 0.2
done
[ "$(left_over)" = 0 ] && run 0 import -q --db killed.db ctf-hosts.tar && filled killed.db && [ "$(left_over)" = 0 ]
result $? 'nor after kill -9'
finish

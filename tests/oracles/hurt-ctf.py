#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One byte of a stream of a CTF trace is another, or some are zero: no import makes of that a run much longer than the sound
one, or a process more of which it has not said that it may be none.

    hurt-ctf.py TRACETOOL DIRECTORY STREAM COUNT

STREAM is a file in DIRECTORY; COUNT places in it, the same each time, are damaged one after the other.
"""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

FACTS = ("SELECT (SELECT max(ts_ns + ifnull(dur_ns, 0)) - min(ts_ns) FROM event), (SELECT count(*) FROM process),"
         " (SELECT count(*) FROM event)")


def facts(tracetool, trace, db):
    """(length, processes, events), what was said; None: it was refused."""
    if os.path.exists(db):
        os.remove(db)
    run = subprocess.run([tracetool, "--db", db, "import", trace], capture_output=True, text=True, timeout=60)
    assert run.returncode in (0, 1, 3), (run.returncode, run.stderr)
    if run.returncode == 1:
        assert run.stderr, "refused without a word"
        return None, run.stderr
    query = subprocess.run([tracetool, "--db", db, "query", "--format", "csv", FACTS], capture_output=True, text=True,
                           check=True)
    return [int(x or 0) for x in list(csv.reader(io.StringIO(query.stdout)))[1]], run.stdout + run.stderr


def main():
    tracetool, source, stream, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    data = open(os.path.join(source, stream), "rb").read()
    used = len(data.rstrip(b"\0"))
    assert used > 4 * count
    n, wrong = 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        trace, db = os.path.join(scratch, "trace"), os.path.join(scratch, "t.db")
        shutil.copytree(source, trace)
        path = os.path.join(trace, stream)
        os.chmod(path, 0o644)
        sound, _ = facts(tracetool, trace, db)
        assert sound[0] > 0 and sound[2] > 10
        for i in range(count):
            at = used * (2 * i + 1) // (2 * count)
            for how, hurt in (("high bit", bytes([data[at] ^ 0x80])), ("zeros", bytes(100))):
                open(path, "wb").write(data[:at] + hurt + data[at + len(hurt):])
                got, said = facts(tracetool, trace, db)
                n += 1
                if got is None:
                    continue
                if got[0] > 2 * sound[0] or (got[1] > sound[1] and "perhaps damaged" not in said and "is damaged" not in said):
                    print(f"{how} at {at}: {got}, not {sound}: {said}")
                    wrong += 1
    print(f"{n} damaged, {wrong} absurd")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages copies of a CTF trace in many ways and imports them: no crash, no hang, an error that names the file, or an import
that says what it left out.

    damage-ctf.py TRACETOOL DIRECTORY SEED COUNT [KEEP]

Bits are flipped, files cut, lengthened, emptied, swapped, removed. What goes wrong is printed, and kept in KEEP.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile


def all_files(directory):
    return sorted(os.path.join(root, name) for root, _, names in os.walk(directory) for name in names)


def damage(rng, directory):
    files = all_files(directory)
    streams = [f for f in files if os.path.basename(f) != 'metadata'] or files
    path = rng.choice(rng.choice((streams, files, [f for f in files if f.endswith('metadata')])))
    data = bytearray(open(path, 'rb').read())
    how = rng.randrange(7)
    if how <= 1 and data:
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == 2 and data:
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(min(len(data), 200))] = rng.randrange(256)
    elif how == 3:
        del data[rng.randrange(len(data) + 1):]
    elif how == 4:
        data += rng.randbytes(rng.randint(1, 5000))
    elif how == 5:
        other = open(rng.choice(files), 'rb').read()
        data = bytearray(rng.choice((b'', other, bytes(len(data)))))
    elif data:
        at = rng.randrange(len(data))
        del data[at:at + rng.randint(1, 200)]
    if rng.random() < 0.03:
        os.remove(path)
    else:
        with open(path, 'wb') as f:
            f.write(data)
    return f'{os.path.relpath(path, directory)} way {how}'


def main():
    tracetool, source, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    outcomes, wrong = {0: 0, 1: 0}, 0
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, TMPDIR=os.path.join(scratch, 'tmp'))
        os.mkdir(env['TMPDIR'])
        for i in range(count):
            trace, db = os.path.join(scratch, 'trace'), os.path.join(scratch, 'trace.db')
            shutil.rmtree(trace, ignore_errors=True)
            shutil.copytree(source, trace, copy_function=shutil.copyfile)
            for root, _, _ in os.walk(trace):
                os.chmod(root, 0o755)
            what = damage(rng, trace)
            if os.path.exists(db):
                os.remove(db)
            try:
                run = subprocess.run([tracetool, '--db', db, 'import', trace], capture_output=True, timeout=60, env=env)
                status, text = run.returncode, run.stderr.decode('utf-8', 'replace')
                if status == 3 and 'left out' in text:
                    status = 0  # imported but for what is damaged
            except subprocess.TimeoutExpired:
                status, text = 'hang', ''
            problem = None
            if status not in outcomes:
                problem = f'status {status}'
            elif status == 0 and not os.path.exists(db):
                problem = 'no database after an import'
            elif status == 1 and 'trace' not in text:
                problem = 'an error without a file'
            elif status == 1 and os.path.exists(db):
                problem = 'a database after an error'
            elif 'CRITICAL' in text or 'WARNING' in text:
                problem = 'a warning of a library'
            elif os.listdir(env['TMPDIR']):
                problem = 'something left in TMPDIR'
            if problem:
                wrong += 1
                print(f'# {i}: {what}: {problem}: {text[-300:]!r}')
                if len(sys.argv) > 5:
                    shutil.copytree(trace, os.path.join(sys.argv[5], f'{seed}-{i}'), dirs_exist_ok=True)
            else:
                outcomes[status] += 1
    print(f'# {outcomes[0]} imported, {outcomes[1]} refused, {wrong} wrong')
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()

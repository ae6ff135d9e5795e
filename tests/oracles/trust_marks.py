#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers of damaged TAU traces: those that differ from the sound trace's are marked, the others are equal.

    trust_marks.py TRACETOOL FOLDER SCRATCH COUNT

COUNT copies with one rank damaged (damaged_tau.py) are imported. Of each, the tables of `stats` by several keys are held
against those of the sound trace, row by row and column by column: a row without a mark (columns mended and damaged) has
the same numbers; so of the tables of other commands (column trust); a row that only one of them has is of a damaged rank. The table of `info --trust` has something on the
damaged rank, and nothing on the others.
"""

import csv
import io
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import damaged_tau  # noqa: E402

GROUPINGS = ["name", "pid", "pid,name", "op_long_name", "rank,op_cat", "tid,name", "native_group", "path"]
NUMBERS = ["total_ns", "self_ns", "count", "avg_ns", "med_ns", "min_ns", "max_ns", "stddev_ns", "p95_ns", "p99_ns"]
# Other tables, by what tells their rows apart; their marks are in the column trust.
TABLES = {
    "breakdown": ["rank"],
    "imbalance": ["name"],
    "imbalance --show collectives": ["comm", "function"],
    "imbalance --show ranks": ["rank"],
    "comm": ["src", "dst"],
    "comm --show ranks": ["pid"],
    "comm --show collectives": ["function"],
    "waits": ["kind", "name"],
    "waits --by rank,kind": ["rank", "kind"],
    "waits --by cause": ["cause"],
    "kernels --show calls": ["call"],
}


def run(tracetool, database, *words):
    done = subprocess.run([tracetool, "--db", database, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def tables(tracetool, database):
    result = {}
    for keys in GROUPINGS:
        rows = run(tracetool, database, "--clock", "original", "stats", "--by", keys, "--top", "0", "--format", "csv", "--unit", "ns")
        result[keys] = {tuple(row[key] for key in keys.split(",")): row for row in rows}
    for words, keys in TABLES.items():
        rows = run(tracetool, database, "--clock", "original", *words.split(), "--top", "0", "--format", "csv", "--unit", "ns")
        result[words] = {tuple(row[key] for key in keys): row for row in rows}
    return result


def compare(sound, damaged, keys):
    """Yields what is wrong, and counts rows that are equal, marked, marked for nothing."""
    counts = [0, 0, 0]
    wrong = []
    for group in sound.keys() | damaged.keys():
        a, b = sound.get(group), damaged.get(group)
        if b is None:
            continue  # who is not there has no place for a mark: the footer and info --trust say it
        is_marked = b.get("mended", "0") not in ("", "0") or b.get("damaged", "") != "" or b.get("trust", "") != ""
        # Shares are of wholes that others have a part in.
        numbers = NUMBERS if keys in GROUPINGS else [n for n in b if n != "trust" and not n.endswith("_percent")]
        differs = a is None or any(a[n] != b[n] for n in numbers)
        if differs and not is_marked:
            wrong.append("by %s: %s differs and has no mark: %s, %s" % (keys, group, a, b))
        counts[0] += not differs
        counts[1] += is_marked
        counts[2] += is_marked and not differs
    return wrong, counts


def main():
    tracetool, folder, scratch, count = sys.argv[1:5]
    database = os.path.join(scratch, "marks.db")
    copy = os.path.join(scratch, "marks")
    luck = random.Random(7)
    ranks = sorted(name for name in os.listdir(folder) if name.endswith(".trc"))
    n_failed, sums = 0, [0, 0, 0]

    def load(path):
        for end in "", "-wal", "-shm":
            if os.path.exists(database + end):
                os.unlink(database + end)
        done = subprocess.run([tracetool, "--db", database, "import", "-q", path], capture_output=True, text=True)
        return done.returncode, done.stderr

    assert load(folder)[0] == 0
    sound = tables(tracetool, database)
    assert all(len(rows) > 1 for rows in sound.values())
    assert not any("mended" in row or "damaged" in row or "trust" in row for rows in sound.values() for row in rows.values())
    for i in range(int(count)):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        name = luck.choice(ranks)
        path = os.path.join(copy, name)
        os.chmod(path, 0o644)
        with open(path, "rb") as file:
            data = bytearray(file.read())
        what = damaged_tau.damage(data, damaged_tau.KINDS[i % len(damaged_tau.KINDS)], luck)
        with open(path, "wb") as file:
            file.write(data)
        status, errors = load(copy)
        if status != 0:
            print("# %s of %s: not imported: %s" % (what, name, errors))
            n_failed += 1
            continue
        trust = run(tracetool, database, "info", "--trust", "--top", "0", "--format", "csv")
        bad = [row for row in trust if any(row[fate] != "0" for fate in ("mended", "skipped", "bounded", "inferred", "lost"))]
        others = [row for row in bad if os.path.basename(row["path"]) != name]
        damaged = tables(tracetool, database)
        wrong = ["info --trust blames %s" % others] if others else []
        for keys in [*GROUPINGS, *TABLES]:
            found, counts = compare(sound[keys], damaged[keys], keys)
            # A flipped bit may make another sound record: nobody can see that.
            wrong += found if bad else []
            if found and not bad and not what.startswith("bit"):
                wrong += found
            sums = [a + b for a, b in zip(sums, counts)]
        for text in wrong[:3]:
            print("# %s of %s: %s" % (what, name, text))
        n_failed += bool(wrong)
    print("# %s damaged traces, %d failed; %d equal rows, %d marked, %d of them equal all the same" % (count, n_failed, *sums))
    sys.exit(n_failed > 0 or sums[0] == 0 or sums[1] == 0)


main()

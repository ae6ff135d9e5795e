# SPDX-License-Identifier: Apache-2.0
"""Whether folded stacks and `tracetool stats --by path --format csv --unit ns --top 0` say the same self times.

usage: paths-of-stacks.py DATABASE FOLDED CSV

A stack begins with process and thread, and ends in names with the suffixes of their calls. Paths have neither, and no spans
that only name a stretch of time.
"""
import csv
import sqlite3
import sys
from collections import Counter


def main():
    database, folded, table = sys.argv[1:]
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    windows, calls, suffixes = set(), set(), {}
    for name, suffix, flags in db.execute("SELECT DISTINCT name, suffix, flags FROM event WHERE dur_ns IS NOT NULL"):
        (windows if "window" in (flags or "").split(",") else calls).add(name.replace(";", ":"))
        if suffix is not None:
            suffixes[f"{name}~>{suffix}".replace(";", ":")] = name.replace(";", ":")
    assert not windows & calls
    wanted = Counter()
    with open(folded, encoding="utf-8") as lines:
        for line in lines:
            stack, value = line.rstrip("\n").rsplit(" ", 1)
            names = [suffixes.get(name, name) for name in stack.split(";")[2:] if name not in ("(async)", "(overlap)")]
            wanted[" => ".join(name for name in names if name not in windows)] += int(value)
    with open(table, newline="", encoding="utf-8") as rows:
        found = {row["path"].replace(";", ":"): int(row["self_ns"]) for row in csv.DictReader(rows)}
    differing = {path for path in wanted.keys() | found.keys() if wanted[path] != found.get(path, 0)}
    assert not differing, [(path, wanted[path], found.get(path)) for path in sorted(differing)[:3]]
    print(f"{len(found)} paths, {sum(found.values())} ns")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool tree --format csv --unit ns` says what nesting the spans of a run by hand gives.

usage: call-tree.py tree|callers|callees SPANS OUTPUT [NAME]

SPANS is a CSV with the columns thread, ts_ns, dur_ns, self_ns, depth, name, flags, id of all spans of a run.
"""
import csv
import sys
from collections import defaultdict


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def paths_of(spans):
    """Each span with the names around it, the outermost first."""
    threads = defaultdict(list)
    for s in spans:
        begin = int(s["ts_ns"])
        threads[s["thread"]].append((begin, -(begin + int(s["dur_ns"])), -int(s["id"]), s))
    for rows in threads.values():
        stack = []
        for begin, end, _, s in sorted(rows, key=lambda r: r[:3]):
            # What begins where another ends is inside it or after it: the depth says.
            del stack[int(s["depth"]):]
            assert not stack or (stack[-1][0] <= begin and -end <= stack[-1][1]), s
            is_window = "window" in s["flags"]  # which only names a stretch of time
            stack.append((begin, -end, None if is_window else s["name"]))
            if not is_window:
                yield tuple(name for _, _, name in stack if name), int(s["dur_ns"]), int(s["self_ns"])


def tree(spans, asked):
    out = defaultdict(lambda: [0, 0, 0])
    for path, total, own in paths_of(spans):
        add(out, path, total, own)
    return out


def add(out, path, total, own):
    row = out[path]
    row[0] += 1
    row[1] += total
    row[2] += own


def callers(spans, asked):
    out = defaultdict(lambda: [0, 0, 0])
    for path, total, own in paths_of(spans):
        if path[-1] == asked:
            counted = 0 if asked in path[:-1] else total
            for n in range(1, len(path) + 1):
                add(out, path[::-1][:n], counted, own)
    return out


def callees(spans, asked):
    out = defaultdict(lambda: [0, 0, 0])
    for path, total, own in paths_of(spans):
        if asked in path:
            add(out, path[path.index(asked):], total, own)
    return out


def main():
    kind, spans, output, *name = sys.argv[1:]
    wanted = {"tree": tree, "callers": callers, "callees": callees}[kind](read(spans), *(name or [None]))
    found = {}
    for row in read(output):
        path = tuple(row["path"].split(" => "))
        assert path not in found and path[-1] == row["name"] and len(path) == int(row["depth"]), row
        found[path] = [int(row["count"]), int(row["total_ns"]), int(row["self_ns"])]
    assert wanted and set(wanted) == set(found), (set(wanted) ^ set(found))
    for path, row in wanted.items():
        assert found[path] == row, (path, found[path], row)
    rows = list(found)
    for before, after in zip(rows, rows[1:]):  # a parent before its children
        assert after[:-1] == before[:len(after) - 1], (before, after)
    print(f"{len(wanted)} paths")


if __name__ == "__main__":
    main()

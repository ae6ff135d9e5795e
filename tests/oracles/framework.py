#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a TensorFlow timeline or MXNet dump holds, worked out from the description of the formats, not from tracetool.

  framework.py FILE        one line per standard name and step of the spans of the training process:
                                  op_cat TAB raw name TAB sub_op TAB step TAB count TAB total ns, then totals
  framework.py compare DATABASE FILE
"""
import collections
import json
import re
import sqlite3
import sys


def ns(value):
    text = str(value)
    whole, _, fraction = text.partition(".")
    return int(whole) * 1000 + int((fraction + "000")[:3]) if whole else 0


def load(path):
    data = json.load(open(path), parse_float=str)
    return data["traceEvents"] if isinstance(data, dict) else data


def process_names(events):
    return {e["pid"]: e["args"]["name"] for e in events if e.get("ph") == "M" and e["name"] == "process_name"}


# -- TensorFlow ------------------------------------------------------------------------------------

def tf_wanted(name):
    """Kind and device of a process."""
    if not name.endswith(" Compute"):
        return None, None
    body = name[: -len(" Compute")]
    device = re.sub("device:", "", body, flags=re.I).lower()
    for kind, mark in (("all", "/stream:all"), ("memcpy", "/memcpy")):
        if mark in body and "gpu" in device:
            return kind, device.split(mark)[0]
    if "/stream:" in body:
        return "stream", device.split("/stream:")[0]
    return ("launch" if "gpu:" in device else "cpu"), device


def tf_clean(name):
    name = name.lstrip("^")
    head, slash, last = name.rpartition("/")
    return head if slash and head and last.startswith("_") else name


def tf_named_update(name):
    return (name == "GradientDescent" or "Assign" in name or "SGD" in name
            or ("GradientDescent" in name and "update" in name))


def tf_named_backward(name):
    return name.startswith("gradients") or (name.startswith("gradient_tape") and not name.endswith("ShapeN")
                                            and "LayoutOptimizer" not in name)


def tf_categories(edges):
    """Category by cleaned name: by name, then downstream of BW."""
    nodes = {n for edge in edges for n in edge}
    cat = {}
    for n in nodes:
        c = tf_clean(n)
        cat[c] = "UPDATE_" if tf_named_update(c) else "BW" if tf_named_backward(c) else "FW"
    after = collections.defaultdict(set)
    for a, b in edges:
        after[tf_clean(a)].add(tf_clean(b))
    todo = [n for n, c in cat.items() if c == "BW"]
    while todo:
        for b in after[todo.pop()]:
            if cat[b] == "FW":
                cat[b] = "BW"
                todo.append(b)
    return cat


def tensorflow(events):
    names = process_names(events)
    spans = [e for e in events if e.get("ph") == "X"]
    kinds = {pid: tf_wanted(name) for pid, name in names.items()}
    used = {kinds[e["pid"]][0] for e in spans}
    wanted = next(k for k in ("all", "stream", "launch", "cpu") if k in used)

    edges = []
    for e in spans:
        for key, value in e["args"].items():
            if key.startswith("input"):
                edges.append((re.sub(r":\d+$", "", value.lstrip("^")), re.sub(r":\d+$", "", e["args"]["name"])))
    known = tf_categories(edges)

    rows, others, told = [], collections.Counter(), 0
    first = collections.Counter((kinds[e["pid"]][1], e["args"]["name"], e["ts"], e["dur"])
                                for e in spans if kinds[e["pid"]][0] in ("all", "memcpy"))
    for e in spans:
        kind, device = kinds[e["pid"]]
        raw = e["args"]["name"]
        if kind == "stream" and first[(device, raw, e["ts"], e["dur"])] > 0:
            first[(device, raw, e["ts"], e["dur"])] -= 1
            told += 1
        elif kind == wanted:
            clean = tf_clean(raw)
            cat = known.get(clean)
            if cat is None:
                cat = "UPDATE_" if tf_named_update(clean) else "BW" if tf_named_backward(clean) else "FW"
            rows.append([ns(e["ts"]), cat, raw, None, ns(e["dur"]), (e["pid"], e["tid"])])
        else:
            others[{"memcpy": "MEM", "launch": "RT"}.get(kind, "COMP")] += 1
    return rows, others, told


def tf_runs(events):
    """When runs of the session begin: each device (cpu:0, gpu:0) has one _SOURCE a run."""
    names = process_names(events)
    sources = collections.defaultdict(list)
    for e in events:
        if e.get("ph") == "X" and e["args"].get("name") == "_SOURCE":
            sources[names[e["pid"]]].append(ns(e["ts"]))
    counts = {len(times) for times in sources.values()}
    assert len(counts) <= 1, sources
    return [min(times) for times in zip(*map(sorted, sources.values()))]


# -- MXNet --------------------------------------------------------------------------------------------

ENGINE = {"CopyCPU2CPU": ("MEM", "H2H"), "CopyCPU2GPU": ("MEM", "H2D"), "CopyGPU2CPU": ("MEM", "D2H"),
          "CopyGPU2GPU": ("MEM", "D2D"), "DeleteVariable": ("MEM", "FREE"), "SetValueOp": ("MEM", "SET"),
          "WaitForVar": ("SYNC", None)}


def pairs(events, phases, key):
    spans, stacks = [], collections.defaultdict(list)
    for e in events:
        if e["ph"] == phases[0]:
            stacks[key(e)].append(e)
        elif e["ph"] == phases[1]:
            begin = stacks[key(e)].pop()
            assert begin["name"] == e["name"]
            spans.append((ns(begin["ts"]), ns(e["ts"]), begin))
    assert not any(stacks.values())
    return spans


def mxnet(events):
    told, rows, others = 0, [], collections.Counter()
    device = pairs([e for e in events if e["ph"] in "BE"], "BE", lambda e: (e["pid"], e["tid"]))
    again = pairs([e for e in events if e["ph"] in "be" and e["cat"] == "operator"], "be",
                  lambda e: (e["pid"], e["tid"], e["id"]))
    left = collections.defaultdict(list)
    for begin, end, e in device:
        left[(e["tid"], e["name"])].append((begin, end))
    for begin, end, e in again:
        twin = next((t for t in left[(e["tid"], e["name"])] if t[0] <= begin and end <= t[1]), None)
        if twin is None:
            raise SystemExit("an operator that only its process of all operators tells")
        left[(e["tid"], e["name"])].remove(twin)
        told += 1
    for begin, end, e in pairs([e for e in events if e["ph"] in "be" and e["cat"] == "MXNET_C_API"], "be",
                               lambda e: (e["pid"], e["tid"], e["id"])):
        others["SYNC" if e["name"].startswith(("MXNDArrayWait", "MXEngineWait")) else "RT"] += 1
    update = 0
    for begin, end, e in sorted(device, key=lambda s: s[0]):
        raw = e["name"]
        thread = (e["pid"], e["tid"])
        if raw in ENGINE:
            cat, sub_op = ENGINE[raw]
            rows.append([begin, cat, raw, sub_op, end - begin, thread])
            continue
        cat = "BW" if "_backward" in raw else "FW"
        if "update" in raw.lower():
            cat, raw = "UPDATE_", "UPDATE_%d" % update
            update += 1
        elif cat == "FW":
            update = 0
        rows.append([begin, cat, raw, None, end - begin, thread])
    others["counter"] = sum(len(e["args"]) for e in events if e["ph"] == "C")
    return rows, others, told


# -- steps and report --------------------------------------------------------------------------------------

def text_of(cat, raw):
    if cat == "UPDATE_" and raw.startswith("UPDATE_"):
        return raw
    return cat + "." + tf_clean(re.sub("^_backward_", "", raw)).replace(".", "_")


def count_steps(rows, runs):
    """Runs of a session; without them the seed's rule: FW or I/O behind anything else begins a step."""
    if runs:
        for row in rows:
            row.append(max(sum(1 for begin in runs if begin <= row[0]) - 1, 0))
        return
    step, before = 0, None
    operators = [r for r in rows if r[1] in ("FW", "BW", "UPDATE_")]
    marks = []
    for row in sorted(operators, key=lambda r: (r[0], text_of(r[1], r[2]))):
        if row[1] == "FW" and before not in (None, "FW"):
            step += 1
        before = row[1]
        row.append(step)
        marks.append((row[0], text_of(row[1], row[2]), step))
    for row in rows:
        if len(row) == 6:
            at = [m for m in marks if (m[0], m[1]) <= (row[0], text_of(row[1], row[2]))]
            row.append(at[-1][2] if at else marks[0][2] if marks else None)


def summary(path):
    events = load(path)
    is_mxnet = any(e.get("ph") == "B" for e in events)
    rows, others, told = (mxnet if is_mxnet else tensorflow)(events)
    count_steps(rows, [] if is_mxnet else tf_runs(events))
    names = collections.defaultdict(lambda: [0, 0])
    for _, cat, raw, sub_op, dur, _, step in rows:
        entry = names[(cat, raw, sub_op, step)]
        entry[0] += 1
        entry[1] += dur
    return {k: tuple(v) for k, v in names.items()}, dict(others), told


def stored(database):
    db = sqlite3.connect(database)
    names = {}
    for cat, raw, sub_op, step, n, total in db.execute(
            "SELECT op_cat, raw_name, sub_op, step, count(*), sum(dur_ns) FROM event "
            "WHERE pid = 'default' AND dur_ns IS NOT NULL GROUP BY 1, 2, 3, 4"):
        names[(cat, raw, sub_op, step)] = (n, total)
    others = dict(db.execute("SELECT op_cat, count(*) FROM event WHERE pid <> 'default' GROUP BY 1"))
    counters = db.execute("SELECT count(*) FROM counter").fetchone()[0]
    if counters:
        others["counter"] = counters
    repairs = json.loads(db.execute("SELECT repairs FROM source").fetchone()[0] or "{}")
    return names, others, repairs.get("told_twice", {}).get("count", 0)


def main():
    if sys.argv[1] != "compare":
        names, others, told = summary(sys.argv[1])
        for key in sorted(names, key=str):
            print("\t".join(map(str, key + names[key])))
        print(others, told)
        return 0
    mine, theirs = summary(sys.argv[3]), stored(sys.argv[2])
    if not mine[0]:
        print("# no operator was read: nothing is compared")
        return 1
    status = 0
    if not mine[0]:
        print("# no operators: there is nothing to compare")
        status = 1
    for key in sorted(set(mine[0]) | set(theirs[0]), key=str):
        if mine[0].get(key) != theirs[0].get(key):
            print("#", key, "oracle", mine[0].get(key), "tracetool", theirs[0].get(key))
            status = 1
    for what, a, b in (("others", mine[1], theirs[1]), ("told twice", mine[2], theirs[2])):
        if a != b:
            print("#", what, "oracle", a, "tracetool", b)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

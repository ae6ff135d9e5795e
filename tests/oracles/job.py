#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the import of a job directory must give, worked out from its files once more.

job.py events JOB DATABASE [--no-align]       every event of the database is one of the files', and the other way round
job.py expected FOLDER DATABASE NAME2STA CAT2STA
                                       against what the original tool made of the job (name2sta.tsv, cat2sta.tsv,
                                       bps_trace_final.json); I/O apart, of which it loses the first
"""
import gzip
import json
import os
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from decimal import Decimal

GPU_FILES = ("trace.json.gz", "temp.json", "comm.json", "comm_detail.json")
WORDS = ("Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER")


def ns(value):
    scaled = Decimal(str(value)) * 1000
    return int(scaled)


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt") as f:
        text = f.read().strip()
    if not text:
        return []
    try:
        value = json.loads(text, parse_float=Decimal)
    except ValueError:
        value = json.loads(text.rstrip(",") + "]", parse_float=Decimal)
    return value if isinstance(value, list) else value.get("traceEvents", [])


# -- the files, by the rules --------------------------------------------------------------------------

def gpu_directories(top):
    def below(path):
        return sorted(n for n in os.listdir(path) if n[0] != "." and os.path.isdir(os.path.join(path, n)))

    def is_gpu(path):
        return any(os.path.exists(os.path.join(path, f)) for f in GPU_FILES)

    if is_gpu(top):
        return [("default", 0, top)]
    ranks = [("rank" + d, 0, os.path.join(top, d)) for d in below(top) if is_gpu(os.path.join(top, d))]
    if ranks:
        return ranks
    host = 0
    for h in below(top):
        gpus = [d for d in below(os.path.join(top, h)) if is_gpu(os.path.join(top, h, d))]
        ranks += [("%s.rank%s" % (h, d), host, os.path.join(top, h, d)) for d in gpus]
        host += bool(gpus)
    return ranks


def clean(raw):
    raw = raw.lstrip("^")
    if raw.startswith("StatefulPartitionedCall") and "StatefulPartitionedCall/" in raw:
        raw = raw.split("StatefulPartitionedCall/", 1)[1] or raw
    head, slash, tail = raw.rpartition("/")
    return head if slash and head and tail.startswith("_") else raw


class Names:
    """Categories of the nodes of dag.gml; None: there is no graph."""

    def __init__(self, path):
        self.cats = None
        if path is None:
            return
        text = open(path).read()
        label = {int(i): clean(n) for i, n in re.findall(r'node\s*\[\s*id\s+(-?\d+)\s+label\s+"([^"]*)"', text)}
        after = defaultdict(set)
        for a, b in re.findall(r"edge\s*\[\s*source\s+(-?\d+)\s+target\s+(-?\d+)", text):
            after[label[int(a)]].add(label[int(b)])
        self.cats = {n: self.by_name(n) for n in label.values()}
        self.spread(after, [n for n, c in self.cats.items() if c[0] == "Comm"], ("FW", "BW", "UPDATE_"), "UPDATE_")
        self.spread(after, [n for n, c in self.cats.items() if c[0] == "BW"], ("FW",), "BW")

    def spread(self, after, queue, through, cat):
        seen = set()
        while queue:
            for n in after[queue.pop()] - seen:
                if self.cats[n][0] in through:
                    seen.add(n)
                    queue.append(n)
                    self.cats[n] = (cat, self.cats[n][1])

    @staticmethod
    def by_name(name):
        if "allreduce" in name.lower() and name.count(".") == 1:
            return "Comm", name.split(".")[1].split("_")[0]
        if "SGD" in name or "Assign" in name:
            return "UPDATE_", name
        if name.startswith("gradients") or name.startswith("gradient_tape"):
            return "BW", name
        return "FW", name

    def find(self, raw):
        name = clean(raw)
        if self.cats is None:
            return self.by_name(name)
        return self.cats.get(name, self.by_name(name))  # kept, by its name alone


def standard(cat, op):
    return cat + "." + op.replace(".", "_")


def operators(events, names):
    process, thread, rows = {}, {}, []
    for e in events:
        if e.get("ph") == "M" and e["name"] == "process_name":
            process[e["pid"]] = e["args"]["name"]
        elif e.get("ph") == "M" and e["name"] == "thread_name":
            thread[e["pid"], e["tid"]] = e["args"]["name"]
        elif e.get("ph") == "X" and "/device:GPU" in process.get(e["pid"], "") and \
                "TensorFlow Ops" in thread.get((e["pid"], e["tid"]), ""):
            found = names.find(e["args"]["long_name"].split(":")[0])
            if found and found[0] != "Comm":
                rows.append((e["tid"], ns(e["ts"]), ns(e["dur"]), standard(*found), e["args"]["group_id"]))
    tids = list(dict.fromkeys(r[0] for r in rows))
    joined, ends = [], []
    for tid, ts, dur, name, step in sorted(rows, key=lambda r: (tids.index(r[0]), r[1])):
        if joined and joined[-1][0] == tid and joined[-1][3:] == [name, step]:
            joined[-1][2] += max(ts + dur - max(ts, ends[-1]), 0)  # as long as a piece runs
            ends[-1] = max(ends[-1], ts + dur)
        else:
            joined.append([tid, ts, dur, name, step])
            ends.append(ts + dur)
    numbers = sorted({r[4] for r in joined})
    return [("operator%d" % tids.index(t), ts, dur, name, None, numbers.index(s)) for t, ts, dur, name, s in joined]


def horovod(events):
    """(name, ts, dur), and the end of the last Sync."""
    names, stacks, spans, syncs, reference = {}, defaultdict(list), [], defaultdict(list), None
    for e in events:
        if e.get("ph") == "M" and e["name"] == "process_name" and "name" in e["args"]:
            names[e["pid"]] = e["args"]["name"]
        elif e.get("ph") == "B":
            stacks[e["pid"]].append((e["name"], ns(e["ts"])))
        elif e.get("ph") == "E" and stacks[e["pid"]]:
            word, ts = stacks[e["pid"]].pop()
            end, who = ns(e["ts"]), names[e["pid"]]
            if "Sync" in who:
                if word != "none":
                    syncs[ts].append((int(word), end - ts))
                    reference = max(reference or end, end)
            elif (word in WORDS or re.fullmatch("NEGOTIATE_[A-Z_]+", word)) and "horovod" in who.split(".")[0].lower():
                spans.append(("Comm.%s.%s" % (who.split(".", 1)[1].split("_")[0], word), ts, end - ts))
    for ts, members in syncs.items():
        ids = "+".join(str(i) for i in sorted({m[0] for m in members}))
        spans.append(("Comm.%s.Sync" % ids, ts, members[0][1]))
    return spans, reference


def details(events):
    for e in events:
        if e.get("ph") != "X":
            continue
        _, ids, sub_op = e["name"].split(".")
        ids = "+".join(sorted(ids.split("+"), key=int))
        a = e["args"]
        yield ("Comm.%s.%s" % (ids, sub_op), ns(e["ts"]), ns(e["dur"]),
               "%d_%d_%d_%d" % (a["loopId"], a["channelId"], a["chunkId"], a["sliceId"]), e["pid"])


def steps_begin(rows):
    begins, last = [], None
    for _, ts, _, name, _, step in sorted(rows, key=lambda r: (r[1], r[3])):
        if step != last:
            begins.append((ts, name, step))
            last = step
    return begins


def job_events(top, is_aligned):
    """Counter of (pid, tid, name, suffix, ts, dur, step)."""
    ranks = gpu_directories(top)
    references, parts = defaultdict(list), []
    first_graph = next((p for p in (os.path.join(d, "dag.gml") for _, _, d in ranks) if os.path.exists(p)), None)
    for pid, host, directory in ranks:
        def events(name):
            path = os.path.join(directory, name)
            return load(path) if os.path.exists(path) else []

        own = os.path.join(directory, "dag.gml")
        ops = operators(events("trace.json.gz"), Names(own if os.path.exists(own) else first_graph))
        first, end = min(o[1] for o in ops), max(o[1] + o[2] for o in ops)
        begins = steps_begin(ops)

        def step_of(ts, name):
            return max([b for b in begins if b[:2] <= (ts, name)] or begins[:1])[2]

        rows = list(ops)
        io = [(e["name"], ns(e["ts"]), ns(e["dur"])) for e in events("io.json")]
        early = {n: (n, ts, d) for n, ts, d in sorted(io, key=lambda i: i[1]) if ts < first}
        for n, ts, d in [i for i in io if first <= i[1] < end] + list(early.values()):
            rows.append(("I/O", ts, d, n, None, step_of(ts, n)))
        spans, reference = horovod(events("comm.json"))
        if reference is not None:
            references[host].append(reference)
        rows += [("Negotiation" if ".NEGOTIATE_" in n else "Comm", ts, d, n, None, step_of(ts, n))
                 for n, ts, d in spans if first <= ts < end]
        rows += [(tid, ts, d, n, suffix, step_of(ts, n)) for n, ts, d, suffix, tid in details(events("comm_detail.json"))
                 if first <= ts < end]
        parts.append((pid, host, rows))
    mean = {h: sum(r) // len(r) for h, r in references.items()}
    found = Counter()
    for pid, host, rows in parts:
        shift = mean[0] - mean[host] if is_aligned and 0 in mean and host in mean else 0
        for tid, ts, dur, name, suffix, step in rows:
            found[pid, tid, name, suffix, ts + shift, dur, step] += 1
    return found


# -- comparing --------------------------------------------------------------------------------------------

failures = 0


def check(is_good, text):
    global failures
    if not is_good:
        failures += 1
        if failures <= 10:
            print("# " + text)


def database_events(path):
    db = sqlite3.connect(path)
    return list(db.execute("SELECT pid, tid, name, suffix, ts_ns, dur_ns, step FROM event ORDER BY id"))


def compare_events(top, database, is_aligned):
    wanted, found = job_events(top, is_aligned), Counter(database_events(database))
    check(sum(wanted.values()) > 0, "no events in the files")
    for row in wanted - found:
        check(False, "missing: %s" % (row,))
    for row in found - wanted:
        check(False, "too many: %s" % (row,))


def long_name(pid, name, suffix):
    return "%s->%s%s" % (pid, name, "~>" + suffix if suffix else "")


def compare_final(folder, database):
    """Returns both sides' events in (ts, name) order, as (long name, ts, step)."""
    final = json.load(open(os.path.join(folder, "bps_trace_final.json")), parse_float=Decimal)["traceEvents"]
    theirs = [(e["pid"], e["tid"], e["name"], e["args"]["name"].partition("~>")[2] or None, ns(e["ts"]), ns(e["dur"]),
               e["args"]["step"]) for e in final]
    ours = database_events(database)

    def without_io(rows):
        return Counter(r for r in rows if not r[2].startswith("I/O"))

    for row in without_io(theirs) - without_io(ours):
        check(False, "missing: %s" % (row,))
    for row in without_io(ours) - without_io(theirs):
        check(False, "too many: %s" % (row,))
    return ([(long_name(*[r[i] for i in (0, 2, 3)]), r[4], r[6]) for r in sorted(rows, key=lambda r: (r[4], r[2]))]
            for rows in (theirs, ours))


def ms_to_ns(text):
    value = Decimal(str(text)) * 1000000
    return int(value)


def compare_statistics(folder, database, name2sta):
    theirs, ours = compare_final(folder, database)
    ours_sta = json.load(open(name2sta))
    durations = defaultdict(list)
    for pid, _, name, suffix, _, dur, _ in database_events(database):
        durations[long_name(pid, name, suffix)].append(dur)
    lines = [line.rstrip("\n").split("\t") for line in open(os.path.join(folder, "name2sta.tsv"))]
    column = {name: i for i, name in enumerate(lines[0])}
    order = []
    for line in lines[1:]:
        name = line[column["name"]]
        order.append(name)
        row = ours_sta.get(name)
        check(row is not None, "%s: no such name" % name)
        if row is None:
            continue
        check(row["cat"] == line[column["cat"]], "%s: cat %s" % (name, row["cat"]))
        if name.endswith("->I/O_0"):
            check(row["cnt"] == 4 and len(durations[name]) == 4, "%s: %d events, not 4" % (name, row["cnt"]))
            continue
        check(row["cnt"] == int(line[column["cnt"]]), "%s: cnt %d" % (name, row["cnt"]))
        for key, title in (("time", "time_sum_ms"), ("min_t", "min_ms"), ("max_t", "max_ms"), ("median", "median_ms")):
            check(ms_to_ns(row[key]) == ms_to_ns(line[column[title]]), "%s: %s %s" % (name, key, row[key]))
        # The original clips RECV by its SEND and works out these two anew.
        avg, var = Decimal(line[column["avg_ms"]]), Decimal(line[column["var_ms2"]])
        if "RECV" in name:
            n, d = len(durations[name]), durations[name]
            avg = Decimal(sum(d)) / n / 10**6
            var = (Decimal(sum(x * x for x in d)) / n - (Decimal(sum(d)) / n) ** 2) / 10**12
        check(abs(Decimal(row["avg"]) - avg) < Decimal("1e-9"), "%s: avg %s, not %s" % (name, row["avg"], avg))
        check(abs(Decimal(row["var"]) - var) < Decimal("1e-11"), "%s: var %s, not %s" % (name, row["var"], var))
        steps = [None if s in ("", "None", "null", "-") else int(s) for s in line[column["step_ids"]].split(",")]
        check(len(steps) == len(row["step_ids"]), "%s: %d steps" % (name, len(row["step_ids"])))
        for mine, other in zip(row["step_ids"], steps):
            check((mine is None) == (other is None), "%s: step_ids %s" % (name, row["step_ids"]))
            if mine is not None and other is not None:
                check(ours[mine] == theirs[other] and ours[mine][0] == name,
                      "%s: %s is not %s" % (name, ours[mine], theirs[other]))
    check(len(order) > 0, "no names in the tables of the original tool")
    check(len(ours_sta) == len(order), "%d names, not %d" % (len(ours_sta), len(order)))

    def without_io(names):
        return [n for n in names if "I/O" not in n]

    mine = without_io(sorted(ours_sta, key=lambda n: ours_sta[n]["id"]))
    check(mine == without_io(order), "the order of ids differs")


def compare_categories(folder, cat2sta):
    ours = json.load(open(cat2sta))
    lines = [line.rstrip("\n").split("\t") for line in open(os.path.join(folder, "cat2sta.tsv"))]
    check(len(lines) > 1, "no categories in the tables of the original tool")
    check(sorted(ours) == sorted(line[0] for line in lines[1:]), "categories %s" % sorted(ours))
    for cat, max_t, max_name, time, cnt, op_cnt, avg in lines[1:]:
        row = ours.get(cat)
        if row is None or cat == "I/O":
            continue
        check(row["cnt"] == int(cnt) and row["op_cnt"] == int(op_cnt), "%s: cnt %d" % (cat, row["cnt"]))
        check(ms_to_ns(row["time"]) == ms_to_ns(time), "%s: time %s" % (cat, row["time"]))
        check(abs(Decimal(row["avg"]) - Decimal(avg)) < Decimal("1e-8"), "%s: avg %s" % (cat, row["avg"]))
        check(abs(Decimal(row["max_t"]) - Decimal(max_t)) < Decimal("1e-8"), "%s: max_t %s" % (cat, row["max_t"]))
        check(row["max_name"] == max_name, "%s: max_name %s" % (cat, row["max_name"]))


def main():
    if sys.argv[1] == "events":
        compare_events(sys.argv[2], sys.argv[3], "--no-align" not in sys.argv)
    else:
        folder, database, name2sta, cat2sta = sys.argv[2:6]
        compare_statistics(folder, database, name2sta)
        compare_categories(folder, cat2sta)
    if failures > 10:
        print("# ... %d in all" % failures)
    sys.exit(failures > 0)


main()

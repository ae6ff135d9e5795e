#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps and dictionaries of events in the lines of load-events, from the definitions, without cleverness.

  steps.py generate SEED > EVENTS
  steps.py check EVENTS STEPS.csv RANKS.csv RUN.csv NAME2STA.json CAT2STA.json   (--unit ns)
  steps.py dpro NAME2STA.json CAT2STA.json EXPECTED-NAME2STA.tsv EXPECTED-CAT2STA.tsv
"""
import csv
import json
import random
import sys
from fractions import Fraction
from itertools import groupby
from math import sqrt

OPERATORS = ("FW", "BW", "UPDATE_", "OUTPUT")
COLUMNS = {"FW": "fw", "BW": "bw", "UPDATE_": "update", "OUTPUT": "output", "COMP": "comp"}


class Event:
    def __init__(self, index, line):
        (self.pid, self.tid, self.op_cat, self.op_name, self.sub_op, self.suffix, ts, dur, step) = \
            line.rstrip("\n").split("\t")
        self.index, self.ts, self.dur = index, int(ts), int(dur) if dur else None
        self.end = self.ts + (self.dur or 0)
        self.step = int(step) if step else None
        self.name = self.standard_name()
        self.long_name = f"{self.pid}->{self.name}" + (f"~>{self.suffix}" if self.suffix else "")

    def standard_name(self):
        number = self.op_name.isdigit()
        if self.op_cat in ("UPDATE_", "OUTPUT") and (number or (self.op_cat, self.op_name) == ("UPDATE_", "CAL")):
            text = self.op_cat + self.op_name
        elif self.op_cat == "I/O" and number:
            text = "I/O_" + self.op_name
        else:
            text = self.op_cat + "." + self.op_name
        return text + ("." + self.sub_op if self.sub_op else "")

    def category(self):
        if self.op_cat == "Comm":
            known = ("SEND", "RECV", "PUSH_REQ", "PUSH_RES", "PULL_REQ", "PULL_RES")
            return "Comm." + (self.sub_op if self.sub_op in known else "other")
        if self.op_cat in OPERATORS or self.op_cat == "COMP":
            return "operator." + self.op_cat.rstrip("_")
        return self.op_cat

    def key(self):
        return (self.ts, self.name.encode(), self.index)


def read_events(path):
    with open(path, encoding="utf-8") as file:
        events = [Event(index, line) for index, line in enumerate(file)]
    assert events, path + " has no events"
    return events


# -- random events ------------------------------------------------------------------------------------

def generate(seed):
    rng = random.Random(seed)
    span = rng.choice((30, 300, 3000))
    lines = []
    while not lines:
        for pid in range(rng.randrange(1, 5)):
            kinds = rng.choice((["FW", "BW", "UPDATE_", "OUTPUT", "Comm", "I/O", "COMP", "RT"], ["COMP", "Comm", "MEM"],
                                ["Comm"], ["FW", "BW"], ["FW", "BW", "Comm"]))
            for step in range(rng.randrange(0, 5)):
                for _ in range(rng.randrange(1, 40)):
                    kind = rng.choice(kinds)
                    ts = 5000 + step * span + rng.randrange(span)
                    dur = "" if rng.random() < 0.03 else rng.randrange(0, span // rng.choice((1, 2, 9)))
                    sub_op = rng.choice(("SEND", "RECV", "QUEUE", "PUSH_REQ", "")) if kind == "Comm" else ""
                    suffix = rng.choice(("", "0_1_2_3")) if sub_op == "SEND" else ""
                    number = "" if rng.random() < 0.05 else step
                    lines.append((ts + (dur or 0), (f"host{pid // 2}.rank{pid % 2}", rng.choice("01"), kind,
                                  rng.choice(("a", "b", "Z", "7", "CAL")), sub_op, suffix, ts, dur, number)))
    lines.sort(key=lambda line: line[0])
    for _, line in lines:
        print("\t".join(map(str, line)))


# -- steps ----------------------------------------------------------------------------------------------

def covered(events):
    times = set()
    for event in events:
        times.update(range(event.ts, event.end))
    return times


def is_inside(event, others):
    """Whether another that is there when it begins ends no earlier; of equals the one that ends later is outside."""
    return any(o is not event and o.op_cat == event.op_cat and o.tid == event.tid and o.end >= event.end and
               (o.ts < event.ts or (o.ts == event.ts and o.index > event.index)) for o in others)


def step_row(events, operator_cats):
    row = {"comm": len(covered(e for e in events if e.op_cat == "Comm")),
           "io": len(covered(e for e in events if e.op_cat == "I/O"))}
    for op_cat, column in COLUMNS.items():
        row[column] = sum(e.dur for e in events if e.op_cat == op_cat and not is_inside(e, events))
    operators = sorted((e for e in events if e.op_cat in operator_cats), key=Event.key)
    busy = covered(operators)
    row["comm_exposed"] = len(covered(e for e in events if e.op_cat == "Comm") - busy)
    row["iteration"] = row["idle"] = None
    if operators:
        begin, end = operators[0].ts, operators[-1].end
        row["iteration"] = end - begin
        row["idle"] = len(set(range(begin, end)) - busy)
    row["has_fw"] = any(e.op_cat == "FW" for e in events)
    row["has_bw"] = any(e.op_cat == "BW" for e in events)
    return row


def process_rows(events):
    """Rows of one process, and whether it has operators of training."""
    is_training = any(e.op_cat in OPERATORS for e in events)
    rows = []
    for step, members in groupby(sorted(events, key=lambda e: (e.step, e.index)), key=lambda e: e.step):
        rows.append({"step": step} | step_row(list(members), OPERATORS if is_training else ("COMP",)))
    timed = [row for row in rows if row["iteration"] is not None]
    for row in rows:
        row["counted"] = int(row["iteration"] is not None)
    if timed and is_training and len(timed) > 1:
        timed[-1]["counted"] = int(any(row["has_fw"] for row in rows) and timed[-1]["has_bw"])
    return rows, is_training


def run_iteration(processes):
    """(processes, steps, iteration, median or mean, mean, stddev, typical step, its iteration) or None."""
    trains = any(is_training for _, _, is_training in processes)
    steps, n_processes = {}, 0
    for _, rows, is_training in processes:
        if is_training == trains:
            n_processes += any(row["counted"] for row in rows)
            for row in rows:
                if row["counted"]:
                    steps.setdefault(row["step"], []).append(row["iteration"])
    if not steps:
        return None
    most = max(map(len, steps.values()))
    means = {step: Fraction(sum(v), most) for step, v in sorted(steps.items()) if len(v) == most}
    mean = sum(means.values()) / len(means)
    stddev = sqrt(sum((m - mean) ** 2 for m in means.values()) / len(means))
    is_median = stddev > 0.1 * float(mean)
    ordered, half = sorted(means.values()), len(means) // 2
    iteration = (ordered[half] + ordered[(len(means) - 1) // 2]) / 2 if is_median else mean
    typical = min(means, key=lambda step: (abs(means[step] - iteration), step))
    return (n_processes, len(means), iteration, "median" if is_median else "mean", mean, stddev, typical,
            means[typical])


def close(found, wanted):
    return abs(float(found) - float(wanted)) <= 1e-9 * max(1, abs(float(wanted)))


def check_steps(events, paths):
    known = [e for e in events if e.dur is not None and e.step is not None and
             e.op_cat in (*OPERATORS, "COMP", "Comm", "I/O")]
    pids = list(dict.fromkeys(e.pid for e in events))
    processes = [(pid, *process_rows([e for e in known if e.pid == pid]))
                 for pid in pids if any(e.pid == pid for e in known)]
    steps, per_pid, run = ([*csv.DictReader(open(path, encoding="utf-8"))] for path in paths)
    iteration = run_iteration(processes)
    wanted = [(pid, row) for pid, rows, _ in processes for row in rows]
    columns = ["iteration", *COLUMNS.values(), "comm", "comm_exposed", "io", "idle"]
    assert len(steps) == len(wanted), (len(steps), len(wanted))
    for found, (pid, row) in zip(steps, wanted):
        assert (found["rank"], found["step"], found["counted"]) == (pid, str(row["step"]), str(row["counted"])), found
        for column in columns:
            value = "" if row[column] is None else str(row[column])
            assert found[column + "_ns"] == value, (column, found, row)
        assert found["typical"] == str(int(iteration is not None and row["step"] == iteration[6])), found
    assert len(per_pid) == len(processes)
    for found, (pid, rows, _) in zip(per_pid, processes):
        counted = [row for row in rows if row["counted"]]
        used = counted or rows
        assert (found["rank"], found["steps"], found["counted"]) == (pid, str(len(rows)), str(len(counted))), found
        for column in columns[1:]:
            assert close(found[column + "_ns"], Fraction(sum(row[column] or 0 for row in used), len(used))), column
        if counted:
            times = [row["iteration"] for row in counted]
            mean = Fraction(sum(times), len(times))
            assert close(found["iteration_ns"], mean)
            assert (found["min_ns"], found["max_ns"]) == (str(min(times)), str(max(times)))
            assert abs(float(found["stddev_ns"]) ** 2 - sum((t - mean) ** 2 for t in times) / len(times)) < 1e-4
        else:
            assert found["iteration_ns"] == found["stddev_ns"] == ""
    if iteration is None:
        assert run == []
        return
    found, = run
    assert [found["ranks"], found["steps"], found["is"], found["typical_step"]] == \
        [str(iteration[i]) for i in (0, 1, 3, 6)], (found, iteration)
    for column, i in (("iteration_ns", 2), ("mean_ns", 4), ("stddev_ns", 5), ("typical_iteration_ns", 7)):
        assert abs(float(found[column]) - float(iteration[i])) <= 1e-6 * max(1, iteration[i]), (column, found)


# -- dictionaries ---------------------------------------------------------------------------------------

def check_dictionaries(events, name2sta, cat2sta):
    spans = sorted((e for e in events if e.dur is not None),
                   key=lambda e: (e.ts, e.name.encode(), e.pid, e.index))
    n_steps = 1 + max((e.step for e in spans if e.step is not None), default=-1)
    wanted, categories = {}, {}
    for index, span in enumerate(spans):
        entry = wanted.setdefault(span.long_name, {"id": len(wanted), "cat": span.category(), "dur": [],
                                                   "step_ids": [None] * n_steps})
        entry["dur"].append(span.dur)
        if n_steps == 0:
            entry["step_ids"].append(index)
        elif span.step is not None:
            entry["step_ids"][span.step] = index
    assert list(name2sta) == list(wanted)
    for name, entry in wanted.items():
        found, dur = name2sta[name], sorted(entry["dur"])
        avg = Fraction(sum(dur), len(dur))
        for key in ("id", "cat", "step_ids"):
            assert found[key] == entry[key], (name, key, found, entry)
        assert found["cnt"] == len(dur)
        for key, value in (("avg", avg / 10**6), ("time", Fraction(sum(dur), 10**6)), ("min_t", Fraction(dur[0], 10**6)),
                           ("max_t", Fraction(dur[-1], 10**6)), ("median", Fraction(dur[len(dur) // 2], 10**6)),
                           ("var", sum((d - avg) ** 2 for d in dur) / len(dur) / 10**12)):
            assert close(found[key], value), (name, key, found[key], float(value))
        category = categories.setdefault(entry["cat"], {"time": 0, "cnt": 0, "op_cnt": 0, "max": None})
        category["time"] += sum(dur)
        category["cnt"] += len(dur)
        category["op_cnt"] += 1
        if category["max"] is None or avg > category["max"][0]:
            category["max"] = (avg, name)
    assert list(cat2sta) == list(categories)
    for name, category in categories.items():
        found = cat2sta[name]
        assert (found["cnt"], found["op_cnt"], found["max_name"]) == \
            (category["cnt"], category["op_cnt"], category["max"][1]), (name, found, category)
        assert close(found["time"], Fraction(category["time"], 10**6))
        assert close(found["avg"], Fraction(category["time"], category["cnt"] * 10**6))
        assert close(found["max_t"], category["max"][0] / 10**6)


def check_dpro(name2sta, cat2sta, names_path, cats_path):
    """The statistics that the original tools made of the same trace; they print a few digits. Theirs of RECV have avg and
    var of all steps but the last."""
    rows = [*csv.DictReader(open(names_path, encoding="utf-8"), delimiter="\t")]
    assert rows and list(name2sta) == [row["name"] for row in rows]
    for row in rows:
        found = name2sta[row["name"]]
        assert (str(found["id"]), found["cat"], str(found["cnt"])) == (row["id"], row["cat"], row["cnt"]), row
        for key, column in (("avg", "avg_ms"), ("min_t", "min_ms"), ("max_t", "max_ms"), ("median", "median_ms"),
                            ("var", "var_ms2"), ("time", "time_sum_ms")):
            if row["cat"] == "Comm.RECV" and key in ("avg", "var"):
                continue
            digits = len(row[column].partition(".")[2])
            assert abs(found[key] - float(row[column])) <= 0.5001 * 10**-digits, (row, key, found[key])
        assert close(found["avg"], found["time"] / found["cnt"])
        assert ",".join("-" if i is None else str(i) for i in found["step_ids"]) == row["step_ids"], row
    rows = [*csv.DictReader(open(cats_path, encoding="utf-8"), delimiter="\t")]
    assert rows and list(cat2sta) == [row["cat"] for row in rows]
    for row in rows:
        found = cat2sta[row["cat"]]
        assert (str(found["cnt"]), str(found["op_cnt"]), found["max_name"]) == \
            (row["cnt"], row["op_cnt"], row["max_name"]), row
        for key, column in (("avg", "avg_ms"), ("max_t", "max_t_ms"), ("time", "time_ms")):
            assert abs(found[key] - float(row[column])) <= 0.5001e-9, (row, key, found[key])


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    mode, arguments = sys.argv[1], sys.argv[2:]
    if mode == "generate":
        generate(int(arguments[0]))
    elif mode == "check":
        events = read_events(arguments[0])
        assert events, "no event: nothing is compared"
        check_steps(events, arguments[1:4])
        check_dictionaries(events, load(arguments[4]), load(arguments[5]))
    else:
        check_dpro(load(arguments[0]), load(arguments[1]), *arguments[2:])


main()

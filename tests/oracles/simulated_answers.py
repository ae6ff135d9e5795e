#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""simulated_answers.py TRUTH PREFIX [PERCENT [TOLD]]: whether waits, what delays cost and the path are those of a simulated run.

TRUTH is truth.json of mpi_simulator.py whose times are taken as they are; PREFIX.waits what `waits --by rank,kind` prints
of its trace, PREFIX.causes `waits --show causes` (both --format csv --unit ns --top 0), PREFIX.path `critical-path --format
json --unit ns --top 0`. Each wait and cost may be wrong by PERCENT (2) of all waits, of a tenth of the run at the least; each
operation on the path by that of the run. Calls of MPI and messages on their way are one on the path, for simulator and
definition of Scalasca part them otherwise.

TOLD is what `waits` says. If it tells how far clocks are known, a rank's waits of a kind may be wrong by that for each of them,
a cost by that for each wait of the run, and the path is not judged."""
import collections
import csv
import json
import re
import sys


def plain(name):
    return name.split(".", 1)[1].split(".", 1)[0] if "." in name[1:] else name.removesuffix("()").replace(".TAU", "_TAU")


def on_path(name):
    return "MPI" if name == "(messages on their way)" or plain(name).startswith("MPI_") else plain(name)


def rank_of(pid):
    """node3, or PInsight's cn0003.4003"""
    return int(re.sub(r".*\.4", "", pid).removeprefix("node"))


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_truth(path):
    waits, causes, profile = collections.Counter(), collections.Counter(), collections.Counter()
    with open(path, encoding="ascii") as file:
        truth = json.load(file)
    for wait in truth["waits"]:
        waits[str(wait["rank"]), wait["kind"]] += wait["ns"]
    for delay in truth["delays"]:
        causes[delay["rank"], " > ".join(map(plain, delay["path"]))] += delay["direct_ns"] + delay["propagated_ns"]
    for delay in truth["unexplained"]:
        causes[delay["rank"], "(not in computation)"] += delay["direct_ns"] + delay["propagated_ns"]
    for part in truth["critical_path"]:
        profile[on_path(part["name"])] += part["ns"]
    return truth, waits, causes, profile


def read_answers(prefix):
    waits, causes, profile = collections.Counter(), collections.Counter(), collections.Counter()
    for row in rows(prefix + ".waits"):
        waits[row["rank"], row["kind"]] += int(row["wait_ns"])
    for row in rows(prefix + ".causes"):
        path = row["path"] if row["path"].startswith("(") else " > ".join(map(plain, row["path"].split(" > ")))
        causes[rank_of(row["pid"]), path] += int(row["cost_ns"])
    with open(prefix + ".path", encoding="utf-8") as file:
        for row in json.load(file)["ops"]:
            profile[on_path(row["name"])] += row["time_ns"]
    return waits, causes, profile


UNIT_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def told_ns(path):
    """for each wait; None: nothing is told"""
    with open(path, encoding="utf-8") as file:
        told = re.search(r"clocks: known to ([\d.]+) (ns|us|ms|s); each wait for another rank may be wrong by as much", file.read())
    return float(told[1]) * UNIT_NS[told[2]] if told else None


def beyond_told(truth, is_true, is_ours, prefix, doubt_ns):
    counts = collections.Counter((str(wait["rank"]), wait["kind"]) for wait in truth["waits"])
    for row in rows(prefix + ".waits"):
        key = row["rank"], row["kind"]
        counts[key] = max(counts[key], int(row["count"]))
    bad = False
    for name, true, ours, n_of in (("waits", is_true[0], is_ours[0], counts.get), ("costs", is_true[1], is_ours[1], lambda _: counts.total())):
        part, key = max((abs(true[key] - ours[key]) / (doubt_ns * n_of(key)), key) for key in set(true) | set(ours))
        bad |= part > 1
        print(f"{name} are wrong by up to {part * 100:.1f} % of what is told, {doubt_ns:.0f} ns for each wait: {key}")
    return bad


def main(path, prefix, percent="2", told=None):
    truth, *true = read_truth(path)
    if told is not None and (doubt_ns := told_ns(told)) is not None:
        return beyond_told(truth, true, read_answers(prefix), prefix, doubt_ns) or not truth["waits"]
    whole, bad = max(truth["waiting_ns"], truth["run_ns"] / 10), not truth["waits"]
    for name, is_true, is_ours, of in zip(("waits", "causes", "path"), true, read_answers(prefix), (whole, whole, truth["run_ns"])):
        off, key = max((abs(is_true[key] - is_ours[key]) * 100 / of, key) for key in set(is_true) | set(is_ours))
        bad |= off > float(percent)
        print(f"{name} {off:.2f} % {key}: {is_ours[key]} ns, in truth {is_true[key]}")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

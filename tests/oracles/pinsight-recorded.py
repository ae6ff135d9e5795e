#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what --config foretells of a full recording with what PInsight recorded under each configuration.

usage: pinsight-recorded.py TRACETOOL DATA FOLDER

DATA holds the full recording (full), the configurations (*.conf) and counts.tsv, counted in the text of babeltrace2.
"""
import collections
import glob
import json
import os
import subprocess
import sys

EVENTS = {
    "omp_parallel": "parallel", "omp_program": "parallel", "omp_implicit_task": "implicit_task", "omp_work": "work",
    "omp_masked": "masked", "omp_barrier": "barrier_implicit_sync", "omp_barrier_wait": "barrier_implicit_sync_wait",
    "omp_join": "parallel_join_sync", "omp_join_wait": "parallel_join_sync_wait", "omp_thread": "thread",
}
QUERY = ("select op_name, json_extract(args, '$.codeptr') as codeptr, json_extract(args, '$.omp_thread_num') as thread, "
         "count(*) as n from event group by 1, 2, 3")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("# %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def main():
    tracetool, data, folder = sys.argv[1:]
    recorded = collections.defaultdict(collections.Counter)
    with open(os.path.join(data, "counts.tsv")) as lines:
        for line in lines:
            if not line.startswith("#"):
                name, event, codeptr, thread, n = line.rstrip("\n").split("\t")
                recorded[name][event, codeptr, thread] += int(n)
    n_wrong = n_all = 0
    for conf in sorted(glob.glob(os.path.join(data, "*.conf"))):
        name = os.path.basename(conf)[:-5]
        db = os.path.join(folder, "recorded-%s.db" % name)
        run(tracetool, "--db", db, "import", "-q", "--config", conf, "--pinsight", "head", os.path.join(data, "full"))
        foretold = collections.Counter()
        for row in json.loads(run(tracetool, "--db", db, "query", "--format", "json", QUERY) or "[]"):
            event = EVENTS[row["op_name"]]
            is_thread = event == "thread"
            foretold[event, "0" if is_thread else (row["codeptr"] or "0x0")[2:],
                     "-" if is_thread else str(row["thread"])] += int(row["n"])
        n_all += 1
        if foretold != recorded[name]:
            n_wrong += 1
            differ = sorted(key for key in set(foretold) | set(recorded[name]) if foretold[key] != recorded[name][key])
            print("# %s: %s: %d foretold, %d recorded" % (name, differ[0], foretold[differ[0]], recorded[name][differ[0]]))
    print("# %d of %d configurations as recorded" % (n_all - n_wrong, n_all))
    return 0 if n_all > 20 and n_wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

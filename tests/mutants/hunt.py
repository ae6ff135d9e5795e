#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests against the mutants that plant.py has planted.

    hunt.py TREE LIST OUT TEST...

First every test once with none awake, for its time and for the mutants that it comes to; then for each mutant the
tests that come to it, quickest first, until one fails or takes ten times as long. OUT keeps what is known so far: a
second call goes on where the first ended, and with a line removed from OUT/results that mutant is hunted again.
OUT/results has a line a mutant: number, what became of it (killed, slow, survived, unreached), the test.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict

SLACK_S = 10
LIMIT_BYTES = 6 << 30
# They look at the sources, not at what the program does.
OF_SOURCES = ("layers.sh", "dist.sh")


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Suite:
    def __init__(self, tree):
        self.tree = os.path.abspath(tree)
        here = self.tree
        self.environment = dict(
            os.environ, G_TEST_SRCDIR=here + "/tests", G_TEST_BUILDDIR=here + "/tests", TRACETOOL=here + "/tracetool",
            TRACETOOL_DATA=here + "/data", SRCDIR=here, BUILDDIR=here, LC_ALL="C",
            SHARED_DATA=os.environ.get("SHARED_DATA", here + "/../shared/data"))
        self.environment.pop("TRACETOOL_DB", None)

    def run(self, test, timeout=None, **more):
        """Returns what the test says, None where it took too long, and its time. With a timeout one failure is enough."""
        command = [os.path.join(self.tree, test)]
        if test.endswith(".sh"):
            command.insert(0, "sh")
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=self.tree, env=dict(self.environment, **more), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=limit)
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, stop) if timeout is not None else None
        if timer is not None:
            timer.start()
        n_points = n_failed = 0
        for line in process.stdout:
            n_points += re.match(rb"(not )?ok\b", line) is not None
            if re.match(rb"not ok\b", line) and b"# TODO" not in line:
                n_failed += 1
                if timeout is not None:
                    os.killpg(process.pid, signal.SIGKILL)
                    break
        process.stdout.close()
        status = process.wait()
        if timer is not None:
            timer.cancel()
        seconds = time.monotonic() - begin
        if late.is_set():
            return None, seconds
        return {"status": status, "n_points": n_points, "n_failed": n_failed}, seconds


def read_reach(suite, out, tests):
    """Time, answer and mutants of each test, from OUT/reach or by running it."""
    path = os.path.join(out, "reach")
    reach = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            reach = {entry["test"]: entry for entry in map(json.loads, file)}
    with open(path, "a", encoding="utf-8") as file:
        for test in tests:
            if test in reach or os.path.basename(test) in OF_SOURCES:
                continue
            log = os.path.abspath(os.path.join(out, "log"))
            if os.path.exists(log):
                os.remove(log)
            said, seconds = suite.run(test, TT_MUTANT_LOG=log)
            ids = []
            if os.path.exists(log):
                with open(log, encoding="ascii") as lines:
                    ids = sorted({int(line) for line in lines if line.strip().isdigit()})
            reach[test] = {"test": test, "said": said, "seconds": seconds, "mutants": ids}
            file.write(json.dumps(reach[test]) + "\n")
            file.flush()
    good = {}
    for test in tests:
        if test not in reach:
            continue
        if reach[test]["said"]["status"] == 0 and reach[test]["said"]["n_failed"] == 0:
            good[test] = reach[test]
        else:
            print("mutants: %s fails without a mutant and is left out" % test, file=sys.stderr)
    return good


def hunt(suite, number, reach):
    tests = sorted((entry for entry in reach.values() if number in entry["mutants"]), key=lambda e: e["seconds"])
    if not tests:
        return "unreached", ""
    for entry in tests:
        said, _ = suite.run(entry["test"], timeout=10 * entry["seconds"] + SLACK_S, TT_MUTANT=str(number))
        if said is None:
            return "slow", entry["test"]
        if said != entry["said"]:
            return "killed", entry["test"]
    return "survived", ""


def room(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


def report(mutants, results):
    table = defaultdict(Counter)
    for number, (path, *_) in mutants.items():
        for row in (room(path), "all"):
            table[row]["mutants"] += 1
            table[row][results[number][0]] += 1
    columns = ("mutants", "killed", "slow", "survived", "unreached")
    print("%-12s" % "room" + "".join("%10s" % column for column in columns))
    for row in sorted(table, key=lambda name: (name == "all", name)):
        print("%-12s" % row + "".join("%10d" % table[row][column] for column in columns))
    for number, fields in mutants.items():
        if results[number][0] in ("survived", "unreached"):
            path, line, kind, function, old, new = fields
            print("\n%d %s: %s:%s, %s, %s\n- %s\n+ %s" % (number, results[number][0], path, line, function, kind, old, new))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    tree, listed, out, *tests = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    with open(listed, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    mutants = {int(row[0]): row[1:] for row in rows}
    suite = Suite(tree)
    reach = read_reach(suite, out, tests)
    path, results = os.path.join(out, "results"), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            results = {int(number): rest for number, *rest in (line.rstrip("\n").split("\t") for line in file)}
    with open(path, "a", encoding="utf-8") as file:
        for number in mutants:
            if number not in results:
                results[number] = hunt(suite, number, reach)
                file.write("%d\t%s\t%s\n" % (number, *results[number]))
                file.flush()
    report(mutants, results)


if __name__ == "__main__":
    main()

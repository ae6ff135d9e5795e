# SPDX-License-Identifier: Apache-2.0
"""Writes a Chrome trace of one rank of a training run: operators, communication and input of random steps, some of no length, some in no step. Each third
rank has no operators of a framework.

    random-steps.py SEED RANK STEPS [PID]
"""

import json
import random
import sys

KINDS = ["FW", "BW", "UPDATE_", "OUTPUT", "Comm", "I/O", "COMP"]


def main():
    rank, n = int(sys.argv[2]), int(sys.argv[3])
    pid = sys.argv[4] if len(sys.argv) > 4 else "host%d" % rank
    random.seed(int(sys.argv[1]) * 1000 + rank)
    events = []
    at = random.randint(0, 50)
    for step in range(n):
        for _ in range(random.randint(0, 12)):
            kind = random.choice(KINDS if rank % 3 else KINDS[4:])
            dur = random.choice([0, 1, 5, 30, 100])
            events.append({"ph": "X", "pid": pid, "tid": random.randint(0, 2), "cat": kind, "name": "%s.x%d" % (kind, random.randint(0, 3)), "ts": at,
                           "dur": dur, "args": {"step": step if random.random() < 0.95 else -1}})
            at += random.choice([dur, dur + 3, dur // 2])
        at += random.randint(0, 40)
    json.dump({"traceEvents": events}, sys.stdout)


main()

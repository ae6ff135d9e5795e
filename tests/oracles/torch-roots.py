# SPDX-License-Identifier: Apache-2.0
"""What is paid in calls with a root, by the clock of the program (data/recorded/torch_roots.py), and who their roots are.

usage: torch-roots.py TABLE roots     lines "gloo:FUNCTION,NUMBER,ROOT"
       torch-roots.py TABLE paid      lines "gloo:FUNCTION,NS"
"""
import sys

calls = {}
with open(sys.argv[1], encoding="utf-8") as table:
    for line in table:
        function, number, root, rank, begin, end = line.split("\t")
        call = calls.setdefault((function, int(number)), (int(root), {}))
        call[1][int(rank)] = int(begin), int(end)
paid = {}
for (function, number), (root, part) in sorted(calls.items()):
    if sys.argv[2] == "roots":
        print(f"gloo:{function},{number},{root}")
    elif function in ("broadcast", "scatter"):
        waits = [max(0, min(part[root][0], end) - begin) for rank, (begin, end) in part.items() if rank != root]
        paid[function] = paid.get(function, 0) + sum(waits)
    else:
        begin, end = part[root]
        last = max(begin for rank, (begin, _) in part.items() if rank != root)
        paid[function] = paid.get(function, 0) + max(0, min(last, end) - begin)
for function, ns in paid.items():
    print(f"gloo:{function},{ns}")

# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool compare --format csv --unit ns --top 0` says what follows from the spans of both runs.

usage: compare.py OUTPUT A B [--per rank]
       compare.py --self-test

A and B: spans as CSV with a header (rank, thread, name, begin_ns, end_ns, depth, and self_ns where the spans do not
nest), or as lines of tests/store/load-events (.tsv), each of which is a span of its own. Prints the rows it has judged.

Per name: count, total (nested spans of a name and thread once), self and mean on both sides, the differences (B - A, and
that in percent of A), and the two sided p-value of Welch's t-test over the single durations, which is empty where a side
has fewer than 2 spans; without any variance on both sides it is 1 (equal means) or 0. significant: p < 0.01.
"""
import csv
import math
import sys
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction


@dataclass
class Span:
    rank: str
    thread: str
    name: str
    begin: int
    end: int
    depth: int
    self_time: int = None
    is_nested: bool = False

    @property
    def length(self):
        return self.end - self.begin


# -- Welch's test -----------------------------------------------------------------------------------------------

def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    tiny, c, d = 1e-300, 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    h = d
    for m in range(1, 100_000):
        for num in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                    -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 + num * d, 1 + num / c
            d, c = 1 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return h


def log_beta(a, b):
    """log B(a, b). For a large a the difference of the two lgammas would lose digits: Stirling's series."""
    a, b = max(a, b), min(a, b)
    if a < 1e3:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    def tail(z):
        return 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5)

    return math.lgamma(b) + b - b * math.log(a + b) - (a - 0.5) * math.log1p(b / a) + tail(a) - tail(a + b)


def incomplete_beta(a, b, x, y):
    """I_x(a, b), regularised; y = 1 - x."""
    if x <= 0 or y <= 0:
        return 0.0 if x <= 0 else 1.0
    log_x = math.log(x) if x < 0.5 else math.log1p(-y)
    log_y = math.log(y) if y < 0.5 else math.log1p(-x)
    front = math.exp(a * log_x + b * log_y - log_beta(a, b))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, y) / b


def student_p(t2, v):
    """Two-sided p-value for the square of t with v degrees of freedom; mpmath's where it is here."""
    try:
        import mpmath
    except ImportError:
        return incomplete_beta(v / 2, 0.5, v / (v + t2), t2 / (v + t2))
    with mpmath.workdps(40):
        t2, v = (mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x) for x in (t2, v))
        return float(mpmath.betainc(v / 2, 0.5, 0, v / (v + t2), regularized=True))


def moments(xs):
    """Count, mean and sample variance, exactly."""
    n, s = len(xs), sum(xs)
    return n, Fraction(s, n), Fraction(n * sum(x * x for x in xs) - s * s, n * (n - 1)) if n > 1 else None


def welch(xs, ys):
    if len(xs) < 2 or len(ys) < 2:
        return None
    (n, mx, vx), (m, my, vy) = moments(xs), moments(ys)
    a, b = vx / n, vy / m
    if a + b == 0:
        return 1.0 if mx == my else 0.0
    return student_p((mx - my) ** 2 / (a + b), (a + b) ** 2 / (a * a / (n - 1) + b * b / (m - 1)))


# -- spans ------------------------------------------------------------------------------------------------------

def load_tsv(path):
    """Each is alone on its thread, as load-events has them."""
    spans = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            pid, tid, op_cat, op_name, sub_op, _, begin, length, _ = line.rstrip("\n").split("\t")
            name = f"{op_cat}.{op_name}" + (f".{sub_op}" if sub_op else "")
            if length:
                spans.append(Span(pid, f"{pid}/{tid}", name, int(begin), int(begin) + int(length), 0, int(length)))
    return spans


def nest(spans):
    """Self time and nesting of the spans of one thread, which do not cross."""
    stack = []
    for s in sorted(spans, key=lambda s: (s.begin, -s.end, s.depth)):
        while stack and (stack[-1].end <= s.begin and stack[-1].end < s.end or s.depth <= stack[-1].depth):
            stack.pop()
        assert not stack or s.end <= stack[-1].end, (stack[-1], s)
        s.self_time = s.length
        s.is_nested = any(outer.name == s.name for outer in stack)
        if stack:
            stack[-1].self_time -= s.length
        stack.append(s)


def load(path):
    """The spans, and whether it is known which are nested."""
    if path.endswith(".tsv"):
        return load_tsv(path), True
    threads, knows_self = defaultdict(list), False
    with open(path, newline="", encoding="utf-8") as f:
        for r in csv.DictReader(f):
            knows_self = "self_ns" in r
            threads[r["thread"]].append(Span(r["rank"], r["thread"], r["name"], int(r["begin_ns"]), int(r["end_ns"]),
                                             int(r["depth"]), int(r["self_ns"]) if knows_self else None))
    for spans in threads.values():
        if not knows_self:
            nest(spans)
    return [s for spans in threads.values() for s in spans], not knows_self


# -- rows -------------------------------------------------------------------------------------------------------

def sides(name, a, b):
    for side in (a, b):
        yield {"count": len(side), "self": sum(s.self_time for s in side),
               "total": sum(s.length for s in side if not s.is_nested),
               "mean": Fraction(sum(s.length for s in side), len(side)) if side else None}


def percent(a, b):
    return None if a is None or b is None or a == 0 else (b - a) / Fraction(a) * 100


def expected(name, a, b, knows_total):
    before, after = sides(name, a, b)
    squares = [sum(s.length**2 for s in side) for side in (a, b)]
    row = {"state": "gone" if not b else "new" if not a else
           "same" if before == after and squares[0] == squares[1] else "changed"}
    for what in before:
        if what == "total" and not knows_total:
            continue
        x, y = before[what], after[what]
        row[f"{what}_a"], row[f"{what}_b"] = x, y
        row[f"{what}_change"] = None if x is None or y is None else y - x
        row[f"{what}_change_percent"] = percent(x, y)
    row["p"] = welch([s.length for s in a], [s.length for s in b])
    row["significant"] = "unknown" if row["p"] is None else "yes" if row["p"] < 0.01 else "no"
    return row


def is_near(key, said, wanted):
    if wanted is None or isinstance(wanted, str):
        return said == (wanted or "")
    if isinstance(wanted, int):
        return int(said) == wanted
    slack = max(1e-9 * abs(float(wanted)), 1e-12)
    return said != "" and abs(float(said) - float(wanted)) <= slack


def judge(output, paths, per_rank):
    (a, knows_a), (b, knows_b) = (load(path) for path in paths)
    if per_rank:
        both = {s.rank for s in a} & {s.rank for s in b}
        a, b = ([s for s in side if s.rank in both] for side in (a, b))
    groups = defaultdict(lambda: ([], []))
    for i, side in enumerate((a, b)):
        for s in side:
            groups[(s.rank, s.name) if per_rank else s.name][i].append(s)
    with open(output, newline="", encoding="utf-8") as f:
        said = {(r["rank"], r["name"]) if per_rank else r["name"]: {k.removesuffix("_ns"): v for k, v in r.items()}
                for r in csv.DictReader(f)}
    assert said.keys() == groups.keys(), (sorted(said.keys() - groups.keys()), sorted(groups.keys() - said.keys()))
    wrong = 0
    for name, (xs, ys) in groups.items():
        for key, wanted in expected(name, xs, ys, knows_a and knows_b).items():
            if not is_near(key, said[name][key], wanted):
                wrong += 1
                print(f"# {name}: {key} is {said[name][key]!r}, not {wanted!r}")
    print(f"{len(groups)} rows")
    return 1 if wrong else 0


def self_test():
    # t^2 = (2 - 5)^2 / (1/3 + 1/3) = 13.5 with 4 degrees: p = 1 - s(3 - s^2)/2 with s = t / sqrt(t^2 + 4).
    s = math.sqrt(13.5 / 17.5)
    assert abs(welch([1, 2, 3], [4, 5, 6]) - (1 - s * (3 - s * s) / 2)) < 1e-15
    for p in (student_p, lambda t2, v: incomplete_beta(v / 2, 0.5, v / (v + t2), t2 / (v + t2))):
        assert abs(p(1.0, 1.0) - 0.5) < 1e-15 and p(0.0, 7.0) == 1.0
        assert abs(p(2.0, 2.0) - (1 - math.sqrt(0.5))) < 1e-15
    assert welch([1], [1, 2]) is None and welch([3, 3], [3, 3]) == 1.0 and welch([3, 3], [4, 4]) == 0.0
    spans = [Span("", "", n, b, e, d) for n, b, e, d in (("f", 0, 10, 0), ("f", 2, 8, 1), ("g", 3, 5, 2), ("f", 8, 8, 1))]
    nest(spans)
    assert [(s.self_time, s.is_nested) for s in spans] == [(4, False), (4, True), (2, False), (0, True)]
    row = expected("f", [spans[0], spans[1]], [], True)
    assert row["state"] == "gone" and (row["total_a"], row["self_a"], row["mean_a"], row["total_b"]) == (10, 8, 8, 0)
    print("compare: ok")
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(self_test() if arguments == ["--self-test"] else judge(arguments[0], arguments[1:3], "--per" in arguments))

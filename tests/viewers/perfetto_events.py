# SPDX-License-Identifier: Apache-2.0
"""How Perfetto's trace processor reads the events of a Chrome JSON trace, and in which order it takes them: the first
half of the model in perfetto_json.py.
"""
import gzip
import json
import math
import re

from view import Pairs, ViewerError

INT64_MAX = 2**63 - 1
SURROGATE = re.compile(rb"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]")
HEXADECIMAL = re.compile(r"[ \t\n\v\f\r]*([+-]?)(?:0[xX])?([0-9a-fA-F]+)\Z")


def int64(number):
    return (number + 2**63) % 2**64 - 2**63


def decimal(text):
    """A JSON number with a fraction or exponent: the digits after the point are an integer that is divided once."""
    sign, whole, digits, exponent = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?", text).groups()
    value = float(int64(int(whole)))
    if digits:
        value += float(int64(int(digits))) / float(10 ** len(digits) % 2**64)
    if exponent:
        value *= 10.0 ** int(exponent)
    return -value if sign else value


def integer(text):
    return int(text) if -(2**63) <= int(text) <= INT64_MAX else decimal(text)


def read_events(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        text = file.read()
    if SURROGATE.search(text):
        raise ViewerError("a pair of \\u escapes for one character: the parser refuses it")
    try:
        document = json.loads(text, object_pairs_hook=Pairs, parse_float=decimal, parse_int=integer)
    except (ValueError, ArithmeticError) as error:
        raise ViewerError(f"no JSON: {error}") from error
    if isinstance(document, Pairs):
        document = [event for key, value in document if key == "traceEvents" for event in value]
    if not isinstance(document, list):
        raise ViewerError("neither an object nor an array")
    return document


def nanoseconds(value):
    """Microseconds, a number or a string of one; None if it is neither."""
    if isinstance(value, str):
        try:
            value = integer(value) if re.fullmatch(r"-?\d+", value) else decimal(value)
        except AttributeError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, int) or value == math.trunc(value):
        return int64(int(value) * 1000)
    scaled = value * 1000.0
    return int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))


def text_of(value):
    """A text; nothing and the empty text are the same to the importer."""
    return value if isinstance(value, str) and value else None


def flow_number(value):
    """The id of a flow: an integer, or the whole of a text read as hexadecimal, at most 2^64 - 1."""
    if isinstance(value, str):
        match = HEXADECIMAL.match(value)
        if not match:
            return None
        number = min(int(match[2], 16), 2**64 - 1)
        return -number % 2**64 if match[1] == "-" else number
    return value % 2**64 if isinstance(value, int) and not isinstance(value, bool) else None


class Sorter:
    """Orders events as the sorter does: by time, and once a complete event was seen, at one time ends first, then
    complete events from the longest to the shortest, then all others, each in the order of the file. What came in order
    before anything was out of order stays as it is."""

    def __init__(self):
        self.events = []  # (ts, key, event)
        self.slow = False
        self.newest = 0
        self.first_odd = None
        self.oldest_odd = None

    def add(self, ts, event):
        self.slow = self.slow or event.phase == "X"
        key = {"E": -INT64_MAX, "X": INT64_MAX - event.dur}.get(event.phase, INT64_MAX)
        self.events.append((ts, key, event))
        if ts > self.newest or (ts == self.newest and not self.slow):
            self.newest = ts
        elif not self.first_odd:
            self.first_odd, self.oldest_odd = len(self.events) - 1, ts
        else:
            self.oldest_odd = min(self.oldest_odd, ts)

    def ordered(self):
        if not self.first_odd:
            return self.events
        begin = next((i for i in range(self.first_odd) if self.events[i][0] >= self.oldest_odd), self.first_odd)
        rest = sorted(self.events[begin:], key=lambda entry: entry[:2] if self.slow else entry[0])
        return self.events[:begin] + rest


class Event:
    """The members of an event that the importer reads, as it reads them."""

    def __init__(self, pairs, intern):
        known = dict(pairs)
        self.phase = (text_of(known.get("ph")) or "")[:1]
        self.ts = nanoseconds(known["ts"]) if "ts" in known else None
        self.dur = nanoseconds(known["dur"]) if "dur" in known else INT64_MAX
        self.valid = self.dur is not None
        self.pid_name, self.pid = self.number(known.get("pid"), intern)
        self.tid_name, self.tid = self.number(known.get("tid"), intern)
        self.has_pid, self.has_tid = self.pid is not None, self.tid is not None
        self.pid, self.tid = self.pid or 0, self.tid or 0
        if self.tid == 0 and self.pid != 0:
            self.tid = self.pid
        self.name, self.category = text_of(known.get("name")), text_of(known.get("cat"))
        self.id, self.bind_id = known.get("id"), known.get("bind_id")
        self.flow_in, self.flow_out = known.get("flow_in") is True, known.get("flow_out") is True
        self.scope = known.get("s", "t") if isinstance(known.get("s", "t"), str) else "t"
        self.binds_enclosing = known.get("bp") == "e"
        self.args = known.get("args") if isinstance(known.get("args"), Pairs) else None
        self.cookie = self.find_cookie(known.get("id2"))

    @staticmethod
    def number(value, intern):
        """(text, number) of a pid or tid: a text gets the number of its place in the table of texts."""
        if isinstance(value, str):
            return value, intern(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None, None
        return None, int(value) if 0 <= int(value) < 2**32 else 0

    def find_cookie(self, id2):
        """What the slices of one asynchronous track have in common: (is of the process, category, id)."""
        ids = dict(id2) if isinstance(id2, Pairs) else {}
        for local, value in ((False, self.id), (False, ids.get("global")), (True, ids.get("local"))):
            if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
                return local, self.category, value
        return None

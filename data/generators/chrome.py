#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the example traces of plain trace-event JSON: chrome.py DIRECTORY

    every-kind.json  an imaginary renderer: each kind of event, metadata at both ends, members beside the events
    stacks.json      stack frames, events that name them, samples beside the events
    span-extras.json flows that spans name (bind_id), and the clock of their thread (tts, tdur)
    odd/*.json       one thing each that real files do and the format does not know; docs/formats.md says what becomes of it
"""
import os
import sys

EVERY_KIND = r"""{"displayTimeUnit": "ms", "otherData": {"version": "7 \"beta\"", "machine": "imaginary"}, "traceEvents": [
{"name": "process_name", "ph": "M", "pid": 10, "tid": 1, "args": {"name": "Browser"}},
{"name": "thread_name", "ph": "M", "pid": 10, "tid": 1, "args": {"name": "Main \u00b5"}},
{"name": "thread_sort_index", "ph": "M", "pid": 10, "tid": 1, "args": {"sort_index": -1}},
{"name": "num_cpus", "ph": "M", "pid": 10, "tid": 0, "args": {"number": 8}},
{"name": "frame", "cat": "gpu,cc", "ph": "X", "ts": 100.125, "dur": 900, "tdur": 450.5, "pid": 10, "tid": 1, "args": {"id": 1}},
{"name": "layout", "cat": "blink", "ph": "X", "ts": 150, "dur": 100.001, "pid": 10, "tid": 1, "args": {}},
{"name": "paint", "cat": "blink", "ph": "B", "ts": 300, "pid": 10, "tid": 1, "args": {"layers": [1, {"deep": null}]}},
{"name": "raster", "cat": "cc", "ph": "B", "ts": 310, "pid": 10, "tid": 1},
{"ph": "E", "ts": 350, "pid": 10, "tid": 1, "args": {"tiles": 4}},
{"name": "paint", "ph": "E", "ts": 400, "pid": 10, "tid": 1, "args": {"layers": 2}},
{"name": "click", "cat": "input", "ph": "i", "s": "t", "ts": 410, "pid": 10, "tid": 1, "args": {"x": 3}},
{"name": "navigation", "ph": "I", "s": "p", "ts": 420, "pid": 10},
{"name": "vsync", "ph": "i", "s": "g", "ts": 430, "pid": 10, "tid": 2},
{"name": "firstPaint", "cat": "blink", "ph": "R", "ts": 440, "pid": 10, "tid": 1},
{"name": "memory", "ph": "C", "ts": 100, "pid": 10, "args": {"heap": 1048576, "gpu": 0.5}},
{"name": "memory", "ph": "C", "ts": 500, "pid": 10, "args": {"heap": 9007199254740993, "gpu": -1e-3}},
{"name": "fps", "ph": "C", "ts": 500, "pid": 10, "id": "left", "args": {"value": 60}},
{"name": "load", "cat": "net", "ph": "b", "id": "0x1f", "ts": 200, "pid": 10, "tid": 3, "args": {"url": "a\/b"}},
{"name": "dns", "cat": "net", "ph": "b", "id": "0x1f", "ts": 210, "pid": 10, "tid": 3},
{"name": "redirect", "cat": "net", "ph": "n", "id": "0x1f", "ts": 220, "pid": 10, "tid": 3},
{"name": "dns", "cat": "net", "ph": "e", "id": "0x1f", "ts": 250, "pid": 10, "tid": 3},
{"name": "load", "cat": "net", "ph": "e", "id": "0x1f", "ts": 600, "pid": 10, "tid": 4, "args": {"status": 200}},
{"name": "io", "cat": "disk", "ph": "b", "id2": {"local": "7"}, "ts": 700, "pid": 10, "tid": 3},
{"name": "io", "cat": "disk", "ph": "b", "id2": {"local": "7"}, "ts": 701, "pid": 11, "tid": 3},
{"name": "io", "cat": "disk", "ph": "e", "id2": {"local": "7"}, "ts": 710, "pid": 10, "tid": 3},
{"name": "io", "cat": "disk", "ph": "e", "id2": {"local": "7"}, "ts": 720, "pid": 11, "tid": 3},
{"name": "old", "cat": "net", "ph": "S", "id": 5, "ts": 800, "pid": 11, "tid": 1},
{"name": "old", "cat": "net", "ph": "T", "id": 5, "ts": 805, "pid": 11, "tid": 1, "args": {"step": "half"}},
{"name": "old", "cat": "net", "ph": "F", "id": 5, "ts": 810, "pid": 11, "tid": 1},
{"name": "post", "cat": "ipc", "ph": "s", "id": 18446744073709551615, "ts": 160, "pid": 10, "tid": 1},
{"name": "post", "cat": "ipc", "ph": "t", "id": 18446744073709551615, "ts": 905, "pid": 11, "tid": 1},
{"name": "post", "cat": "ipc", "ph": "f", "id": 18446744073709551615, "ts": 940, "pid": 11, "tid": "worker"},
{"name": "task", "cat": "ipc", "ph": "X", "ts": 900, "dur": 20, "pid": 11, "tid": 1},
{"name": "task", "cat": "ipc", "ph": "X", "ts": "950.5", "dur": "9.5", "pid": 11, "tid": "worker"},
{"name": "tie", "cat": "ipc", "ph": "s", "id": 2, "ts": 901, "pid": 11, "tid": 1},
{"name": "tie", "cat": "ipc", "ph": "f", "bp": "e", "id": 2, "ts": 955, "pid": 11, "tid": "worker"},
{"name": "big", "ph": "X", "ts": 1000, "dur": 1, "pid": 18446744073709551614, "tid": 9223372036854775809},
{"name": "Document", "ph": "N", "id": "0x9", "ts": 50, "pid": 10, "tid": 1},
{"name": "Document", "ph": "O", "id": "0x9", "ts": 60, "pid": 10, "tid": 1, "args": {"snapshot": {}}},
{"name": "Document", "ph": "D", "id": "0x9", "ts": 70, "pid": 10, "tid": 1},
{"name": "dumping", "ph": "V", "ts": 80, "pid": 10, "tid": 1},
{"name": "periodic_interval", "ph": "v", "id": "a", "ts": 90, "pid": 10, "args": {"dumps": {}}},
{"name": "clock_sync", "ph": "c", "ts": 95, "pid": 10, "tid": 1, "args": {"sync_id": "s"}},
{"name": "process_name", "ph": "M", "pid": 11, "args": {"name": "Renderer"}},
{"name": "process_labels", "ph": "M", "pid": 11, "args": {"labels": "tab 1"}}
], "stackFrames": {"1": {"category": "c", "name": "main"}}}
"""

STACKS = r"""{"traceEvents": [
{"name": "thread_name", "ph": "M", "pid": 10, "tid": 1, "args": {"name": "main"}},
{"name": "outer", "ph": "X", "ts": 10, "dur": 80, "pid": 10, "tid": 1, "sf": 7, "esf": "8", "args": {"k": 1}},
{"name": "listed", "ph": "X", "ts": 12, "dur": 3, "pid": 10, "tid": 1, "stack": ["0x1", "0x2"]},
{"name": "inner", "ph": "B", "ts": 20, "pid": 10, "tid": 1, "sf": 8},
{"name": "inner", "ph": "E", "ts": 40, "pid": 10, "tid": 1, "sf": 7},
{"name": "sampled", "ph": "P", "ts": 30, "pid": 10, "tid": 1, "sf": 9},
{"name": "no frame", "ph": "P", "ts": 35, "pid": 10, "tid": 1, "sf": 99},
{"name": "marked", "ph": "i", "ts": 50, "pid": 10, "tid": 1, "s": "t", "sf": "8"}],
"samples": [
{"cpu": 0, "tid": 1, "ts": 60.5, "name": "cycles:HG", "sf": 9, "weight": 1},
{"cpu": 1, "tid": 2, "ts": 61, "name": "cycles:HG", "sf": 11, "weight": 2}],
"stackFrames": {
"7": {"name": "main", "category": "app"},
"8": {"name": "run \"it\"", "parent": 7},
"9": {"name": "leaf", "parent": "8"},
"11": {"name": "loop", "parent": 12}, "12": {"name": "back", "parent": 11}}}
"""

SPAN_EXTRAS = r"""{"traceEvents": [
{"name": "produce", "cat": "task", "ph": "X", "ts": 0, "dur": 10, "tts": 100, "tdur": 6, "bind_id": "0x1", "flow_out": true, "pid": 1, "tid": 1},
{"name": "inside", "ph": "X", "ts": 2, "dur": 3, "tdur": 2.25, "pid": 1, "tid": 1},
{"name": "first", "cat": "task", "ph": "X", "ts": 20, "dur": 10, "bind_id": "0x1", "flow_in": true, "pid": 1, "tid": 2},
{"name": "outer", "ph": "X", "ts": 30, "dur": 20, "tdur": 9, "pid": 1, "tid": 3},
{"name": "relay", "cat": "task", "ph": "X", "ts": 30, "dur": 10, "bind_id": "0x1", "flow_in": true, "flow_out": true, "pid": 1, "tid": 3},
{"name": "inner", "ph": "X", "ts": 30, "dur": 5, "tdur": 4, "pid": 1, "tid": 3},
{"name": "last", "cat": "task", "ph": "X", "ts": 50, "dur": 10, "bind_id": "0x1", "flow_in": true, "flow_out": false, "pid": 1, "tid": 1},
{"name": "begun", "ph": "B", "ts": 60, "tts": 5, "pid": 1, "tid": 4},
{"name": "nested", "ph": "B", "ts": 61, "tts": 5.5, "bind_id": 7, "flow_out": true, "pid": 1, "tid": 4},
{"ph": "E", "ts": 70, "tts": 9.25, "pid": 1, "tid": 4},
{"ph": "E", "ts": 80, "tts": 12, "pid": 1, "tid": 4},
{"name": "half known", "ph": "B", "ts": 81, "tts": 13, "pid": 1, "tid": 4},
{"ph": "E", "ts": 82, "pid": 1, "tid": 4},
{"name": "seven", "ph": "X", "ts": 90, "dur": 1, "bind_id": 7, "flow_in": true, "pid": 1, "tid": 1},
{"name": "no way", "ph": "X", "ts": 95, "dur": 1, "bind_id": 7, "pid": 1, "tid": 1}
]}
"""

SIMPLE = [
    '{"name":"alpha","ph":"B","ts":0,"pid":1,"tid":1}',
    '{"name":"beta","ph":"X","ts":1,"dur":5,"pid":1,"tid":1,"args":{"detail":"foobar"}}',
    '{"name":"alpha","ph":"E","ts":14,"pid":1,"tid":1}',
]


def whole(*events):
    return "[\n" + ",\n".join(events) + "\n]\n"


def span(name, ts, dur, rest=""):
    return f'{{"name":"{name}","ph":"X","ts":{ts},"dur":{dur},"pid":1,"tid":1{rest}}}'


def begin(name, ts, ph="B"):
    return f'{{"name":"{name}","ph":"{ph}","ts":{ts},"pid":1,"tid":1}}'


ODD = {
    "open-array": "[\n" + ",\n".join(SIMPLE) + "\n",
    "open-array-comma": "[\n" + ",\n".join(SIMPLE) + ",\n",
    "open-object": '{"traceEvents":[' + ",".join(SIMPLE),
    "cut-event": "[\n" + ",\n".join(SIMPLE) + ',\n{"name":"gamma","ph":"X","ts":20,"dur":3,"pi',
    "no-commas": "[\n" + "\n".join(SIMPLE) + "\n]\n",
    "empty-elements": whole("{}", *SIMPLE, '3, "text", null, [1]', '{"name":"no ph"}', "{}"),
    "control-characters": whole(span("tab\there", 0, 1), span("bell\a", 2, 1)),
    "odd-numbers": whole(
        span("plus", "+1", ".5"), span("nan", "NaN", 1), span("no end", 5, "Infinity"), span("null", "null", 1)
    ),
    "texts": whole(
        '{"name":"text","ph":"X","ts":"1.5","dur":"2","pid":"p","tid":"t"}',
        '{"name":7,"ph":"X","ts":5,"dur":1,"pid":1.5,"tid":true}',
        '{"ph":"X","ts":7,"dur":1,"pid":null,"tid":{"a":1}}',
    ),
    "no-duration": whole('{"name":"open","ph":"X","ts":1,"pid":1,"tid":1}', span("thread", 2, "null", ',"tdur":4')),
    "end-before-start": whole(span("back", 10, -4)),
    "fine-times": whole(span("fine", "1.00049", "2.0005")),
    "crossing": whole(span("a", 0, 10), span("b", 5, 10), begin("c", 20), begin("d", 21), begin("c", 25, "E"),
                      begin("d", 30, "E")),
    "unmatched": whole(begin("never ended", 0), begin("never begun", 5, "E"), '{"ph":"E","ts":6,"pid":1,"tid":1}',
                       '{"ph":"E","ts":7,"pid":1,"tid":1}', begin("open", 8), begin("last", 9, "i")),
    "out-of-order": whole(begin("a", 9, "E"), span("b", 4, 2), begin("a", 1), span("c", 0, 20)),
    "duplicate-keys": whole('{"name":"first","name":"last","ph":"X","ts":1,"ts":2,"dur":3,"pid":1,"tid":1}'),
    "escaped-keys": r'''{"\u0074raceEvents":[{"\u0070h":"X","na\u006de":"f","pid":1,"tid":1,"ts":1,"dur":2},
{"name":"c","ph":"C","ts":2,"pid":1,"args":{"v":3,"\u0076":4}}]}
''',
    "counter-twice": whole('{"name":"c","ph":"C","ts":1,"pid":1,"args":{"value":1,"value":2}}'),
    "odd-clock": whole(span("word", 0, 1, ',"tdur":"soon"'), span("back", 1, 1, ',"tdur":-1'),
                       span("none", 2, 1, ',"tdur":null,"bind_id":null,"flow_in":1')),
    "unknown-phase": whole(begin("what", 1, "Z"), begin("longer", 2, "XX"), span("fine", 3, 1)),
    "surrogates": whole(span(r"\ud83d\ude00 \ud83d \/ \u0000", 0, 1)),
    "odd-args": whole(span("list", 0, 1, ',"args":[1,2]'), span("text", 1, 1, ',"args":"word"'),
                      span("null", 2, 1, ',"args":null'), span("mended", 3, 1, ',"args":{"a":NaN,"b":"tab\there","c":01,}')),
    "odd-counters": whole('{"name":"c","ph":"C","ts":1,"pid":1,"args":{"a":1,"b":"2.5","c":"word","d":null,"e":true}}',
                          '{"name":"c","ph":"C","ts":2,"pid":1}'),
    "no-ids": whole(begin("a", 1, "b"), begin("a", 2, "e"), begin("f", 1, "s")),
    "trailing-bytes": whole(*SIMPLE) + "]]\n",
    "marks": "\ufeff" + whole(*SIMPLE),
    "twice": '{"traceEvents":[' + SIMPLE[1] + '],"traceEvents":[' + SIMPLE[1] + "]}",
    "no-events": '{"displayTimeUnit":"ms","traceEvents":null}',
}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


directory = sys.argv[1]
write(os.path.join(directory, "every-kind.json"), EVERY_KIND)
write(os.path.join(directory, "span-extras.json"), SPAN_EXTRAS)
write(os.path.join(directory, "stacks.json"), STACKS)
for name, contents in ODD.items():
    write(os.path.join(directory, "odd", name + ".json"), contents)

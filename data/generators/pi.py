#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes data/pi-*: one small SYCL run as each generation of recorders would have written it.

  pi.py OUTPUT-DIRECTORY

pi-run is what the last recorder writes, pi-g1 and pi-g2 are its forerunners, pi-doc is the layout of the description.
A program asks for a platform and a device, builds a program with the kernels saxpy and scale, and lets a second thread
run them; a buffer of no size fails, a query is refused, and the last call of the second thread in pi-g1 never returns.
Parameters come from pi-api.tsv.
"""
import csv
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
GROW = ("piPlatformGetInfo", "piDeviceGetInfo", "piContextGetInfo", "piKernelGetInfo", "piKernelGetGroupInfo")
PLAIN = GROW + ("piPlatformsGet", "piDevicesGet", "piextDeviceSelectBinary", "piProgramBuild", "piKernelCreate",
                "piEnqueueMemBufferMap", "piEnqueueMemBufferRead", "piextUSMEnqueueMemcpy")
FUNCTIONS = 104


def read_api():
    api = {}
    with open(os.path.join(HERE, "..", "pi-api.tsv"), encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            if row["id"].isdigit():
                api.setdefault(row["name"], (int(row["id"]), []))[1].append(row)
    return api


API = read_api()


class Text:
    """An address and what is there."""

    def __init__(self, address, text):
        self.address, self.text = address, text.encode()


# -- the run -----------------------------------------------------------------------------------------------

class Call:
    def __init__(self, thread, start, us, name, arguments, result=0, outputs=(), contents=None):
        self.thread, self.start, self.end, self.name = thread, start, start + us, name
        self.arguments, self.result, self.outputs, self.contents = arguments, result, list(outputs), contents


class Run:
    def __init__(self):
        self.calls = []
        self.clock = {}

    def call(self, thread, us, name, *arguments, **more):
        start = self.clock.get(thread, 0) + 2
        self.clock[thread] = start + us
        self.calls.append(Call(thread, start, us, name, arguments, **more))

    def ask(self, thread, name, handle, what, answer, before=()):
        size = struct.pack("<Q", len(answer))
        self.call(thread, 1, name, handle, *before, what, 0, 0, 0x7ffc00000110, outputs=[size])
        self.call(thread, 1, name, handle, *before, what, len(answer), 0x7ffc00000200, 0, outputs=[answer])


def make_run():
    run, main, worker = Run(), "main", "main_0"
    platform, device, context, queue = 0x5600000010, 0x5600000020, 0x5600000100, 0x5600000140
    memory, program, kernels = (0x5600000200, 0x5600000240), 0x5600000300, (0x5600000400, 0x5600000440)
    count = struct.pack("<I", 1)
    run.call(main, 812, "piPlatformsGet", 0, 0, 0x7ffc00000100, outputs=[count])
    run.call(main, 1, "piPlatformsGet", 1, 0x7ffc00000300, 0)
    run.ask(main, "piPlatformGetInfo", platform, 0x902, b"Example OpenCL\0")
    run.call(main, 35, "piDevicesGet", platform, 4, 0, 0, 0x7ffc00000100, outputs=[count])
    run.call(main, 1, "piDevicesGet", platform, 4, 1, 0x7ffc00000310, 0)
    run.ask(main, "piDeviceGetInfo", device, 0x102b, b"Example GPU \xc2\xb5\0")
    run.call(main, 1, "piDeviceGetInfo", device, 0x1002, 4, 0x7ffc00000120, 0, outputs=[struct.pack("<I", 96)])
    run.call(main, 1, "piDeviceGetInfo", device, 0x10020, 64, 0x7ffc00000120, 0, result=-30, outputs=[bytes(64)])
    run.call(main, 120, "piContextCreate", 0, 1, 0x7ffc00000310, 0, 0, 0x7ffc00000130)
    run.call(main, 61, "piQueueCreate", context, device, 2, 0x7ffc00000138)
    for i in range(2):
        run.call(main, 7, "piMemBufferCreate", context, 1 + 8 * i, 4096, 0x560000a000 * i, 0x7ffc00000140 + 8 * i, 0)
    run.call(main, 9, "piextDeviceSelectBinary", device, 0x7ffc00000400, 2, 0x7ffc00000150,
             outputs=[struct.pack("<II", 1, 0x7ffc)])
    run.call(main, 88, "piProgramCreate", context, 0x7f0000000000, 640, 0x7ffc00000158)
    run.call(main, 150400, "piProgramBuild", program, 1, 0x7ffc00000310, Text(0x7f0000001000, "-cl-fast-relaxed-math"), 0, 0)
    for i, name in enumerate(("_ZTSZ4mainE5saxpy", "_ZTSZ4mainE5scale")):
        run.call(main, 12, "piKernelCreate", program, Text(0x7f0000002000 + 64 * i, name), 0x7ffc00000160 + 8 * i)
        run.ask(main, "piKernelGetInfo", kernels[i], 0x1190, name.encode() + b"\0")
    run.clock[worker] = run.clock[main]
    for i in range(6):
        event = 0x5600001000 + 64 * i
        run.call(worker, 14 + i, "piEnqueueKernelLaunch", queue, kernels[i % 2], 1, 0x7ffb00000100, 0x7ffb00000118, 0,
                 int(i > 0), 0x7ffb00000130 if i else 0, 0x7ffb00000140)
        run.call(worker, 90 + 3 * i, "piEventsWait", 1, 0x7ffb00000140)
        run.call(worker, 1, "piEventRelease", event)
        run.call(main, 2, "piextKernelSetArgMemObj", kernels[i % 2], i // 2 % 2, 0x7ffc00000140)
    run.call(main, 3, "piMemBufferCreate", context, 1, 0, 0, 0x7ffc00000150, 0, result=-61)
    run.call(main, 41, "piEnqueueMemBufferRead", queue, memory[0], 1, 0, 16, 0x5600009000, 0, 0, 0x7ffc00000170,
             contents=bytes(range(16)))
    run.call(worker, 33, "piQueueFinish", queue)
    run.clock[main] = max(run.clock.values())
    for name, handles in (("piMemRelease", memory), ("piKernelRelease", kernels), ("piProgramRelease", [program]),
                          ("piQueueRelease", [queue]), ("piContextRelease", [context])):
        for handle in handles:
            run.call(main, 2, name, handle)
    run.call(main, 190, "piTearDown", 0)
    return run.calls


# -- protobuf --------------------------------------------------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = []
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + [value])


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def is_pointer(kind):
    return kind.endswith("*") or kind.startswith("function") or kind[3:] in (
        "platform", "device", "context", "queue", "mem", "program", "kernel", "event", "sampler")


def protobuf_call(call, buffers):
    function, parameters = API[call.name]
    body = number(1, function) + number(2, call.start) + number(3, call.end) + number(4, call.result & 0xffffffff)
    for parameter, value in zip(parameters, call.arguments):
        tag = 4 if is_pointer(parameter["arg_type"]) else 1 if parameter["arg_size"] == "8" else 0
        value = value.address if isinstance(value, Text) else value
        body += text(5, number(1, tag) + varint(2 << 3) + varint(value))
    for output in call.outputs:
        body += text(7, output)
    if call.contents is not None:
        name = f"{call.thread}_{len(buffers)}.mem"
        buffers[name] = struct.pack("<Q", len(call.contents)) + call.contents
        body += text(9, name.encode())
    return struct.pack("<I", len(body)) + body


# -- raw ---------------------------------------------------------------------------------------------------------

def raw_call(call, layout):
    function, parameters = API[call.name]
    packed = b""
    for parameter, value in zip(parameters, call.arguments):
        if isinstance(value, Text):
            packed += value.text + (b"\0" if layout == "doc" else b"\n")
        else:
            packed += value.to_bytes(int(parameter["arg_size"]), "little")
    if layout != "doc" and call.name not in PLAIN:
        packed = bytes(8 * FUNCTIONS + (32 if layout == "g1" else 24)) + packed
    outputs = call.outputs + ([call.contents] if call.contents is not None else [])
    told = 1 if layout != "doc" and call.name in GROW else len(outputs)
    head = struct.pack("<I", function) + (b"" if layout == "g2" else b"\1")
    record = head + struct.pack("<QQQQQ", call.start, call.end, 0, told, len(packed)) + packed
    for output in outputs:
        record += struct.pack("<Q", len(output)) + output
    return record + struct.pack("<i", call.result)


# -- what lies beside -----------------------------------------------------------------------------------------------

def descriptor(layout):
    names, target, options = ("_ZTSZ4mainE5saxpy", "_ZTSZ4mainE5scale"), "spir64_gen", "-O2"
    if layout == "g3":
        body = number(1, 2) + number(2, 4) + number(3, 2) + text(4, target.encode()) + text(5, options.encode())
        for name in names:
            body += text(7, text(2, name.encode()))
        body += text(8, text(1, b"SYCL/misc") + text(2, text(1, b"optLevel") + number(2, 1)) +
                     text(2, text(1, b"note") + number(2, 3) + text(3, b"made up")))
        return struct.pack("<Q", len(body)) + body
    raw = lambda one: struct.pack("<Q", len(one) + 1) + one.encode() + b"\0"
    body = struct.pack("<HBB", 2, 4, 2) + raw(target) + raw(options) + raw("") + struct.pack("<Q", len(names))
    for name in names:
        body += struct.pack("<Q", 0) + raw(name) + struct.pack("<Q", 0)
    body += struct.pack("<Q", 1) + raw("SYCL/misc") + struct.pack("<Q", 2)
    return body + raw("optLevel") + struct.pack("<QIQ", 0, 1, 2) + raw("note") + struct.pack("<QIQ", 0x5600000000, 3, 7)


NODES = ((1, "allocation", {"allocation_type": "buffer", "memory_object": "1", "sycl_device": "0"}),
         (2, "saxpy", {"kernel_name": "saxpy", "sycl_device": "1", "sycl_device_name": "Example GPU"}),
         (3, "scale", {"kernel_name": "scale", "sycl_device": "1", "sycl_device_name": "Example GPU"}),
         (4, "copy", {"copy_from": "1", "copy_to": "0"}))
EDGES = ((11, 1, 2, "1025"), (12, 2, 3, "1026"), (13, 3, 4, "1024"))


def graph(layout):
    if layout != "g3":
        items = [dict({"name": name, "id": one, "kind": "node"}, **more) for one, name, more in NODES]
        items += [{"name": "edge", "id": one, "kind": "edge", "source": source, "target": target, "access_mode": mode}
                  for one, source, target, mode in EDGES]
        return "graph.json", (json.dumps(items, indent=2) + "\n").encode()
    out = b""
    for one, _, more in NODES:
        body = number(2, one) + number(3, 1000 + one) + number(4, 2000 + 100 * one) + number(5, 2050 + 100 * one)
        for key, value in more.items():
            body += text(8, text(1, key.encode()) + text(2, value.encode()))
        out += struct.pack("<I", len(body)) + body
    for one, source, target, mode in EDGES:
        body = number(1, 1) + number(2, one) + number(3, 1010 + one) + number(6, source) + number(7, target)
        body += text(8, text(1, b"access_mode") + text(2, mode.encode()))
        out += struct.pack("<I", len(body)) + body
    return "sycl.graph_trace", out


def write(directory, layout):
    calls, buffers, threads = make_run(), {}, {}
    os.makedirs(os.path.join(directory, "buffers") if layout == "g3" else directory)
    for call in calls:
        record = protobuf_call(call, buffers) if layout == "g3" else raw_call(call, layout)
        threads[call.thread] = threads.get(call.thread, b"") + record
    if layout == "g1":
        threads["main_0"] += struct.pack("<IBQ", API["piQueueFinish"][0], 1, calls[-1].start)
    config = {"arguments": ["--size", "4096", "two words"], "command": "./saxpy", "executable": "/opt/example/saxpy",
              "hasCUDAPlugin": False, "hasLevelZeroPlugin": False, "hasOpenCLPlugin": True, "hasROCmPlugin": False,
              "recordMode": "default"}
    name, bytes_of_graph = graph(layout)
    files = {"env": b"HOME=/home/user\nSYCL_DEVICE_FILTER=opencl\n", "0.desc": descriptor(layout), name: bytes_of_graph,
             "0_spir64_gen.spv": struct.pack("<IIIII", 0x07230203, 0x00010200, 0, 8, 0),
             "replay_config.json": json.dumps(config, indent=4, sort_keys=True).encode(),
             "files_config.json": json.dumps(["/etc/ld.so.cache", "/opt/example/data.bin"], indent=4).encode()}
    files.update({"buffers/" + key: value for key, value in buffers.items()})
    files.update({key + (".pi_trace" if layout == "g3" else ".trace"): value for key, value in threads.items()})
    for key, value in files.items():
        with open(os.path.join(directory, key), "wb") as file:
            file.write(value)


for trace, generation in (("pi-run", "g3"), ("pi-g1", "g1"), ("pi-g2", "g2"), ("pi-doc", "doc")):
    write(os.path.join(sys.argv[1], trace), generation)

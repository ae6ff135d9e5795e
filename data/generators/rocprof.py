#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small examples of rocprofv3's JSON: rocprof.py OUTPUT-DIRECTORY. The same bytes every time.

Members, their order and their numbers are those of rocprofiler-sdk (source/lib/output/generateJSON.cpp and
source/include/rocprofiler-sdk/cxx/serialization; ROCm 6.2: source/lib/rocprofiler-sdk-tool/generateJSON.cpp):

  transpose.json  ROCm 7, --hsa-trace --kernel-trace --memory-copy-trace --marker-trace of a program with one kernel
  train.json      ROCm 7, --sys-trace: two GPUs, streams, a graph, RCCL, allocations, ranges that name kernels
  rocm62.json     ROCm 6.2, --hip-trace --kernel-trace --memory-copy-trace --marker-trace
  counters.json   ROCm 7, --pmc: dispatches with counters, and no others
"""
import json
import os
import sys

START = 682678344984459  # ns since the machine was started
PID = 4711

KINDS_7 = ["NONE", "HSA_CORE_API", "HSA_AMD_EXT_API", "HSA_IMAGE_EXT_API", "HSA_FINALIZE_EXT_API", "HIP_RUNTIME_API",
           "HIP_COMPILER_API", "MARKER_CORE_API", "MARKER_CONTROL_API", "MARKER_NAME_API", "MEMORY_COPY",
           "KERNEL_DISPATCH", "SCRATCH_MEMORY", "CORRELATION_ID_RETIREMENT", "RCCL_API", "OMPT", "MEMORY_ALLOCATION",
           "RUNTIME_INITIALIZATION", "ROCDECODE_API", "ROCJPEG_API", "HIP_STREAM", "HIP_RUNTIME_API_EXT",
           "HIP_COMPILER_API_EXT", "ROCDECODE_API_EXT", "MARKER_CORE_RANGE_API"]
KINDS_62 = KINDS_7[:12] + ["PAGE_MIGRATION", "SCRATCH_MEMORY", "CORRELATION_ID_RETIREMENT"]

DIRECTIONS = ["NONE", "HOST_TO_HOST", "HOST_TO_DEVICE", "DEVICE_TO_HOST", "DEVICE_TO_DEVICE"]
HIP = ["hipApiName", "hipMalloc", "hipMemcpyAsync", "hipMemcpy", "hipLaunchKernel", "hipGraphLaunch",
       "hipStreamSynchronize", "hipDeviceSynchronize", "hipFree", "hipEventRecord", "hipStreamWaitEvent"]
OPERATIONS = {
    "HSA_CORE_API": ["hsa_init", "hsa_queue_create", "hsa_signal_store_screlease", "hsa_signal_wait_scacquire"],
    "HSA_AMD_EXT_API": ["hsa_amd_memory_async_copy_on_engine", "hsa_amd_memory_pool_allocate"],
    "HIP_RUNTIME_API": HIP,
    "HIP_RUNTIME_API_EXT": HIP,
    "HIP_COMPILER_API": ["__hipPopCallConfiguration", "__hipPushCallConfiguration"],
    "MARKER_CORE_API": ["roctxMarkA", "roctxRangePushA", "roctxRangePop", "roctxRangeStartA", "roctxRangeStop",
                        "roctxGetThreadId"],
    "MARKER_CONTROL_API": ["roctxProfilerPause", "roctxProfilerResume"],
    "MARKER_NAME_API": ["roctxNameOsThread"],
    "MARKER_CORE_RANGE_API": ["roctxMarkA", "roctxThreadRangeA", "roctxProcessRangeA", "roctxGetThreadId"],
    "KERNEL_DISPATCH": ["NONE", "ENQUEUE", "COMPLETE"],
    "RCCL_API": ["ncclAllReduce", "ncclBcast", "ncclSend", "ncclRecv", "ncclCommInitRank"],
}
MEMORY_7 = {
    "MEMORY_COPY": ["MEMORY_COPY_" + d for d in DIRECTIONS],
    "MEMORY_ALLOCATION": ["MEMORY_ALLOCATION_" + d for d in ["NONE", "ALLOCATE", "VMEM_ALLOCATE", "FREE", "VMEM_FREE"]],
    "SCRATCH_MEMORY": ["SCRATCH_MEMORY_" + d for d in ["NONE", "ALLOC", "FREE", "ASYNC_RECLAIM"]],
}
MEMORY_62 = {"MEMORY_COPY": DIRECTIONS, "SCRATCH_MEMORY": ["NONE", "ALLOC", "FREE", "ASYNC_RECLAIM"]}

KERNELS = [("_Z15matrixTransposePfS_i.kd", "matrixTranspose(float*, float*, int)", "matrixTranspose"),
           ("_Z4gemmPKfS0_Pf.kd", "gemm(float const*, float const*, float*)", "gemm"),
           ("ncclDevKernel_Generic_1.kd", "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)",
            "ncclDevKernel_Generic_1")]
COUNTERS = ["SQ_WAVES", "GRBM_GUI_ACTIVE"]
CPU, GPU0, GPU1 = 9001, 9002, 9003


def handle(number):
    return {"handle": number}


def agent(number, node, kind, order):
    gpu = kind == 2
    return {"size": 328, "id": handle(number), "type": kind, "cpu_cores_count": 0 if gpu else 64,
            "simd_count": 1216 if gpu else 0, "wave_front_size": 64 if gpu else 0, "cu_count": 304 if gpu else 64,
            "max_waves_per_simd": 8 if gpu else 0, "gfx_target_version": 90402 if gpu else 0,
            "name": "gfx942" if gpu else "AMD EPYC 9654", "vendor_name": "AMD" if gpu else "CPU",
            "product_name": "AMD Instinct MI300X" if gpu else "AMD EPYC 9654 96-Core Processor", "model_name": "",
            "node_id": node, "logical_node_id": node, "logical_node_type_id": order}


def kernel(number, is_new):
    symbol, whole, short = KERNELS[number - 1] if number > 0 else ("", "", "")
    fields = {"size": 0, "kernel_id": number, "code_object_id": min(number, 1), "kernel_name": symbol,
              "kernel_object": number * 4096, "kernarg_segment_size": 24, "kernarg_segment_alignment": 16,
              "group_segment_size": 512 * number, "private_segment_size": 0}
    if is_new:
        fields.update(sgpr_count=16 * number, arch_vgpr_count=8 * number, accum_vgpr_count=4 * (number // 2))
    demangled = whole + " [clone .kd]" if is_new and whole else whole
    fields.update(formatted_kernel_name=whole, demangled_kernel_name=demangled, truncated_kernel_name=short)
    return fields


class Process:
    """One process: its records by section, with times in us since START."""

    def __init__(self, is_new=True, gpus=1):
        self.is_new = is_new
        self.kinds = KINDS_7 if is_new else KINDS_62
        self.operations = dict(OPERATIONS, **(MEMORY_7 if is_new else MEMORY_62))
        self.gpus = gpus
        self.sections = {name: [] for name in (
            "kernel_dispatch", "hip_api", "hsa_api", "marker_api", "rccl_api", "memory_copy", "memory_allocation",
            "scratch_memory", "rocdecode_api", "rocjpeg_api", "pc_sample_host_trap", "pc_sample_stochastic")}
        if not is_new:
            for name in list(self.sections)[4:5] + list(self.sections)[6:7] + list(self.sections)[8:]:
                del self.sections[name]
        self.messages, self.externals, self.counters, self.correlation, self.dispatches = {}, {}, [], 0, 0

    def ids(self, number=None, external=0, ancestor=0):
        if number is None:
            self.correlation += 1
            number = self.correlation
        return {"internal": number, "external": external, **({"ancestor": ancestor} if self.is_new else {})}

    def head(self, kind, operation, begin, end, correlation, thread=PID):
        return {"size": 64, "kind": self.kinds.index(kind), "operation": self.operations[kind].index(operation),
                "correlation_id": correlation, "start_timestamp": START + begin, "end_timestamp": START + end,
                "thread_id": thread}

    def call(self, section, kind, operation, begin, end, thread=PID, args=None, stream=0, ancestor=0):
        record = self.head(kind, operation, begin, end, self.ids(ancestor=ancestor), thread)
        if args is not None:
            record["args"] = [{"type": t, "name": n, "value": v} for t, n, v in args]
            record["retval"] = {"hipError_t_retval": 0}
            record["stream_id"] = handle(stream)
        self.sections[section].append(record)
        return record["correlation_id"]["internal"]

    def hip(self, operation, begin, end, args=(), stream=0, thread=PID):
        if self.is_new:
            return self.call("hip_api", "HIP_RUNTIME_API_EXT", operation, begin, end, thread, args, stream)
        return self.call("hip_api", "HIP_RUNTIME_API", operation, begin, end, thread)

    def dispatch_info(self, number, gpu, queue, group, grid):
        self.dispatches += 1
        return {"size": 144, "agent_id": handle(gpu), "queue_id": handle(queue), "kernel_id": number,
                "dispatch_id": self.dispatches, "private_segment_size": 0, "group_segment_size": 512 * number,
                "workgroup_size": dict(zip("xyz", group)), "grid_size": dict(zip("xyz", grid))}

    def kernel(self, correlation, number, begin, end, gpu=GPU0, queue=1, stream=0, external=0, group=(256, 1, 1),
               grid=(1000, 1, 1)):
        record = self.head("KERNEL_DISPATCH", "COMPLETE", begin, end, self.ids(correlation, external))
        record["dispatch_info"] = self.dispatch_info(number, gpu, queue, group, grid)
        if self.is_new:
            record["stream_id"] = handle(stream)
        self.sections["kernel_dispatch"].append(record)

    def copy(self, correlation, direction, begin, end, source, destination, size, stream=0):
        record = self.head("MEMORY_COPY", ("MEMORY_COPY_" if self.is_new else "") + direction, begin, end,
                           self.ids(correlation))
        record.update(dst_agent_id=handle(destination), src_agent_id=handle(source), bytes=size)
        if self.is_new:
            record["stream_id"] = handle(stream)
        self.sections["memory_copy"].append(record)

    def allocation(self, correlation, operation, begin, end, address, size):
        record = self.head("MEMORY_ALLOCATION", "MEMORY_ALLOCATION_" + operation, begin, end, self.ids(correlation))
        record.update(agent_id=handle(GPU0), address="0x%016x" % address, allocation_size=size, stream_id=handle(0))
        self.sections["memory_allocation"].append(record)

    def marker(self, operation, begin, end, message=None, thread=PID):
        kind = "MARKER_CORE_RANGE_API" if self.is_new and "Get" not in operation else "MARKER_CORE_API"
        correlation = self.call("marker_api", kind, operation, begin, end, thread)
        if message is not None:
            self.messages[correlation] = message

    def counter_record(self, number, begin, end, values):
        """@values: of each counter those of its instances."""
        correlation = self.ids()
        self.counters.append({
            "thread_id": PID,
            "dispatch_data": {"size": 0, "correlation_id": correlation, "start_timestamp": START + begin,
                              "end_timestamp": START + end,
                              "dispatch_info": self.dispatch_info(number, GPU0, 1, (64, 1, 1), (1048576, 1, 1))},
            "records": [{"counter_id": handle(1000 + i), "value": v} for i, c in enumerate(values) for v in c],
            "stream_id": handle(0)})

    def as_json(self):
        names = [{"kind": k, "operations": self.operations.get(k, [])} for k in self.kinds]
        metadata = {"pid": PID, "init_time": START - 1000, "fini_time": START + 900000}
        if self.is_new:
            node = {"id": 1, "hash": 77, "machine_id": "0", "system_name": "Linux", "hostname": "node7",
                    "release": "6.8", "version": "#1", "hardware_name": "x86_64", "domain_name": "(none)"}
            metadata = {"node": node, **metadata, "command": ["/opt/app/train", "--size", "1024"],
                        "config": {"kernel_rename": bool(self.externals)}}
        strings = {"callback_records": names, "buffer_records": names,
                   "marker_api": [{"key": k, "value": v} for k, v in self.messages.items()]}
        if self.is_new:
            strings["correlation_id"] = {"external": [{"key": k, "value": v} for k, v in self.externals.items()]}
        strings["counters"] = {"dimension_ids": []}
        process = {"metadata": metadata,
                   "agents": [agent(CPU, 0, 1, 0)] + [agent(GPU0 + i, 1 + i, 2, i) for i in range(self.gpus)],
                   "counters": [{"agent_id": handle(GPU0), "id": handle(1000 + i), "is_constant": 0, "is_derived": 0,
                                 "name": n, "description": "", "block": "SQ", "expression": ""}
                                for i, n in enumerate(COUNTERS)],
                   "strings": strings,
                   "code_objects": [{"size": 0, "code_object_id": i, "uri": "file:///opt/app/train" if i else ""}
                                    for i in range(2)],
                   "kernel_symbols": [kernel(i, self.is_new) for i in range(len(KERNELS) + 1)]}
        if self.is_new:
            process["host_functions"] = [
                {"size": 0, "host_function_id": i, "kernel_id": i, "code_object_id": min(i, 1),
                 "truncated_host_function_name": KERNELS[i - 1][2] if i else ""} for i in range(len(KERNELS) + 1)]
            process["summary"] = []
        process["callback_records"] = {"counter_collection": self.counters}
        process["buffer_records"] = self.sections
        return {"rocprofiler-sdk-tool": [process]}

    def write(self, path):
        with open(path, "w", newline="\n") as out:
            json.dump(self.as_json(), out, separators=(",", ":"))


def transpose():
    self = Process()
    self.marker("roctxThreadRangeA", 0, 700000, "main")
    self.call("hsa_api", "HSA_CORE_API", "hsa_init", 1000, 50000)
    for i in range(4):
        self.marker("roctxMarkA", 51000 + i, 51000 + i, "mark %d" % i)
    allocated = self.call("hsa_api", "HSA_AMD_EXT_API", "hsa_amd_memory_pool_allocate", 60000, 61000)
    there = self.call("hsa_api", "HSA_AMD_EXT_API", "hsa_amd_memory_async_copy_on_engine", 70000, 72000)
    self.copy(there, "HOST_TO_DEVICE", 75000, 175000, CPU, GPU0, 4194304)
    launched = self.call("hsa_api", "HSA_CORE_API", "hsa_signal_store_screlease", 180000, 181000)
    self.kernel(launched, 1, 190000, 290500, group=(4, 4, 1), grid=(1024, 1024, 1))
    self.marker("roctxProcessRangeA", 185000, 400000, "until the result")
    self.call("hsa_api", "HSA_CORE_API", "hsa_signal_wait_scacquire", 182000, 291000)
    back = self.call("hsa_api", "HSA_AMD_EXT_API", "hsa_amd_memory_async_copy_on_engine", 300000, 302000)
    self.copy(back, "DEVICE_TO_HOST", 310000, 390000, GPU0, CPU, 4194304)
    assert allocated < there
    return self


def train():
    self = Process(gpus=2)
    self.externals[5000] = "step 1"
    self.marker("roctxThreadRangeA", 0, 500000, "step 1")
    pointer = "0x7f0000000000"
    made = self.hip("hipMalloc", 1000, 9000, [("void**", "ptr", pointer), ("unsigned long", "size", "65536")])
    self.allocation(made, "ALLOCATE", 2000, 8000, 0x7f0000000000, 65536)
    copied = self.hip("hipMemcpyAsync", 10000, 15000, [("void*", "dst", pointer), ("unsigned long", "sizeBytes", "65536"),
                                                       ("hipMemcpyKind", "kind", "hipMemcpyHostToDevice")], 3)
    self.copy(copied, "HOST_TO_DEVICE", 20000, 30000, CPU, GPU0, 65536, 3)
    launched = self.hip("hipLaunchKernel", 16000, 18000, [("const void*", "function_address", "0x2009c8")], 3)
    self.kernel(launched, 2, 31000, 51000, queue=2, stream=3, external=5000)
    graph = self.hip("hipGraphLaunch", 40000, 48000, [("hipGraphExec_t", "graphExec", "0x55")], 4)
    for i in range(3):
        self.kernel(graph, 1 + i % 2, 60000 + 10000 * i, 69000 + 10000 * i, queue=2, stream=4)
    self.hip("hipStreamWaitEvent", 50000, 50500, [("hipStream_t", "stream", "0x3")], 3, PID + 1)
    self.call("rccl_api", "RCCL_API", "ncclCommInitRank", 52000, 99000)
    self.call("rccl_api", "RCCL_API", "ncclAllReduce", 100000, 120000)
    reduced = self.hip("hipLaunchKernel", 105000, 110000, [("const void*", "function_address", "0x20")], 5)
    self.kernel(reduced, 3, 121000, 171000, queue=3, stream=5)
    moved = self.hip("hipMemcpyAsync", 130000, 132000, [("hipMemcpyKind", "kind", "hipMemcpyDeviceToDevice")])
    self.copy(moved, "DEVICE_TO_DEVICE", 140000, 145000, GPU0, GPU1, 32768)
    second = self.hip("hipLaunchKernel", 150000, 151000, [("const void*", "function_address", "0x2009d0")])
    self.kernel(second, 1, 160000, 170000, gpu=GPU1, queue=7, group=(4, 4, 1), grid=(1024, 1024, 1))
    scratch = self.head("SCRATCH_MEMORY", "SCRATCH_MEMORY_ALLOC", 28000, 29000, self.ids())
    scratch.update(agent_id=handle(GPU0), queue_id=handle(2), flags=0, allocation_size=4096)
    self.sections["scratch_memory"].append(scratch)
    self.hip("hipDeviceSynchronize", 160500, 172000)
    freed = self.hip("hipFree", 180000, 185000, [("void*", "ptr", pointer)])
    self.allocation(freed, "FREE", 181000, 184000, 0x7f0000000000, 0)
    return self


def rocm62():
    self = Process(is_new=False)
    self.marker("roctxRangePushA", 0, 90000, "loop")
    copied = self.hip("hipMemcpy", 1000, 21000)
    self.copy(copied, "HOST_TO_DEVICE", 5000, 20000, CPU, GPU0, 1024)
    launched = self.hip("hipLaunchKernel", 22000, 24000)
    self.kernel(launched, 2, 30000, 40000)
    self.hip("hipDeviceSynchronize", 25000, 41000)
    self.marker("roctxMarkA", 42000, 42000, "done")
    self.marker("roctxRangeStartA", 43000, 80000, "apart")
    return self


def counters():
    self = Process()
    self.counter_record(1, 1000, 53151, [[4096.0] * 4, [1000.0, 2000.5]])
    self.counter_record(2, 60000, 109794, [[16384.0], [77.0]])
    return self


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for make in (transpose, train, rocm62, counters):
        make().write(os.path.join(sys.argv[1], make.__name__ + ".json"))


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an OTF2 archive as Score-P's CUDA adapter does with SCOREP_CUDA_ENABLE=kernel,kernel_counter,memcpy,idle.

    otf2-scorep-gpu.py DIRECTORY

Four times: a launch, a copy to the device (a get from the host), a kernel of 2 us, a copy to the host (a put), one on the device, and a
call that waits. On the first stream stands "COMPUTE IDLE", from the end of each kernel to the begin of the next.
"""
import sys

import otf2
from otf2.enums import GroupType, LocationGroupType, LocationType, Paradigm, ParameterType, RegionRole

# Names and order are those of scorep_cupti_activity.c of Score-P 9.0.
FACTS = {"blocks per grid": 128, "threads per block": 96, "threads per kernel": 128 * 96, "static shared memory": 512,
         "dynamic shared memory": 4096, "total local memory": 0, "registers per thread": 40}


def main():
    with otf2.writer.open(sys.argv[1], timer_resolution=10**9) as trace:
        d, cuda = trace.definitions, dict(paradigm=Paradigm.CUDA)
        node = d.system_tree_node("node0", class_name="node", parent=d.system_tree_node("machine", class_name="machine"))
        process = d.location_group("MPI Rank 0", system_tree_parent=node)
        device = d.location_group("CUDA Context 1 (CUDA 0)", location_group_type=LocationGroupType.ACCELERATOR, system_tree_parent=node,
                                  creating_location_group=process)
        thread = d.location("Master thread", group=process)
        streams = [d.location(f"CUDA[0:{i}]", type=LocationType.ACCELERATOR_STREAM, group=device) for i in (0, 7)]
        d.group("", group_type=GroupType.COMM_LOCATIONS, members=[thread] + streams, **cuda)
        everyone = d.group("", group_type=GroupType.COMM_GROUP, members=[thread] + streams, **cuda)
        window = d.rma_win("CUDA_WINDOW", d.comm("", everyone))
        program = d.region("main", region_role=RegionRole.FUNCTION, paradigm=Paradigm.COMPILER)
        launch = d.region("cuLaunchKernel", region_role=RegionRole.WRAPPER, source_file="CUDA", **cuda)
        wait = d.region("cuCtxSynchronize", region_role=RegionRole.WRAPPER, source_file="CUDA", **cuda)
        kernel = d.region("saxpy(int, float)", region_role=RegionRole.FUNCTION, source_file="CUDA_KERNEL", **cuda)
        idle = d.region("COMPUTE IDLE", region_role=RegionRole.ARTIFICIAL, source_file="CUDA_IDLE", **cuda)
        facts = [(d.parameter(name, parameter_type=ParameterType.UINT64), value) for name, value in FACTS.items()]
        host, first, second = (trace.event_writer_from_location(location) for location in [thread] + streams)

        host.enter(1000, program)
        first.enter(1000, idle)
        for t in range(0, 40000, 10000):
            host.enter(2000 + t, launch)
            host.leave(2500 + t, launch)
            host.enter(2600 + t, wait)
            host.leave(6300 + t, wait)
            first.leave(3000 + t, idle)
            first.enter(5000 + t, idle)
            second.rma_get(2100 + t, window, 0, 4096, 42)
            second.rma_op_complete_blocking(2900 + t, window, 42)
            second.enter(3000 + t, kernel)
            for parameter, value in facts:
                second.parameter_unsigned_int(3000 + t, parameter, value)
            second.leave(5000 + t, kernel)
            second.rma_put(5000 + t, window, 0, 8192, 42)
            second.rma_op_complete_blocking(6000 + t, window, 42)
            second.rma_get(6100 + t, window, 2, 100, 42)
            second.rma_op_complete_blocking(6200 + t, window, 42)
        first.leave(41000, idle)
        host.leave(42000, program)


main()

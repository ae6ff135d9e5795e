/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that stand for parts of the kernel, as importers of kernel traces label them.
 */
#pragma once

/* Each thread of a host has a lane with its number as tid, and on it spans `sched` of what it did, by their sub_op. */
#define TT_LANES_OF_STATES "states of threads"
#define TT_LANES_NAME "sched"
/* A lane for each processor. */
#define TT_LANES_OF_INTERRUPTS "interrupts"
/* Lanes for each device, as many as it had requests at a time. */
#define TT_LANES_OF_REQUESTS "requests of block devices"

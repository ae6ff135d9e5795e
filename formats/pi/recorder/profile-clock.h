/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks of devices on which times are asked for (profile.h): each is read when a queue is made on the device, from
 * time to time, and before the device may be gone, so that a reader can tell how far it is ahead and how fast it runs.
 * A reading is a record of kind TIMES in the file of the thread that asks.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

#include <stdbool.h>

typedef int32_t (*TtRecordClock) (void *device, uint64_t *of_device, uint64_t *of_host);

/* A queue of @device takes times. NULL: its runtime has no such function. */
void tt_record_clock_note (TtRecordThread *thread, uint64_t device, TtRecordClock clock);
/* Reads those clocks that were not read within the last @apart_ns. */
void tt_record_clocks_read (TtRecordThread *thread, uint64_t apart_ns);
/* It may be gone after this call; 0: all may. */
void tt_record_clock_forget (uint64_t device);

bool tt_record_has_clocks (void);

void tt_record_clocks_after_fork (void);

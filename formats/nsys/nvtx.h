/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVTX_EVENTS: what the program itself marks. Ranges that it pushes and pops are spans of the thread, ranges that it
 * starts and ends (perhaps on another thread, and across others) are asynchronous spans, marks are instants. A domain
 * is the group of its names, "nvtx NCCL". A range names a stretch of time (flag `window`) unless a rule knows its name.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_nvtx (TtNsys *self, GError **error);

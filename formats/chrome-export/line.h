/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of the file: its comma, its count, its times.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_line (TtChrome *self);
TtClock tt_chrome_event_clock (const TtChrome *self, guint source);
TtClock tt_chrome_thread_clock (const TtChrome *self, guint32 thread);
/* @ns: as in a record. */
void tt_chrome_write_time (TtChrome *self, TtClock clock, gint64 ns);

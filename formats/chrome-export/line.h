/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of a JSON file: its comma, its count, its place, its times.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_line (TtChrome *self);
/* ,"pid":1,"tid":2,"args":{ of @thread; @track: one of its lines, NULL: the first. */
void tt_chrome_write_place (TtChrome *self, const ChromeThread *thread, const ChromeTrack *track);
TtClock tt_chrome_event_clock (const TtChrome *self, guint source);
TtClock tt_chrome_thread_clock (const TtChrome *self, guint32 thread);
/* @ns: as in a record. */
void tt_chrome_write_time (TtChrome *self, TtClock clock, gint64 ns);

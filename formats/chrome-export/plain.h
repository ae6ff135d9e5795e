/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain spans: those that have no more than their records say and go to the lines of their threads, where all rows are
 * shown. So nearly all are. What rows.c decides for each row is clear for them, and the language has a short way to write
 * them.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* Whether the pass that begins can have any. */
gboolean tt_chrome_has_plain (const TtChrome *self);
/* Does what tt_chrome_write_record() would, of the first of @n records that are plain spans; returns how many those are. */
guint tt_chrome_write_plain (TtChrome *self, const ChromeRecord *records, guint n);

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChromeBegun: the spans on threads that begin at the time that is being written.
 *
 * The end of an arrow has a time and a thread, not a span. Readers take the innermost span of that time, which is the
 * last to begin; where the arrow belongs to another one, the file says to which.
 */
#pragma once

#include "formats/chrome-export/records.h"

/* So many are kept; an end of an arrow at a moment with more may be read back on another of them. */
#define CHROME_MAX_BEGUN 1024u

typedef struct
{
  guint64 ts;
  GArray *spans; /* NULL: never had one */
} ChromeBegun;

void tt_chrome_begun_clear (ChromeBegun *self);
/* In the order of the file. */
void tt_chrome_begun_add (ChromeBegun *self, const ChromeRecord *record, const ChromeExtra *extra);
/* Which span of its thread, counted from 1, the end of an arrow belongs to; 0: to the last, or to none that begins at
 * its time. */
guint32 tt_chrome_begun_nth (const ChromeBegun *self, const ChromeMessage *side);

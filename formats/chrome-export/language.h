/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChromeLanguage: how what was collected is written. json.h has two (Chrome trace JSON and the seed's template),
 * formats/perfetto-export a third.
 *
 * rows.c and side.c decide what is shown, in which order and on which line; a language writes it down to self->out.
 * While self->is_measuring the same calls come for the lengths of their texts only, before the pass that counts; each
 * pass begins with begin() and ends with end().
 */
#pragma once

#include "formats/chrome-export/chrome-export.h"
#include "formats/chrome-export/fragment.h"
#include "formats/chrome-export/records.h"

typedef struct _TtChrome TtChrome;
typedef struct _ChromeThread ChromeThread;
typedef struct _ChromeTrack ChromeTrack;

/* A span or an instant that is shown. */
typedef struct
{
  const ChromeRecord *record;
  const ChromeExtra *extra;
  const ChromeThread *thread;
  const ChromeTrack *track; /* line of the thread; NULL: it is asynchronous, on a lane */
  guint64 lane;             /* number of the lane (lanes.h) */
  gboolean lane_is_new;     /* nothing was on it before */
  gboolean is_span;
  char scope; /* of an instant, as in JSON: t (its thread), p (its process) or g (everything) */
  TtClock clock;
  ChromeFragment fragment;
  guint64 cnt; /* of a span: occurrences of its op_long_name before it */
} ChromeShown;

/* What stands between the parts of a line of a plain span (plain.h), the same in all of them. */
typedef struct
{
  const char *before_head, *before_time, *before_number;
  guint32 before_head_len, before_time_len, before_number_len;
} ChromeLineParts;

struct _ChromeLanguage
{
  gboolean only_spans; /* neither instants, counters nor arrows */
  /* Arrows are tied to spans by the span itself, so their ends come just before it; else by time and line, and they
   * come at their time, after what begins then. */
  gboolean ties_to_spans;
  gboolean tells_roots;       /* of collectives */
  gboolean is_never_negative; /* there are no times before 0, even as in the source */

  void (*prepare) (TtChrome *self); /* once; processes and threads have their numbers. NULL: nothing to do */
  void (*begin) (TtChrome *self);
  void (*end) (TtChrome *self);
  void (*dispose) (TtChrome *self); /* frees language_data. NULL: there is none */
  /* A further line of @thread, before its first event. */
  void (*line) (TtChrome *self, const ChromeThread *thread, guint32 number);
  /* The text of a name in a process, see fragment.h. */
  void (*name_head) (TtChrome *self, GString *to, const TtStoredName *name);
  void (*name_tail) (TtChrome *self, GString *to, const char *pid, const TtStoredName *name);
  void (*event) (TtChrome *self, const ChromeShown *shown);
  /* Writes the first of @n records that are plain spans (plain.h), none of which is the first line; returns how many.
   * NULL: event() writes them. */
  guint (*plain_spans) (TtChrome *self, const ChromeRecord *records, guint n);
  ChromeLineParts line_parts; /* NULL, 0: there are none */
  /* @record: a counter with a finite value. */
  void (*counter) (TtChrome *self, const ChromeRecord *record);
  /* A side of a message without an arrow, as an instant. */
  void (*half) (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
  /* An event without length at @side's time, which the arrow is tied to instead of a span. */
  void (*anchor) (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
  /* One end of an arrow, on @track; NULL: of the span that comes next on this thread. */
  void (*arrow_end) (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
};

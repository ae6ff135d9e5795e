/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain spans: those that have no more than their records say and go to the lines of their threads, where all rows are
 * shown. So nearly all are. What rows.c decides for each row is clear for them, and the language has a short way to write
 * them.
 */
#pragma once

#include "formats/chrome-export/tracks.h"

/* Whether the pass that begins can have any. */
gboolean tt_chrome_has_plain (const TtChrome *self);
/* Does what tt_chrome_write_record() would, of the first of @n records that are plain spans; returns how many those are. */
guint tt_chrome_write_plain (TtChrome *self, const ChromeRecord *records, guint n);

/* What is the same for all of them. */
typedef struct
{
  TtChrome *chrome;
  ChromeThread *threads; /* by id */
  const ChromeLineTexts *texts;
  gint64 left_ns; /* see ChromeClocks */
  TtClock clock;
} ChromePlain;

/* One that is shown. */
typedef struct
{
  const ChromeThread *thread;
  const ChromeLineText *text;
  gint64 shown_ns, dur_ns;
  guint64 cnt; /* as in ChromeShown */
  guint32 flags;
} ChromePlainSpan;

/* Bits that the record of a plain span has not. */
#define CHROME_OTHER_FLAGS ((guint32) (TT_FLAG_ASYNC | TT_FLAG_COLLECTIVE | TT_FLAG_FAILED) << CHROME_FLAGS_SHIFT)
#define CHROME_NOT_PLAIN (CHROME_KIND_MASK | CHROME_HAS_EXTRA | CHROME_HIGHLIGHT | CHROME_WAITS | CHROME_OTHER_FLAGS)

G_STATIC_ASSERT (CHROME_SPAN == 0);

static inline ChromePlain
tt_chrome_plain (TtChrome *chrome)
{
  return (ChromePlain){
    .chrome = chrome,
    .threads = tt_chrome_thread_at (chrome, 0),
    .texts = (const ChromeLineTexts *) (gconstpointer) chrome->fragments,
    .left_ns = chrome->clocks.left_ns[chrome->clocks.only],
    .clock = chrome->clocks.only,
  };
}

/* Opens the span of @record on the line of its thread, and counts it. FALSE: it is no plain span; nothing is done. In line, so
 * that a language's plain_spans() is one loop. */
static inline gboolean
tt_chrome_plain_span (const ChromePlain *self, const ChromeRecord *record, ChromePlainSpan *span)
{
  const guint32 id = (guint32) record->order;
  ChromeThread *thread = &self->threads[id];
  const gint64 ts_ns = tt_sort_value (record->ts), dur_ns = record->value;
  gint64 end_ns;

  if (G_UNLIKELY ((record->bits & CHROME_NOT_PLAIN) != 0 || __builtin_add_overflow (ts_ns, dur_ns, &end_ns) ||
                  __builtin_sub_overflow (ts_ns, self->left_ns, &span->shown_ns)))
    return FALSE;
  if (G_UNLIKELY (!tt_chrome_track_opens (&thread->track, ts_ns, end_ns, (guint32) (record->order >> 32))))
    return FALSE;
  span->thread = thread;
  span->text = tt_chrome_line_text (self->chrome, self->texts, id, record->name);
  span->dur_ns = dur_ns;
  span->cnt = (*span->text->count)++;
  span->flags = record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK;
  return TRUE;
}

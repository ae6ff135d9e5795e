/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtObservedSpans: the spans of collectives as an import saw them go by, so that its passes need not read them in the events.
 *
 * In the order of their events. Memory: 1 MiB, the rest is in a temporary file. Used by src/store only.
 */
#pragma once

#include "src/trace/batch.h"

typedef struct
{
  guint64 event;
  gint64 ts_ns, dur_ns; /* by the clock of its process; TT_NO_TIME: it is an instant */
  guint32 name;         /* id in the file */
  guint8 is_mended, is_async;
  guint8 is_sound; /* all of this could be read */
} TtCollectiveSpan;

typedef struct _TtObservedSpans TtObservedSpans;

TtObservedSpans *tt_observed_spans_new (void);
void tt_observed_spans_free (TtObservedSpans *self);
/* Those in @batch. */
void tt_observed_spans_add (TtObservedSpans *self, const TtBatch *batch);
/* That of span->event; quickest are events that come soon after the one before. FALSE: it was not seen, or the temporary file failed. */
gboolean tt_observed_spans_find (TtObservedSpans *self, TtCollectiveSpan *span);

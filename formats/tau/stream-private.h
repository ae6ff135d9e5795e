/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two files of TtTauStream share: stream.c has the loop over records, in which enters and leaves of states are
 * handled, stream-events.c handles the rarer kinds.
 */
#pragma once

#include "formats/tau/stream.h"
#include "formats/tau/threads.h"

struct _TtTauStream
{
  TtTauIds *ids;
  TtSink *sink;
  TtNest *nest;
  TtTauThreads *threads;
  const char *path;
  TtTauLayout layout;
  gboolean is_strict;
  guint64 offset; /* of the next byte */
  guint64 n_defined;
  GHashTable *metadata; /* (thread, key) -> value, to notice repetitions */
};

/* A record with the event that it refers to. */
typedef struct
{
  TtTauRecord fields;
  TtTauEvent event;
  gint64 ts_ns;
  guint64 offset;
} TtTauEventRecord;

/* An enter or leave of the thread's stack: what nearly all records are. */
static inline void
tt_tau_enter_or_leave (TtTauStream *self,
                       TtTauThread *thread,
                       gboolean is_enter,
                       guint32 name,
                       gint64 ts_ns,
                       guint64 offset)
{
  if (is_enter)
    tt_nest_enter (self->nest, thread->nest, name, ts_ns, offset);
  else
    tt_nest_leave (self->nest, thread->nest, name, ts_ns, offset);
  thread->has_spans = TRUE;
  thread->is_closed = FALSE;
}

/* Handles the records that waited for more: those of @what, TT_TAU_PENDING_ bits. */
void tt_tau_flush_pending (TtTauStream *self, TtTauThread *thread, guint what);
/* Every record but an enter or leave of a state. */
void tt_tau_consume_rare (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record);

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of TtTauStream share: stream.c has the loop over records, in which enters and leaves of states are
 * handled, stream-events.c handles the rarer kinds, stream-damage.c those that cannot be as they stand.
 */
#pragma once

#include "formats/tau/peers.h"
#include "formats/tau/stream.h"
#include "formats/tau/threads.h"

struct _TtTauStream
{
  TtTauIds *ids;
  TtSink *sink;
  TtNest *nest;
  TtTauThreads *threads;
  TtTauPeers *peers;
  const char *path;
  TtTauLayout layout;
  gboolean is_strict;
  guint64 offset; /* of the next byte */
  guint64 n_defined;
  guint64 n_undefined; /* with a time that can be, as definitions of another trace would have it */
  guint n_undefined_in_a_row;
  guint64 usual_ti;                  /* a time in the middle of the first ones; 0: not known yet */
  guint64 last_ti;                   /* of the last record that was taken */
  guint32 last_key;                  /* its thread */
  gboolean has_threads_without_init; /* whose first record is not the one that begins each stream of TAU */
  gboolean is_end;                   /* of the file, behind the bytes that are fed */
  gboolean has_hole;                 /* records are missing */
  guint n_before_hole;               /* threads that had records before */
  GHashTable *metadata;              /* (thread, key) -> value, to notice repetitions */
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

/* A record of an undefined event, of a thread that had none yet, or whose time is earlier than the one before or much
 * later; its bytes and those behind it. Returns how many bytes are skipped; 0: it is taken, its time may be mended; -1:
 * refused, with @error. @thread: NULL if it had none yet. */
gssize tt_tau_examine (TtTauStream *self,
                       const TtTauThread *thread,
                       TtTauEventRecord *record,
                       const guint8 *bytes,
                       gsize len,
                       GError **error);
/* At the end of the stream: what processes lost that have no record before the first hole. */
void tt_tau_lose_late (TtTauStream *self);
/* Handles the records that waited for more: those of @what, TT_TAU_PENDING_ bits. */
void tt_tau_flush_pending (TtTauStream *self, TtTauThread *thread, guint what);
/* Every record but an enter or leave of a state. */
void tt_tau_consume_rare (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record);

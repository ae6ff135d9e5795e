/*
 * What the two files of TtTauStream share: stream.c has the loop over records, stream-events.c what
 * the rarer kinds of records do.
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
  GHashTable *metadata; /* (thread, key) -> value, to see what is given again */
};

/* A record being handled, and where it is. */
typedef struct
{
  TtTauRecord record;
  TtTauEvent event;
  gint64 ts_ns;
  guint64 offset;
} TtTauItem;

void
tt_tau_edge (TtTauStream *self, TtTauThread *thread, gboolean is_enter, guint32 name, gint64 ts_ns, guint64 offset);
/* Ends what waits for more records: TT_TAU_PENDING_ bits. */
void tt_tau_settle (TtTauStream *self, TtTauThread *thread, guint what);
/* Everything but enters and leaves of states. */
void tt_tau_take_rare (TtTauStream *self, TtTauThread *thread, const TtTauItem *item);

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauThreads: the (node, thread) pairs of a trace file, and the records of each that are not complete without later
 * ones.
 */
#pragma once

#include "formats/tau/ids.h"
#include "src/trace/nest/nest.h"

/* Records of one user event in a row: 0, value, 0 is one trigger, anything else one trigger each. */
typedef struct
{
  gint64 id;
  guint32 kind, value;
  guint n; /* held: a 0, then the value after it */
  gint64 ts_ns[2];
  gint64 par[2];
  guint64 offset[2];
} TtTauFence;

/* The three records of a one-sided message. */
typedef struct
{
  guint n; /* seen so far */
  TtTauKind kind;
  gint64 ts_ns[2], par[2];
  gint64 id[2];
  guint64 offset;
} TtTauOnesided;

/* An enter or leave of FLUSH that waits for the metrics of the span before it. */
typedef struct
{
  gboolean is_enter;
  guint32 name;
  gint64 ts_ns;
  guint64 offset;
} TtTauHeldFlush;

#define TT_TAU_MAX_HELD 4u

/* What is pending on a thread until its next records come. */
enum
{
  TT_TAU_PENDING_FENCE = 1 << 0,
  TT_TAU_PENDING_ONESIDED = 1 << 1,
  TT_TAU_PENDING_FLUSH = 1 << 2,
};

typedef struct
{
  guint32 key; /* node << 16 | thread */
  guint32 thread, process;
  TtNestThread *nest;
  guint pending;
  gboolean takes_metrics; /* the last record was an enter or leave, or a metric of one */
  guint64 last_ti;        /* time of the last enter or leave */
  guint64 clock_ti;       /* time of the last record */
  guint64 last_offset;
  gboolean has_spans, is_closed;
  gint64 sent_bytes; /* by the counter before a message that is sent; 0: none */
  guint n_held;
  TtTauHeldFlush held[TT_TAU_MAX_HELD];
  TtTauFence fence;
  TtTauOnesided onesided;
} TtTauThread;

#define TT_TAU_RECENT 1024u

typedef struct _TtTauThreads TtTauThreads;

struct _TtTauThreads
{
  TtTauThread *recent[TT_TAU_RECENT]; /* private, for the inline function; by hash of the key; NULL: none */
};

TtTauThreads *tt_tau_threads_new (TtSink *sink, TtNest *nest);
void tt_tau_threads_free (TtTauThreads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauThreads, tt_tau_threads_free)

static inline guint
tt_tau_recent (guint32 key)
{
  return (key * 0x9e3779b1u) >> 22;
}

/* Use tt_tau_threads_get(). */
TtTauThread *tt_tau_threads_look_up (TtTauThreads *self, guint32 key);

/* NULL: it had no record yet. */
static inline TtTauThread *
tt_tau_threads_get (TtTauThreads *self, guint16 nid, guint16 tid)
{
  guint32 key = (guint32) nid << 16 | tid;
  TtTauThread *recent = self->recent[tt_tau_recent (key)];

  return G_LIKELY (recent != NULL && recent->key == key) ? recent : tt_tau_threads_look_up (self, key);
}

/* Added at its first record. */
TtTauThread *tt_tau_threads_find (TtTauThreads *self, guint16 nid, guint16 tid);
/* The process "nodeN", also if the file has no record of it. */
guint32 tt_tau_threads_process (TtTauThreads *self, guint16 nid);

gboolean tt_tau_threads_has_process (const TtTauThreads *self, guint16 nid);
/* The highest node that has a record; -1: none has. */
gint64 tt_tau_threads_last_node (const TtTauThreads *self);

/* In the order of their first records. */
guint tt_tau_threads_count (const TtTauThreads *self);
TtTauThread *tt_tau_threads_at (TtTauThreads *self, guint index);

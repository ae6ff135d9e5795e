/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measured critical path: what determined when the run ended.
 *
 * It goes back in time from the thread that finished last. Where the thread waited in a receive for a late sender, it
 * goes on at the sender's send; where it waited in a collective, at the rank that came last, when that rank entered;
 * where a thread starts, at the thread that created it, or else at the first thread of its process. Through devices it
 * goes as devices/waits.h says, between the threads of a PI recording as call-waits.h says; that of a training job is
 * job-path.h's. It never goes forward in time. The path covers the run from its first to its last moment without gaps: pieces on threads, and transfers of
 * messages between them.
 *
 * The walk works on plain arrays and knows no store.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_HOP_START,       /* the run starts here */
  TT_HOP_MESSAGE,     /* a message came */
  TT_HOP_COLLECTIVE,  /* the last rank came; inferred */
  TT_HOP_RECEIVER,    /* the receiver came that a send waited for */
  TT_HOP_JOIN,        /* the thread ended that was waited for; inferred */
  TT_HOP_LOCK,        /* another thread gave a lock back; inferred */
  TT_HOP_TEAM,        /* the last thread came to a barrier of threads; inferred */
  TT_HOP_THREAD,      /* the thread starts; inferred where the trace does not say who created it */
  TT_HOP_LAUNCH,      /* work on a device was launched */
  TT_HOP_EVENT,       /* work on a device that it waited for was done */
  TT_HOP_SYNCHRONIZE, /* the host waited for work on a device */
  TT_HOP_AUTOGRAD,    /* backward operators start or end on a thread of their own; inferred */
  TT_HOP_OBJECT,      /* another thread made what the thread used next; inferred */
  TT_HOP_QUEUE,       /* another thread put work into the queue that the thread waited for; inferred */
  TT_HOP_DEPENDENCY,  /* what an operation of a training job needs was done */
  TT_HOP_DEVICE,      /* its device was free */
  TT_HOP_UNKNOWN,     /* nobody knows what was waited for */
  TT_N_HOPS,
} TtPathHop;

const char *tt_path_hop_text (TtPathHop hop);

/* The moment at which a wait of @thread ended because of what @from_thread did at @from_ns <= @at_ns. */
typedef struct
{
  guint32 thread, from_thread;
  gint64 at_ns, from_ns;
  gint64 wait_ns; /* start of the wait */
  guint32 hop;    /* any but TT_HOP_START */
  gboolean is_inferred;
  guint64 event, from_event; /* the spans that wait and that ended the wait; 0: not known */
} TtSyncPoint;

typedef struct
{
  gint64 first_ns, last_ns; /* of its events; first > last: it has none */
  guint32 process;
} TtThreadRange;

/* A piece of the path on one thread. Before it comes a transfer if begin_ns is later than the end of the piece
 * before. */
typedef struct
{
  guint32 thread;
  guint32 hop; /* how the path came here */
  gint64 begin_ns, end_ns;
  gint64 waited_ns; /* of the wait that the hop ended, before the other side acted */
  gboolean is_inferred;
  guint64 event; /* 0: whatever the thread does; of a training job the span that the path is in, */
  guint32 name;  /* its name; TT_NO_ID: in none, */
  guint8 kind;   /* and TtPathKind */
} TtPathSegment;

/* Segments in time order, for threads[0 ... n_threads - 1] and a run from @first_ns to @last_ns. @points is
 * sorted in place: by (thread, at, from, from_thread). Empty if no thread has events. */
GArray *tt_measured_path_walk (GArray *points,
                               const TtThreadRange *threads,
                               guint32 n_threads,
                               gint64 first_ns,
                               gint64 last_ns);
/* Of the time from @first_ns to @last_ns only, back from the span of @thread that ends then. */
GArray *tt_measured_path_walk_within (GArray *points,
                                      const TtThreadRange *threads,
                                      guint32 n_threads,
                                      guint32 thread,
                                      gint64 first_ns,
                                      gint64 last_ns);

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the selected runs that are not events: messages, collectives, counters, metrics, flows, parameters.
 *
 * Each function calls back for every row; texts are valid during the call, and a callback that returns FALSE ends the
 * scan. Rows come in the order they were written: no sorting here.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/activity.h"
#include "src/trace/event.h"

typedef struct
{
  guint64 n_counters, n_metrics, n_flows, n_messages, n_collectives, n_parameters;
  guint64 n_args;        /* events with arguments */
  guint64 n_matched;     /* messages that lack no side */
  guint64 message_bytes; /* of messages whose length is known */
} TtStoreCounts;

/* Rows of a table by their ids, both included. */
typedef struct
{
  gint64 first, last;
} TtRowRange;

#define TT_ROWS_ALL        \
  {                        \
    G_MININT64, G_MAXINT64 \
  }

/* How many rows the selected runs have, without looking at them. */
gboolean tt_store_counts (TtStore *self, TtStoreCounts *counts, GError **error);
typedef struct
{
  guint32 src_process, src_thread, dst_process, dst_thread; /* threads: TT_NO_ID if unknown */
  gint64 tag, comm, ordinal;
  gint64 send_ns, recv_ns;        /* TT_NO_TIME: that half is missing */
  gint64 bytes;                   /* -1 unknown */
  guint64 send_event, recv_event; /* enclosing spans, 0 = none */
  const char *flags;
} TtMessage;

/* Whether the half of another is missing: what only one side tells lacks nothing. */
static inline gboolean
tt_message_is_unmatched (const TtMessage *self)
{
  return self->flags != NULL && g_str_has_suffix (self->flags, "unmatched");
}
typedef gboolean (*TtMessageFunc) (const TtMessage *message, gpointer data);
/* In (src_process, dst_process, tag, comm, ordinal) order. */
gboolean tt_store_each_message (TtStore *self, TtMessageFunc func, gpointer data, GError **error);
/* Only those of @range. */
gboolean
tt_store_each_message_of (TtStore *self, const TtRowRange *range, TtMessageFunc func, gpointer data, GError **error);
/* *@range: of @n shares, about as many rows in each, the @i-th; first > last: it has none. */
gboolean tt_store_message_share (TtStore *self, guint n, guint i, TtRowRange *range, GError **error);

/* A message without what most of the time of reading it goes to. */
typedef struct
{
  guint32 src_process, dst_process;
  gint64 send_ns, recv_ns; /* TT_NO_TIME: that half is missing */
} TtMessageTimes;
typedef gboolean (*TtMessageTimesFunc) (const TtMessageTimes *message, gpointer data);
gboolean tt_store_each_message_times (TtStore *self, TtMessageTimesFunc func, gpointer data, GError **error);

typedef struct
{
  gint64 comm;
  const char *function;
  gint64 ordinal;
  guint32 process, thread;
  guint64 event;
  gint64 ts_ns, dur_ns;  /* of the event */
  guint32 name;          /* the same; TT_NO_ID: it is an instant, or asynchronous */
  guint32 root;          /* process; TT_NO_ID: of none, or not known */
  gboolean is_inferred;  /* comm and ordinal: from times, for the source does not say who takes part */
  gboolean is_undecided; /* nor could it be inferred: comm and ordinal tell nothing */
  gboolean is_mended;    /* the event's begin or end was lost */
} TtCollective;
typedef gboolean (*TtCollectiveFunc) (const TtCollective *collective, gpointer data);
/* In (function, comm, ordinal, process, thread) order. */
gboolean tt_store_each_collective (TtStore *self, TtCollectiveFunc func, gpointer data, GError **error);
gboolean tt_store_each_collective_of (TtStore *self,
                                      const TtRowRange *range,
                                      TtCollectiveFunc func,
                                      gpointer data,
                                      GError **error);
/* As tt_store_message_share(); the parts of a call are in one share. */
gboolean tt_store_collective_share (TtStore *self, guint n, guint i, TtRowRange *range, GError **error);
/* Of which it was inferred who takes part; *@n_doubtful of these: that could as well be of another communicator. */
gboolean tt_store_count_inferred_calls (TtStore *self, guint64 *n_inferred, guint64 *n_doubtful, GError **error);

typedef gboolean (*TtCounterFunc) (guint32 series,
                                   guint32 thread,
                                   gint64 ts_ns,
                                   gboolean is_real,
                                   gint64 integer,
                                   double real,
                                   gpointer data);
gboolean tt_store_each_counter (TtStore *self, TtCounterFunc func, gpointer data, GError **error);

/* *has: whether events have any of @flags; TRUE also for some that were removed. */
gboolean tt_store_has_flags (TtStore *self, guint32 flags, gboolean *has, GError **error);

typedef gboolean (*TtMetricFunc) (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data);
/* As they were written: most in the order of their events, not all. metrics.h has them with their events. */
gboolean tt_store_each_metric (TtStore *self, TtMetricFunc func, gpointer data, GError **error);

typedef struct
{
  guint64 from_event, to_event;
  gint64 from_ns, to_ns; /* where the flow leaves and reaches them; TT_NO_TIME: at their begins */
  const char *kind;      /* as the source calls it */
  TtLink link;           /* what it means */
  gboolean is_inferred;  /* the importer concluded that there is one */
} TtFlow;
typedef gboolean (*TtFlowFunc) (const TtFlow *flow, gpointer data);
/* By source, within one by key and time. */
gboolean tt_store_each_flow (TtStore *self, TtFlowFunc func, gpointer data, GError **error);
/* The same of sources whose first event is one of @events. */
gboolean tt_store_each_flow_of (TtStore *self, const TtRowRange *events, TtFlowFunc func, gpointer data, GError **error);
/* Only those with one of @links, a bit set of 1 << TtLink. */
gboolean tt_store_each_link (TtStore *self, guint links, TtFlowFunc func, gpointer data, GError **error);
/* The same of sources whose first event is one of @events. */
gboolean tt_store_each_link_of (TtStore *self,
                                guint links,
                                const TtRowRange *events,
                                TtFlowFunc func,
                                gpointer data,
                                GError **error);

typedef struct
{
  guint64 event;
  guint64 launch; /* event; 0: none */
  TtActivity what;
} TtActivityRow;
typedef gboolean (*TtActivityFunc) (const TtActivityRow *row, gpointer data);
/* By event; of an event's rows the one with its role last. */
gboolean tt_store_each_activity (TtStore *self, TtActivityFunc func, gpointer data, GError **error);
/* Only those of sources whose first event is one of @events. */
gboolean
tt_store_each_activity_of (TtStore *self, const TtRowRange *events, TtActivityFunc func, gpointer data, GError **error);

/* A row of activity with its event, without what only causes need. */
typedef struct
{
  guint64 event;
  TtActivityRole role;
  guint32 name, flags;
  gint64 dur_ns;     /* TT_NO_TIME: an instant */
  gboolean is_short; /* it took less than the call that launched it; FALSE where that is not known, or not asked for */
} TtWorkRow;
typedef gboolean (*TtWorkFunc) (const TtWorkRow *row, gpointer data);
/* As tt_store_each_activity(); a third of the time where few events have rows. */
gboolean tt_store_each_work (TtStore *self, gboolean with_short, TtWorkFunc func, gpointer data, GError **error);
/* A tensor of the model; texts: NULL = unknown, valid during the call. */
typedef struct
{
  gint64 tensor_id;
  const char *tensor_name, *shape, *dtype, *origin;
  gint64 update_id; /* -1: none */
} TtParameter;
typedef gboolean (*TtParameterFunc) (const TtParameter *parameter, gpointer data);
/* In order of runs, then tensor_id. */
gboolean tt_store_each_parameter (TtStore *self, TtParameterFunc func, gpointer data, GError **error);

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/collectives.h"

#include "analyzers/communication/collective-shape.h"
#include "analyzers/imbalance/calls.h"

#define UNKNOWN G_MAXUINT

typedef struct
{
  GArray *waits;
  TtWaitCounts *counts;
} Finder;

static void
add_wait (Finder *self, const TtArrival *waiter, const TtArrival *cause, TtWaitKind kind, gboolean is_inferred)
{
  const TtWait wait = {
    .kind = kind,
    .event = waiter->event,
    .begin_ns = waiter->begin_ns,
    .end_ns = MIN (cause->begin_ns, waiter->end_ns),
    .from_ns = cause->begin_ns,
    .from_event = cause->event,
    .is_inferred = is_inferred,
  };

  if (waiter == cause || waiter->event == 0 || cause->event == 0 || wait.end_ns <= wait.begin_ns)
    return;
  self->counts->n_early += waiter->end_ns < cause->begin_ns;
  g_array_append_val (self->waits, wait);
}

/* Nobody leaves before the root has come. */
static guint
last_to_come_in_time (const TtCall *call)
{
  gint64 first_end_ns = G_MAXINT64;
  guint root = UNKNOWN;

  for (guint i = 0; i < call->n; i++)
    first_end_ns = MIN (first_end_ns, call->ranks[i].end_ns);
  for (guint i = 0; i < call->n; i++)
    if (call->ranks[i].begin_ns <= first_end_ns &&
        (root == UNKNOWN || call->ranks[i].begin_ns > call->ranks[root].begin_ns))
      root = i;
  return root;
}

/* The root does not leave before all have come. */
static guint
last_to_leave (const TtCall *call)
{
  guint root = 0;

  for (guint i = 1; i < call->n; i++)
    if (call->ranks[i].end_ns > call->ranks[root].end_ns)
      root = i;
  return root;
}

static void
add_waits_for_last (Finder *self, const TtCall *call, TtWaitKind kind)
{
  for (guint i = 0; i < call->n; i++)
    add_wait (self, &call->ranks[i], &call->ranks[call->last], kind, call->ranks[i].end_ns < call->last_ns);
}

/* Traces do not tell the root. */
static gboolean
on_call (const TtCall *call, gpointer data)
{
  Finder *self = data;
  guint root;

  switch (tt_collective_shape (call->function))
    {
    case TT_COLLECTIVE_OTHER:
      self->counts->n_unjudged++;
      break;
    case TT_COLLECTIVE_BARRIER:
    case TT_COLLECTIVE_FENCE:
      add_waits_for_last (self, call, TT_WAIT_BARRIER);
      break;
    case TT_COLLECTIVE_ALL:
      add_waits_for_last (self, call, TT_WAIT_NXN);
      break;
    case TT_COLLECTIVE_FROM:
      root = last_to_come_in_time (call);
      for (guint i = 0; i < call->n && root != UNKNOWN; i++)
        add_wait (self, &call->ranks[i], &call->ranks[root], TT_WAIT_LATE_BROADCAST, TRUE);
      break;
    case TT_COLLECTIVE_TO:
      add_wait (self, &call->ranks[last_to_leave (call)], &call->ranks[call->last], TT_WAIT_EARLY_REDUCE, TRUE);
      break;
    }
  return TRUE;
}

gboolean
tt_collective_waits_find (TtStore *store, GArray *waits, TtWaitCounts *counts, GError **error)
{
  Finder self = { waits, counts };

  return tt_each_call (store, NULL, on_call, &self, &counts->n_alone, error);
}

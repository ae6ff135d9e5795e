/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/collectives.h"

#include <string.h>

#include "analyzers/imbalance/calls.h"

#define UNKNOWN G_MAXUINT

typedef enum
{
  SHAPE_OTHER,
  SHAPE_BARRIER,
  SHAPE_ALL,  /* from all to all */
  SHAPE_FROM, /* from the root to all */
  SHAPE_TO,   /* from all to the root */
} Shape;

typedef struct
{
  GArray *waits;
  TtWaitCounts *counts;
} Finder;

static gboolean
is_non_blocking (const char *function)
{
  return (g_str_has_prefix (function, "MPI_I") && !g_str_has_prefix (function, "MPI_In")) ||
         g_str_has_prefix (function, "MPI_Ineighbor") || strstr (function, "_idup") != NULL ||
         strstr (function, "_iread") != NULL || strstr (function, "_iwrite") != NULL;
}

static Shape
shape_of (const char *function)
{
  static const struct
  {
    const char *word;
    Shape shape;
  } shapes[] = {
    { "neighbor", SHAPE_OTHER },   { "barrier", SHAPE_BARRIER }, { "fence", SHAPE_BARRIER },    { "allreduce", SHAPE_ALL },
    { "allgather", SHAPE_ALL },    { "alltoall", SHAPE_ALL },    { "reducescatter", SHAPE_ALL }, { "bcast", SHAPE_FROM },
    { "broadcast", SHAPE_FROM },   { "scatter", SHAPE_FROM },    { "reduce", SHAPE_TO },        { "gather", SHAPE_TO },
  };
  g_autofree char *lower = g_ascii_strdown (function, -1);
  char *end = lower;

  if (is_non_blocking (function))
    return SHAPE_OTHER;
  for (const char *p = lower; *p != '\0'; p++)
    if (*p != '_')
      *end++ = *p;
  *end = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (strstr (lower, shapes[i].word) != NULL)
      return shapes[i].shape;
  return SHAPE_OTHER;
}

/* The root of @call, if the trace tells it. */
static guint
known_root (const TtCall *call)
{
  return UNKNOWN;
}

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

static gboolean
on_call (const TtCall *call, gpointer data)
{
  Finder *self = data;
  Shape shape = shape_of (call->function);
  guint root = known_root (call);
  gboolean is_inferred = root == UNKNOWN;

  switch (shape)
    {
    case SHAPE_OTHER:
      self->counts->n_unjudged++;
      break;
    case SHAPE_BARRIER:
    case SHAPE_ALL:
      for (guint i = 0; i < call->n; i++)
        add_wait (self, &call->ranks[i], &call->ranks[call->last],
                  shape == SHAPE_BARRIER ? TT_WAIT_BARRIER : TT_WAIT_NXN, call->ranks[i].end_ns < call->last_ns);
      break;
    case SHAPE_FROM:
      root = is_inferred ? last_to_come_in_time (call) : root;
      for (guint i = 0; i < call->n && root != UNKNOWN; i++)
        add_wait (self, &call->ranks[i], &call->ranks[root], TT_WAIT_LATE_BROADCAST, is_inferred);
      break;
    case SHAPE_TO:
      root = is_inferred ? last_to_leave (call) : root;
      add_wait (self, &call->ranks[root], &call->ranks[call->last], TT_WAIT_EARLY_REDUCE, is_inferred);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/roots.h"

#include <string.h>

#include "src/base/compare.h"

typedef struct
{
  guint32 clock, thread, call;
  gboolean has_size;
  gint64 begin_ns, end_ns;
} Part;

struct _TtClockGathers
{
  TtClockTies *ties;
  GArray *parts; /* of Part; then by thread and begin */
  guint32 n_calls;
  gboolean is_partial; /* some call is not of all ranks */
  guint32 series;
};

TtClockGathers *
tt_clock_gathers_new (TtClockTies *ties)
{
  TtClockGathers *self = g_new0 (TtClockGathers, 1);

  self->ties = ties;
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  return self;
}

void
tt_clock_gathers_free (TtClockGathers *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_free (self);
}

/* Of functions in which each rank gives or gets something: of MPI_Gatherv and others some may have no part. */
static gboolean
is_of_all (const char *function)
{
  static const char *const functions[] = { "MPI_Bcast",    "MPI_Scatter", "MPI_Reduce",  "MPI_Gather", "MPI_Ibcast",
                                           "MPI_Iscatter", "MPI_Ireduce", "MPI_Igather", NULL };

  return g_strv_contains (functions, function);
}

/* The call that a part ends with: the one that completed it, if it returned at once. FALSE: that is not known. */
static gboolean
find_end (const TtClockSpans *spans, gboolean returns_at_once, const TtArrival *rank, gint64 *begin_ns, gint64 *end_ns)
{
  const TtClockCompletion *by = returns_at_once ? tt_clock_spans_find_completion (spans, rank->event) : NULL;

  *begin_ns = by != NULL ? by->begin_ns : rank->begin_ns;
  *end_ns = by != NULL ? by->end_ns : rank->end_ns;
  return !returns_at_once || by != NULL;
}

/* The root, then those that waited for it. */
static void
add_broadcast (TtClockTies *ties, const TtClockSpans *spans, const TtCall *call, gboolean returns_at_once)
{
  const TtArrival *root = &call->ranks[call->told_root];
  const TtClockMember first = { ties->clock_of[root->process], TRUE, root->begin_ns, root->end_ns };
  TtClockCall row = { ties->returns->len, 1, TRUE, FALSE };

  g_array_append_val (ties->returns, first);
  for (guint i = 0; i < call->n; i++)
    {
      TtClockMember other = { .clock = ties->clock_of[call->ranks[i].process] };

      if (i == call->told_root || other.clock >= ties->n_clocks ||
          !find_end (spans, returns_at_once, &call->ranks[i], &other.begin_ns, &other.end_ns) ||
          other.begin_ns == TT_NO_TIME || !tt_clock_has_met (other.begin_ns, other.end_ns))
        continue;
      g_array_append_val (ties->returns, other);
      row.n++;
    }
  if (row.n > 2 && first.clock < ties->n_clocks)
    g_array_append_val (ties->meetings, row);
  else
    g_array_set_size (ties->returns, row.first);
}

static void
add_told (TtClockTies *ties, const TtClockSpans *spans, const TtCall *call)
{
  TtCollectiveShape shape_later = tt_collective_shape_at_completion (call->function);
  gboolean returns_at_once = shape_later != TT_COLLECTIVE_OTHER;
  gboolean is_to = (returns_at_once ? shape_later : call->shape) == TT_COLLECTIVE_TO;
  const TtArrival *root = &call->ranks[call->told_root];
  guint32 root_clock = ties->clock_of[root->process];

  for (guint i = 0; i < call->n; i++)
    {
      const TtArrival *rank = &call->ranks[i];
      guint32 clock = ties->clock_of[rank->process];
      gint64 begin_ns, end_ns;
      gboolean has_end = find_end (spans, returns_at_once, is_to ? root : rank, &begin_ns, &end_ns);
      const TtClockTie tie = { is_to ? clock : root_clock, is_to ? root_clock : clock,
                               is_to ? rank->begin_ns : root->begin_ns, end_ns };

      if (has_end && tie.from != tie.to && tie.from < ties->n_clocks && tie.to < ties->n_clocks)
        g_array_append_val (ties->messages, tie);
    }
  if (!is_to)
    add_broadcast (ties, spans, call, returns_at_once);
}

void
tt_clock_gathers_take (TtClockGathers *self, const TtClockSpans *spans, const TtCall *call)
{
  if (call->told_root != TT_CALL_NOBODY && !call->is_inferred && is_of_all (call->function))
    {
      add_told (self->ties, spans, call);
      return;
    }
  if (strcmp (call->function, "MPI_Gather") != 0)
    return;
  self->is_partial |= call->n != self->ties->n_clocks;
  for (guint i = 0; i < call->n; i++)
    {
      const TtArrival *rank = &call->ranks[i];
      const Part part = { .clock = self->ties->clock_of[rank->process],
                          .thread = rank->thread,
                          .call = self->n_calls,
                          .begin_ns = rank->begin_ns,
                          .end_ns = rank->end_ns };

      self->is_partial |= part.clock >= self->ties->n_clocks;
      g_array_append_val (self->parts, part);
    }
  self->n_calls++;
}

static int
compare_by_thread (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;

  return x->thread != y->thread ? TT_COMPARE (x->thread, y->thread) : TT_COMPARE (x->begin_ns, y->begin_ns);
}

static int
compare_by_call (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;

  return x->call != y->call ? TT_COMPARE (x->call, y->call) : TT_COMPARE (x->clock, y->clock);
}

/* Marks the part in which the size was written. */
static gboolean
take_size (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  TtClockGathers *self = data;
  Part *parts = (Part *) (gpointer) self->parts->data;
  guint low = 0, high = self->parts->len;

  if (series != self->series)
    return TRUE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (parts[middle].thread < thread || (parts[middle].thread == thread && parts[middle].begin_ns <= ts_ns))
        low = middle + 1;
      else
        high = middle;
    }
  if (low > 0 && parts[low - 1].thread == thread && ts_ns <= parts[low - 1].end_ns)
    parts[low - 1].has_size = TRUE;
  return TRUE;
}

static gboolean
find_series (TtClockGathers *self, TtStore *store)
{
  guint n, n_found = 0;
  const TtSeries *series = tt_store_series (store, &n);

  for (guint i = 0; i < n; i++)
    if (series[i].name != NULL && strcmp (series[i].name, "Message size for gather") == 0)
      {
        self->series = series[i].id;
        n_found++;
      }
  return n_found == 1;
}

/* The root's part; NULL: there is not just one. */
static const Part *
find_root (const Part *parts, guint n)
{
  const Part *root = NULL;

  for (guint i = 0; i < n; i++)
    if (parts[i].has_size)
      {
        if (root != NULL)
          return NULL;
        root = &parts[i];
      }
  return root;
}

static void
add_ties (TtClockTies *ties, const Part *parts, guint n, const Part *root)
{
  for (guint i = 0; i < n; i++)
    {
      const TtClockTie tie = { parts[i].clock, root->clock, parts[i].begin_ns, root->end_ns };

      if (tie.from != tie.to)
        g_array_append_val (ties->messages, tie);
    }
}

gboolean
tt_clock_gathers_finish (TtClockGathers *self, TtStore *store, GError **error)
{
  guint n = self->ties->n_clocks, n_messages = self->ties->messages->len;

  if (self->n_calls == 0 || self->is_partial || !find_series (self, store))
    return TRUE;
  g_array_sort (self->parts, compare_by_thread);
  if (!tt_store_each_counter (store, take_size, self, error))
    return FALSE;
  g_array_sort (self->parts, compare_by_call);
  const Part *parts = (const Part *) (gconstpointer) self->parts->data;
  for (guint i = 0; i < self->n_calls; i++)
    {
      const Part *root = find_root (parts + (gsize) i * n, n);

      if (root == NULL)
        {
          g_array_set_size (self->ties->messages, n_messages);
          return TRUE;
        }
      add_ties (self->ties, parts + (gsize) i * n, n, root);
    }
  return TRUE;
}

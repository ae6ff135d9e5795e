/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/calls.h"

#include <string.h>

#include "analyzers/communication/collective-shape.h"
#include "analyzers/process-order.h"
#include "src/trace/span.h"

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtCallFunc func;
  gpointer data;
  gboolean goes_on;

  /* the call that is being read */
  char *function;
  gint64 comm, ordinal;
  gboolean is_chosen, is_blocking;
  GArray *ranks;     /* of TtArrival */
  guint32 *index_of; /* by process that leads a rank: index + 1 */
  guint64 n_alone;
} Reader;

/* Whether no rank can leave before all have come: what everybody gets depends on everybody. */
static gboolean
is_blocking (const char *function)
{
  TtCollectiveShape shape = tt_collective_shape (function);

  return shape == TT_COLLECTIVE_ALL || shape == TT_COLLECTIVE_BARRIER;
}

static void
end_call (Reader *self)
{
  TtArrival *ranks = (TtArrival *) (gpointer) self->ranks->data;
  guint n = self->ranks->len;
  TtCall call = { self->function, self->comm, ranks, n, 0, 0, 0, self->is_blocking, FALSE };
  gint64 first_end_ns = G_MAXINT64;

  self->n_alone += n == 1 && self->is_chosen;
  for (guint i = 0; i < n; i++)
    {
      gint64 begin_ns = ranks[i].begin_ns;

      if (i == 0 || begin_ns > call.last_ns ||
          (begin_ns == call.last_ns && tt_process_order (self->store, ranks[i].process, ranks[call.last].process) < 0))
        {
          call.last = i;
          call.last_ns = begin_ns;
        }
      call.first_ns = i == 0 ? begin_ns : MIN (call.first_ns, begin_ns);
      first_end_ns = MIN (first_end_ns, ranks[i].end_ns);
      self->index_of[ranks[i].process] = 0;
    }
  call.is_impossible = self->is_blocking && first_end_ns < call.last_ns;
  if (n >= 2 && self->is_chosen && self->goes_on)
    self->goes_on = self->func (&call, self->data);
  g_array_set_size (self->ranks, 0);
  self->is_chosen = FALSE;
}

static void
add_part (Reader *self, guint32 leader, const TtCollective *part)
{
  gint64 end_ns = part->dur_ns == TT_NO_TIME ? part->ts_ns : tt_span_end (part->ts_ns, part->dur_ns);
  guint32 *index = &self->index_of[leader];

  if (*index == 0)
    {
      const TtArrival arrival = { leader, part->thread, part->event, part->ts_ns, end_ns };

      g_array_append_val (self->ranks, arrival);
      *index = self->ranks->len;
      return;
    }
  TtArrival *arrival = &g_array_index (self->ranks, TtArrival, *index - 1);
  if (part->ts_ns < arrival->begin_ns)
    {
      arrival->begin_ns = part->ts_ns;
      arrival->event = part->event;
      arrival->thread = part->thread;
    }
  arrival->end_ns = MAX (arrival->end_ns, end_ns);
}

static gboolean
take_part (const TtCollective *part, gpointer data)
{
  Reader *self = data;
  const TtProcess *process = tt_store_process (self->store, part->process);
  gboolean is_same_function = self->function != NULL && strcmp (self->function, part->function) == 0;

  if (process == NULL)
    return TRUE;
  if (!is_same_function || part->comm != self->comm || part->ordinal != self->ordinal)
    end_call (self);
  if (!is_same_function)
    {
      g_free (self->function);
      self->function = g_strdup (part->function);
      self->is_blocking = is_blocking (self->function);
    }
  self->comm = part->comm;
  self->ordinal = part->ordinal;
  self->is_chosen |=
      self->selection == NULL || tt_selection_matches_point (self->selection, part->thread, part->ts_ns);
  add_part (self, process->owner, part);
  return self->goes_on;
}

gboolean
tt_each_call (TtStore *store, const TtSelection *selection, TtCallFunc func, gpointer data, guint64 *n_alone, GError **error)
{
  Reader self = { .store = store, .selection = selection, .func = func, .data = data, .goes_on = TRUE };

  self.ranks = g_array_new (FALSE, FALSE, sizeof (TtArrival));
  self.index_of = g_new0 (guint32, (gsize) tt_store_max_process (store) + 1);
  gboolean is_ok = tt_store_each_collective (store, take_part, &self, error);
  end_call (&self);
  *n_alone = self.n_alone;
  g_array_unref (self.ranks);
  g_free (self.index_of);
  g_free (self.function);
  return is_ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ties.h"

#include <string.h>

#include "analyzers/clocks/roots.h"
#include "analyzers/imbalance/calls.h"
#include "analyzers/process-order.h"

typedef struct
{
  TtClockTies *ties;
  TtStore *store;
  TtClockGathers *gathers;
  GArray *named, *supposed; /* of TtClockCall */
  /* the function and communicator that is being read */
  char *function;
  gint64 comm;
  guint first_call; /* of `supposed` */
  guint n_ranks;
  gboolean is_uneven;
} Collector;

/* -- clocks ----------------------------------------------------------------------------------------------------- */

static int
compare_processes (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, *(const guint32 *) a, *(const guint32 *) b);
}

/* In the order of ranks, so that the first of them keeps its time. */
static void
number_clocks (TtClockTies *self, TtStore *store)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autoptr (GArray) leaders = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->clock_of = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    if (processes[i].owner == processes[i].id)
      g_array_append_val (leaders, processes[i].id);
  g_array_sort_with_data (leaders, compare_processes, store);
  for (guint i = 0; i <= n; i++)
    self->clock_of[i] = G_MAXUINT32;
  for (guint i = 0; i < leaders->len; i++)
    self->clock_of[g_array_index (leaders, guint32, i)] = i;
  for (guint i = 0; i < n; i++)
    if (processes[i].owner <= n)
      self->clock_of[processes[i].id] = self->clock_of[processes[i].owner];
  self->n_clocks = leaders->len;
  self->message_ranges = g_new (TtClockRange, (gsize) n + 1);
  for (guint i = 0; i <= n; i++)
    self->message_ranges[i] = TT_CLOCK_RANGE_NONE;
}

/* -- messages --------------------------------------------------------------------------------------------------- */

static void
note_end (TtClockTies *self, guint32 process, gint64 ns)
{
  if (ns != TT_NO_TIME)
    tt_clock_range_widen (&self->message_ranges[process], ns, ns);
}

static gboolean
take_message (const TtMessageTimes *message, gpointer data)
{
  TtClockTies *self = data;
  const TtClockTie tie = { self->clock_of[message->src_process], self->clock_of[message->dst_process], message->send_ns,
                           message->recv_ns };

  note_end (self, message->src_process, message->send_ns);
  note_end (self, message->dst_process, message->recv_ns);
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME && tie.from != tie.to &&
      tie.from < self->n_clocks && tie.to < self->n_clocks)
    g_array_append_val (self->messages, tie);
  return TRUE;
}

/* -- collectives ------------------------------------------------------------------------------------------------ */

/* Where ranks call a function a different number of times, the k-th calls are not of one call. */
static void
end_function (Collector *self)
{
  if (self->is_uneven)
    g_array_set_size (self->supposed, self->first_call);
  self->first_call = self->supposed->len;
  self->n_ranks = 0;
  self->is_uneven = FALSE;
}

static gboolean
take_call (const TtCall *call, gpointer data)
{
  Collector *self = data;
  TtClockTies *ties = self->ties;
  const TtClockCall row = { ties->members->len, call->n };

  if (self->function == NULL || call->comm != self->comm || strcmp (call->function, self->function) != 0)
    {
      end_function (self);
      g_free (self->function);
      self->function = g_strdup (call->function);
      self->comm = call->comm;
    }
  tt_clock_gathers_take (self->gathers, call);
  if (!call->is_blocking)
    return TRUE;
  if (!call->is_inferred)
    {
      self->is_uneven |= self->n_ranks != 0 && call->n != self->n_ranks;
      self->n_ranks = call->n;
    }
  for (guint i = 0; i < call->n; i++)
    {
      const TtArrival *rank = &call->ranks[i];
      const TtClockMember member = { ties->clock_of[rank->process], rank->begin_ns, rank->end_ns };

      if (member.clock >= ties->n_clocks)
        {
          g_array_set_size (ties->members, row.first);
          return TRUE;
        }
      g_array_append_val (ties->members, member);
    }
  if (call->comm != 0 && !call->is_inferred)
    g_array_append_val (self->named, row);
  else
    g_array_append_val (self->supposed, row);
  return TRUE;
}

/* -- all -------------------------------------------------------------------------------------------------------- */

TtClockTies *
tt_clock_ties_new (TtStore *store, GError **error)
{
  g_autoptr (TtClockTies) self = g_new0 (TtClockTies, 1);
  g_autoptr (GArray) supposed = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  g_autoptr (TtClockGathers) gathers = tt_clock_gathers_new (self);
  Collector collector = { .ties = self, .store = store, .gathers = gathers, .supposed = supposed };

  self->messages = g_array_new (FALSE, FALSE, sizeof (TtClockTie));
  self->members = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
  self->calls = collector.named = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  number_clocks (self, store);
  if (self->n_clocks < 2 || tt_store_has_clock (store, TT_CLOCK_TICKS))
    return g_steal_pointer (&self);
  if (!tt_store_each_message_times (store, take_message, self, error))
    return NULL;
  gboolean is_read = tt_each_call (store, NULL, take_call, &collector, NULL, error);
  end_function (&collector);
  g_free (collector.function);
  if (!is_read || !tt_clock_gathers_finish (gathers, store, error))
    return NULL;
  self->n_named = self->calls->len;
  g_array_append_vals (self->calls, supposed->data, supposed->len);
  return g_steal_pointer (&self);
}

void
tt_clock_ties_free (TtClockTies *self)
{
  if (self == NULL)
    return;
  g_free (self->clock_of);
  g_free (self->message_ranges);
  g_array_unref (self->messages);
  g_array_unref (self->members);
  g_array_unref (self->calls);
  g_free (self);
}

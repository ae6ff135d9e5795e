/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ties.h"

#include <string.h>

#include "analyzers/clocks/rendezvous.h"
#include "analyzers/clocks/roots.h"
#include "analyzers/imbalance/calls.h"
#include "analyzers/process-order.h"
#include "src/trace/span.h"

/* Of a rank in a call; without one the call's own begin and end. */
typedef struct
{
  gint64 begin_ns, end_ns;
} Barrier;

typedef struct
{
  TtClockTies *ties;
  TtStore *store;
  TtClockGathers *gathers;
  const TtClockSpans *spans;
  GArray *barriers;                  /* of Barrier, of the call that is looked at: of each of its ranks */
  GArray *named, *supposed, *fences; /* of TtClockCall */
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

/* Those that lead, in the order of ranks. Of many nearly all do: what is in order already needs no room to be sorted. */
static guint32 *
list_leaders (TtStore *store, guint *n_leaders)
{
  guint n, n_listed = 0;
  const TtProcess *processes = tt_store_processes (store, &n);
  gboolean is_sorted = TRUE;

  *n_leaders = 0;
  for (guint i = 0; i < n; i++)
    *n_leaders += processes[i].owner == processes[i].id;
  guint32 *leaders = g_new (guint32, (gsize) *n_leaders + 1);
  for (guint i = 0; i < n; i++)
    if (processes[i].owner == processes[i].id)
      {
        leaders[n_listed++] = processes[i].id;
        is_sorted = is_sorted &&
                    (n_listed < 2 || compare_processes (&leaders[n_listed - 2], &leaders[n_listed - 1], store) <= 0);
      }
  if (!is_sorted)
    g_qsort_with_data (leaders, (gint) n_listed, sizeof *leaders, compare_processes, store);
  return leaders;
}

/* So that the first of them keeps its time. */
static void
number_clocks (TtClockTies *self, TtStore *store)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autofree guint32 *leaders = list_leaders (store, &self->n_clocks);

  self->clock_of = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i <= n; i++)
    self->clock_of[i] = G_MAXUINT32;
  for (guint i = 0; i < self->n_clocks; i++)
    self->clock_of[leaders[i]] = i;
  for (guint i = 0; i < n; i++)
    if (processes[i].owner <= n)
      self->clock_of[processes[i].id] = self->clock_of[processes[i].owner];
  self->n_processes = n;
}

/* Times that were moved to where time ends say nothing. */
static gboolean
is_of_kind (const TtClockTies *self, gboolean is_main, gint64 ns)
{
  return ns > -TT_TIME_MAX_NS && ns < TT_TIME_MAX_NS && tt_clock_is_main_kind (self, ns) == is_main;
}

static gboolean
are_of_one_kind (const TtClockTies *self, gint64 a_ns, gint64 b_ns)
{
  gboolean is_main = tt_clock_is_main_kind (self, a_ns);

  return is_of_kind (self, is_main, a_ns) && is_of_kind (self, is_main, b_ns);
}

/* -- messages --------------------------------------------------------------------------------------------------- */

static void
note_end (TtClockTies *self, guint32 process, gint64 ns)
{
  if (ns == TT_NO_TIME)
    return;
  if (self->message_ranges == NULL)
    {
      self->message_ranges = g_new (TtClockRange, (gsize) self->n_processes + 1);
      for (guint i = 0; i <= self->n_processes; i++)
        self->message_ranges[i] = TT_CLOCK_RANGE_NONE;
    }
  tt_clock_range_widen (&self->message_ranges[process], ns, ns);
}

static void
add_tie (TtClockTies *self, guint32 cause_process, guint32 effect_process, gint64 cause_ns, gint64 effect_ns)
{
  const TtClockTie tie = { self->clock_of[cause_process], self->clock_of[effect_process], cause_ns, effect_ns };

  if (tie.from != tie.to && tie.from < self->n_clocks && tie.to < self->n_clocks)
    g_array_append_val (self->messages, tie);
}

static gboolean
take_message (const TtMessageTimes *message, gpointer data)
{
  TtClockTies *self = data;

  note_end (self, message->src_process, message->send_ns);
  note_end (self, message->dst_process, message->recv_ns);
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME &&
      are_of_one_kind (self, message->send_ns, message->recv_ns))
    add_tie (self, message->src_process, message->dst_process, message->send_ns, message->recv_ns);
  return TRUE;
}

static void
take_rendezvous (const TtClockRendezvous *rendezvous, gpointer data)
{
  TtClockTies *self = data;
  const TtClockMember src = { self->clock_of[rendezvous->src_process], FALSE, rendezvous->send_begin_ns,
                              rendezvous->send_end_ns };
  const TtClockMember dst = { self->clock_of[rendezvous->dst_process], FALSE, rendezvous->recv_begin_ns,
                              rendezvous->recv_end_ns };
  const TtClockCall call = { self->members->len, 2, FALSE, FALSE };

  if (src.clock == dst.clock || src.clock >= self->n_clocks || dst.clock >= self->n_clocks ||
      !are_of_one_kind (self, src.begin_ns, dst.begin_ns))
    return;
  g_array_append_val (self->members, src);
  g_array_append_val (self->members, dst);
  g_array_append_val (self->calls, call);
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

/* A barrier within all parts, or what nobody leaves before all have come, or completes before. */
typedef enum
{
  NEED_NONE,
  NEED_CALL,
  NEED_BARRIER,
  NEED_COMPLETION,
} Need;

static Need
need_of_call (const Collector *self, const TtCall *call)
{
  TtCollectiveShape shape = tt_collective_shape_at_completion (call->function);
  guint n_barriers = 0, n_completions = 0;

  g_array_set_size (self->barriers, call->n);
  for (guint i = 0; i < call->n; i++)
    {
      Barrier *barrier = &g_array_index (self->barriers, Barrier, i);

      *barrier = (Barrier){ call->ranks[i].begin_ns, call->ranks[i].end_ns };
      n_barriers +=
          tt_clock_spans_find_barrier (self->spans, call->ranks[i].thread, &barrier->begin_ns, &barrier->end_ns);
      n_completions += tt_clock_spans_find_completion (self->spans, call->ranks[i].event) != NULL;
    }
  if (n_barriers == call->n)
    return NEED_BARRIER;
  if (call->is_blocking || call->shape == TT_COLLECTIVE_FENCE)
    return NEED_CALL;
  return n_completions == call->n && (shape == TT_COLLECTIVE_ALL || shape == TT_COLLECTIVE_BARRIER) ? NEED_COMPLETION
                                                                                                    : NEED_NONE;
}

/* Of the @i-th rank of the call. */
static TtClockMember
make_member (const Collector *self, const TtArrival *rank, guint i, Need need)
{
  const Barrier *barrier = &g_array_index (self->barriers, Barrier, i);
  TtClockMember member = { self->ties->clock_of[rank->process], FALSE, rank->begin_ns, rank->end_ns };

  if (need == NEED_BARRIER)
    {
      member.begin_ns = barrier->begin_ns;
      member.end_ns = barrier->end_ns;
    }
  else if (need == NEED_COMPLETION)
    {
      const TtClockCompletion *by = tt_clock_spans_find_completion (self->spans, rank->event);

      member.end_ns = by->end_ns;
      member.is_late = by->begin_ns == TT_NO_TIME || !tt_clock_has_met (by->begin_ns, by->end_ns);
    }
  return member;
}

static void
begin_function (Collector *self, const TtCall *call)
{
  end_function (self);
  g_free (self->function);
  self->function = g_strdup (call->function);
  self->comm = call->comm;
}

static guint
count_of_kind (const TtClockTies *self, gboolean is_main, const TtCall *call)
{
  guint n = 0;

  for (guint i = 0; i < call->n; i++)
    n += is_of_kind (self, is_main, call->ranks[i].begin_ns);
  return n;
}

/* The parts of those whose times are of one kind. */
static void
add_call (Collector *self, const TtCall *call, Need need, gboolean is_main)
{
  TtClockTies *ties = self->ties;
  const TtClockCall row = { ties->members->len, count_of_kind (ties, is_main, call), need == NEED_COMPLETION,
                            call->is_inferred };

  if (row.n < 2)
    return;
  for (guint i = 0; i < call->n; i++)
    {
      const TtClockMember member = make_member (self, &call->ranks[i], i, need);

      if (member.clock >= ties->n_clocks)
        {
          g_array_set_size (ties->members, row.first);
          return;
        }
      if (is_of_kind (ties, is_main, call->ranks[i].begin_ns))
        g_array_append_val (ties->members, member);
    }
  if (call->shape == TT_COLLECTIVE_FENCE && need == NEED_CALL)
    g_array_append_val (self->fences, row);
  else if (call->comm != 0 && !call->is_inferred)
    g_array_append_val (self->named, row);
  else
    g_array_append_val (self->supposed, row);
}

/* Ends that prove nothing by themselves, of calls of which it is not known where they were completed. */
static void
add_likely_meeting (Collector *self, const TtCall *call)
{
  TtClockTies *ties = self->ties;
  TtCollectiveShape shape = tt_collective_shape_at_completion (call->function);
  const TtClockCall row = { ties->returns->len, call->n, FALSE, call->is_inferred };

  if (call->n != ties->n_clocks || (shape != TT_COLLECTIVE_ALL && shape != TT_COLLECTIVE_BARRIER))
    return;
  for (guint i = 0; i < call->n; i++)
    {
      const TtClockCompletion *by = tt_clock_spans_find_likely (self->spans, call->ranks[i].event);
      TtClockMember member = { ties->clock_of[call->ranks[i].process], TRUE, call->ranks[i].begin_ns, 0 };

      if (by == NULL || member.clock >= ties->n_clocks)
        {
          g_array_set_size (ties->returns, row.first);
          return;
        }
      member.end_ns = by->end_ns;
      member.is_late = !tt_clock_has_met (by->begin_ns, by->end_ns);
      g_array_append_val (ties->returns, member);
    }
  g_array_append_val (ties->meetings, row);
}

static gboolean
take_call (const TtCall *call, gpointer data)
{
  Collector *self = data;
  TtClockTies *ties = self->ties;
  Need need = need_of_call (self, call);
  gboolean are_all_of_kind = count_of_kind (ties, TRUE, call) == call->n;

  if (self->function == NULL || call->comm != self->comm || strcmp (call->function, self->function) != 0)
    begin_function (self, call);
  if (call->is_mended)
    return TRUE;
  if (are_all_of_kind)
    tt_clock_gathers_take (self->gathers, self->spans, call);
  if (need == NEED_NONE && are_all_of_kind)
    add_likely_meeting (self, call);
  if (need == NEED_NONE)
    return TRUE;
  if (!call->is_inferred)
    {
      self->is_uneven |= self->n_ranks != 0 && call->n != self->n_ranks;
      self->n_ranks = call->n;
    }
  add_call (self, call, need, TRUE);
  if (ties->is_mixed)
    add_call (self, call, need, FALSE);
  return TRUE;
}

/* -- all -------------------------------------------------------------------------------------------------------- */

TtClockTies *
tt_clock_ties_new (TtStore *store, gpointer prepared, GError **error)
{
  g_autoptr (TtClockTies) self = g_new0 (TtClockTies, 1);
  g_autoptr (GArray) supposed = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  g_autoptr (GArray) fences = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  g_autoptr (TtClockGathers) gathers = tt_clock_gathers_new (self);
  g_autoptr (GArray) barriers = g_array_new (FALSE, FALSE, sizeof (Barrier));
  g_autoptr (TtClockSpans) spans = NULL;
  Collector collector = {
    .ties = self, .store = store, .gathers = gathers, .barriers = barriers, .supposed = supposed, .fences = fences
  };

  self->messages = g_array_new (FALSE, FALSE, sizeof (TtClockTie));
  self->members = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
  self->calls = collector.named = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  self->returns = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
  self->meetings = g_array_new (FALSE, FALSE, sizeof (TtClockCall));
  number_clocks (self, store);
  self->kind = tt_store_main_clock (store, &self->is_mixed);
  if (self->n_clocks < 2 || tt_store_has_clock (store, TT_CLOCK_TICKS))
    return g_steal_pointer (&self);
  spans = tt_clock_spans_new (store, prepared, error);
  if (spans == NULL || !tt_store_each_message_times (store, take_message, self, error) ||
      !tt_clock_each_rendezvous (spans, store, take_rendezvous, self, error))
    return NULL;
  collector.spans = spans;
  gboolean is_read = tt_each_call (store, NULL, take_call, &collector, NULL, error);
  end_function (&collector);
  g_free (collector.function);
  if (!is_read || !tt_clock_gathers_finish (gathers, store, error))
    return NULL;
  self->n_named = self->calls->len;
  g_array_append_vals (self->calls, supposed->data, supposed->len);
  g_array_append_vals (self->calls, fences->data, fences->len);
  self->n_fences = fences->len;
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
  g_array_unref (self->returns);
  g_array_unref (self->meetings);
  g_free (self);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/calls.h"

#include <string.h>

#include "analyzers/imbalance/job-calls.h"
#include "analyzers/imbalance/shared-time.h"
#include "analyzers/process-order.h"
#include "src/trace/span.h"

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtCallFunc func;
  gpointer data;
  gboolean goes_on;
  gboolean all_meet; /* whatever the functions are called */

  /* the call that is being read */
  char *function;
  gint64 comm, ordinal;
  guint32 root; /* process that leads it; TT_NO_ID: not told */
  gboolean are_roots_apart;
  guint n_ranks; /* of the store */
  gboolean is_chosen, is_inferred, is_mended;
  TtCollectiveShape shape;
  GArray *ranks;      /* of TtArrival */
  guint32 *index_of;  /* by process that leads a rank: index + 1 */
  GHashTable *shared; /* tt_shared_time_new(); NULL: nothing is */
  TtCallCounts counts;
} Reader;

/* Of several the first in the order of ranks. @but: left out. */
static guint
last_to_come (const Reader *self, const TtArrival *ranks, guint n, guint but)
{
  guint last = TT_CALL_NOBODY;

  for (guint i = 0; i < n; i++)
    if (i != but && (last == TT_CALL_NOBODY || ranks[i].begin_ns > ranks[last].begin_ns ||
                     (ranks[i].begin_ns == ranks[last].begin_ns &&
                      tt_process_order (self->store, ranks[i].process, ranks[last].process) < 0)))
      last = i;
  return last;
}

/* Nobody leaves before it has come. */
static guint
root_of_broadcast (const TtArrival *ranks, guint n, gint64 first_end_ns)
{
  guint root = TT_CALL_NOBODY;

  for (guint i = 0; i < n; i++)
    if (ranks[i].begin_ns <= first_end_ns && (root == TT_CALL_NOBODY || ranks[i].begin_ns > ranks[root].begin_ns))
      root = i;
  return root;
}

/* It does not leave before all have come. */
static guint
root_of_reduction (const TtArrival *ranks, guint n)
{
  guint root = TT_CALL_NOBODY;

  for (guint i = 0; i < n; i++)
    if (root == TT_CALL_NOBODY || ranks[i].end_ns > ranks[root].end_ns)
      root = i;
  return root;
}

/* Index + 1; 0: nobody. Where no communicator is told, a root is counted among all ranks, which is right in calls of all. */
static guint
find_told (const Reader *self, const TtCall *call)
{
  gboolean is_of_some = (call->comm == 0 || call->is_inferred) && call->n < self->n_ranks;

  return self->root == TT_NO_ID || self->are_roots_apart || is_of_some ? 0 : self->index_of[self->root];
}

static void
find_late (const Reader *self, TtCall *call, gint64 first_end_ns)
{
  gboolean is_from = call->shape == TT_COLLECTIVE_FROM, is_to = call->shape == TT_COLLECTIVE_TO;
  guint told = find_told (self, call);

  call->told_root = told != 0 ? told - 1 : TT_CALL_NOBODY;
  call->root = !is_from && !is_to ? TT_CALL_NOBODY
               : told != 0        ? call->told_root
               : is_from          ? root_of_broadcast (call->ranks, call->n, first_end_ns)
                                  : root_of_reduction (call->ranks, call->n);
  guint late = is_from ? call->root : is_to ? last_to_come (self, call->ranks, call->n, call->root) : call->last;
  gint64 since_ns = is_to ? call->ranks[call->root].begin_ns : call->first_ns;
  call->late = call->ranks[late].begin_ns > since_ns ? late : TT_CALL_NOBODY;
}

static gint64
find_shared (GHashTable *shared, guint64 event)
{
  gint64 key = (gint64) event;
  const gint64 *ns = g_hash_table_lookup (shared, &key);

  return ns == NULL ? 0 : *ns;
}

static void
give_call (Reader *self)
{
  TtArrival *ranks = (TtArrival *) (gpointer) self->ranks->data;
  guint n = self->ranks->len;
  TtCall call = { .function = self->function,
                  .comm = self->comm,
                  .ranks = ranks,
                  .n = n,
                  .shape = self->shape,
                  .is_inferred = self->is_inferred,
                  .is_mended = self->is_mended };
  gint64 first_end_ns = G_MAXINT64;

  call.last = last_to_come (self, ranks, n, TT_CALL_NOBODY);
  call.first_ns = call.last_ns = ranks[call.last].begin_ns;
  for (guint i = 0; i < n; i++)
    {
      call.first_ns = MIN (call.first_ns, ranks[i].begin_ns);
      first_end_ns = MIN (first_end_ns, ranks[i].end_ns);
      if (self->shared != NULL)
        ranks[i].shared_ns = find_shared (self->shared, ranks[i].event);
    }
  /* What everybody gets depends on everybody: no rank can leave before all have come. */
  call.is_blocking =
      self->shape == TT_COLLECTIVE_ALL || self->shape == TT_COLLECTIVE_BARRIER || self->shape == TT_COLLECTIVE_AGREE;
  call.is_impossible = call.is_blocking && first_end_ns < call.last_ns;
  find_late (self, &call, first_end_ns);
  self->goes_on = self->func (&call, self->data);
}

static void
end_call (Reader *self)
{
  guint n = self->ranks->len;

  self->counts.n_alone += n == 1 && self->is_chosen;
  if (n >= 2 && self->is_chosen && self->goes_on)
    give_call (self);
  for (guint i = 0; i < n; i++)
    self->index_of[g_array_index (self->ranks, TtArrival, i).process] = 0;
  g_array_set_size (self->ranks, 0);
  self->is_chosen = self->is_mended = self->are_roots_apart = FALSE;
  self->root = TT_NO_ID;
}

static void
add_part (Reader *self, guint32 leader, const TtCollective *part)
{
  gint64 end_ns = part->dur_ns == TT_NO_TIME ? part->ts_ns : tt_span_end (part->ts_ns, part->dur_ns);
  guint32 *index = &self->index_of[leader];

  if (*index == 0)
    {
      const TtArrival arrival = { leader, part->thread, part->event, part->ts_ns, end_ns, 0, part->name };

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
      arrival->name = part->name;
    }
  arrival->end_ns = MAX (arrival->end_ns, end_ns);
}

static gboolean
is_chosen (const Reader *self, const TtCollective *part)
{
  return self->selection == NULL || tt_selection_matches_point (self->selection, part->thread, part->ts_ns);
}

static gboolean
take_part (const TtCollective *part, gpointer data)
{
  Reader *self = data;
  const TtProcess *process = tt_store_process (self->store, part->process);
  gboolean is_same_function = self->function != NULL && strcmp (self->function, part->function) == 0;

  if (part->is_undecided)
    self->counts.n_undecided += is_chosen (self, part);
  if (process == NULL || part->is_undecided)
    return TRUE;
  if (!is_same_function || part->comm != self->comm || part->ordinal != self->ordinal)
    end_call (self);
  if (!is_same_function)
    {
      g_free (self->function);
      self->function = g_strdup (part->function);
      self->shape = self->all_meet ? TT_COLLECTIVE_ALL : tt_collective_shape (self->function);
    }
  self->comm = part->comm;
  self->ordinal = part->ordinal;
  self->is_inferred = part->is_inferred;
  const TtProcess *root = part->root == TT_NO_ID ? NULL : tt_store_process (self->store, part->root);
  if (root != NULL)
    {
      self->are_roots_apart |= self->root != TT_NO_ID && self->root != root->owner;
      self->root = root->owner;
    }
  self->is_chosen |= is_chosen (self, part);
  self->is_mended |= part->is_mended;
  add_part (self, process->owner, part);
  return self->goes_on;
}

static gboolean
each_call (TtStore *store,
           const TtRowRange *rows,
           const TtSelection *selection,
           gboolean with_job,
           GHashTable *shared,
           TtCallFunc func,
           gpointer data,
           TtCallCounts *counts,
           GError **error)
{
  Reader self = { .store = store,
                  .selection = selection,
                  .shared = shared,
                  .func = func,
                  .data = data,
                  .goes_on = TRUE,
                  .root = TT_NO_ID };
  guint n_processes;
  const TtProcess *processes = tt_store_processes (store, &n_processes);

  for (guint i = 0; i < n_processes; i++)
    self.n_ranks += processes[i].owner == processes[i].id;
  self.ranks = g_array_new (FALSE, FALSE, sizeof (TtArrival));
  self.index_of = g_new0 (guint32, (gsize) tt_store_max_process (store) + 1);
  gboolean is_ok = tt_store_each_collective_of (store, rows, take_part, &self, error);
  end_call (&self);
  if (is_ok && with_job && self.goes_on)
    {
      g_clear_pointer (&self.function, g_free);
      self.all_meet = TRUE;
      is_ok = tt_each_job_collective (store, take_part, &self, error);
      end_call (&self);
    }
  if (counts != NULL)
    *counts = self.counts;
  g_array_unref (self.ranks);
  g_free (self.index_of);
  g_free (self.function);
  return is_ok;
}

static const TtRowRange all_rows = TT_ROWS_ALL;

gboolean
tt_each_call_of (TtStore *store,
                 const TtRowRange *rows,
                 const TtSelection *selection,
                 TtCallFunc func,
                 gpointer data,
                 TtCallCounts *counts,
                 GError **error)
{
  return each_call (store, rows, selection, FALSE, NULL, func, data, counts, error);
}

gboolean
tt_each_call (TtStore *store,
              const TtSelection *selection,
              TtCallFunc func,
              gpointer data,
              TtCallCounts *counts,
              GError **error)
{
  return each_call (store, &all_rows, selection, FALSE, NULL, func, data, counts, error);
}

static gboolean
take_payments (const TtCall *call, gpointer data)
{
  GArray *payments = data;

  for (guint i = 0; i < call->n; i++)
    {
      const TtArrival *rank = &call->ranks[i];
      const TtPayment payment = { rank->event, rank->thread, rank->begin_ns,
                                  rank->begin_ns + tt_call_paid_ns (call, i) };

      if (payment.end_ns > payment.begin_ns)
        g_array_append_val (payments, payment);
    }
  return TRUE;
}

/* PyTorch's backends of the host do calls beside the program. */
static gboolean
find_backend (const TtStoredName *name, gpointer data)
{
  static const char *const backends[] = { "gloo:", "mpi:", "ucc:" };

  for (guint i = 0; i < G_N_ELEMENTS (backends) && name->op_name != NULL; i++)
    *(gboolean *) data |= g_str_has_prefix (name->op_name, backends[i]);
  return TRUE;
}

/* Nothing where a thread does one call after the other: then they are read once. */
static gboolean
find_all_shared (TtStore *store, const TtSelection *selection, GHashTable **shared, GError **error)
{
  g_autoptr (GArray) payments = NULL;
  gboolean may_share;

  if (!tt_store_has_flags (store, TT_FLAG_OVERLAP, &may_share, error) ||
      (!may_share && !tt_store_each_name (store, find_backend, &may_share, error)))
    return FALSE;
  if (!may_share)
    return TRUE;
  payments = g_array_new (FALSE, FALSE, sizeof (TtPayment));
  if (!each_call (store, &all_rows, selection, FALSE, NULL, take_payments, payments, NULL, error))
    return FALSE;
  *shared = payments->len < 2 ? NULL : tt_shared_time_new (payments);
  return TRUE;
}

gboolean
tt_each_call_of_run (TtStore *store,
                     const TtSelection *selection,
                     TtCallFunc func,
                     gpointer data,
                     TtCallCounts *counts,
                     GError **error)
{
  g_autoptr (GHashTable) shared = NULL;

  return find_all_shared (store, selection, &shared, error) &&
         each_call (store, &all_rows, selection, TRUE, shared, func, data, counts, error);
}

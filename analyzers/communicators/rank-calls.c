/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/rank-calls.h"

#include <string.h>

#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/sorter.h"
#include "src/store/clocks.h"
#include "src/store/names.h"
#include "src/store/rows.h"
#include "src/trace/span.h"

/* More than this is no matter of clocks that agree. */
#define MAX_SLACK_NS 50000

/* -- reading ------------------------------------------------------------------------------------------------------ */

static int
compare_leaders (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, *(const guint32 *) a, *(const guint32 *) b);
}

static void
number_ranks (TtRankCalls *self, TtStore *store)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autoptr (GArray) leaders = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->rank_of = g_new (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    if (processes[i].owner == processes[i].id)
      g_array_append_val (leaders, processes[i].id);
  g_array_sort_with_data (leaders, compare_leaders, store);
  for (guint i = 0; i <= n; i++)
    self->rank_of[i] = TT_NO_RANK;
  for (guint i = 0; i < leaders->len; i++)
    self->rank_of[g_array_index (leaders, guint32, i)] = i;
  for (guint i = 0; i < n; i++)
    if (processes[i].owner <= n)
      self->rank_of[processes[i].id] = self->rank_of[processes[i].owner];
  self->n_ranks = leaders->len;
  self->leaders = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&leaders), FALSE);
}

static gboolean
is_judged (TtCollectiveShape shape)
{
  return shape != TT_COLLECTIVE_OTHER && shape != TT_COLLECTIVE_FENCE;
}

static gboolean
waits_for_all (TtCollectiveShape shape)
{
  return shape == TT_COLLECTIVE_BARRIER || shape == TT_COLLECTIVE_ALL || shape == TT_COLLECTIVE_AGREE;
}

typedef struct
{
  TtRankCalls *calls;
  TtRankCallFunc func;
  gpointer data;
  char *function; /* that was read last; NULL: none was */
  TtCollectiveShape shape;
} CallReader;

/* Calls of a function follow each other. */
static TtCollectiveShape
shape_of (CallReader *self, const char *function)
{
  if (self->function != NULL && strcmp (self->function, function) == 0)
    return self->shape;
  g_free (self->function);
  self->function = g_strdup (function);
  self->shape = tt_collective_shape (function);
  return self->shape;
}

static gboolean
take_call (const TtCollective *collective, gpointer data)
{
  CallReader *reader = data;
  TtRankCalls *self = reader->calls;
  const char *function = collective->function;
  gboolean is_named = collective->comm != 0 && !collective->is_inferred;
  guint32 rank = self->rank_of[collective->process];

  if (is_named || !g_str_has_prefix (function, "MPI_") || rank == TT_NO_RANK || collective->event == 0)
    return TRUE;
  TtCollectiveShape shape = shape_of (reader, function);
  if (!is_judged (shape))
    return TRUE;
  if (self->functions->len == 0 ||
      strcmp (g_ptr_array_index (self->functions, self->functions->len - 1), function) != 0)
    {
      const TtCallKind kind = { self->functions->len, -1 };

      g_ptr_array_add (self->functions, g_strdup (function));
      g_array_append_val (self->kinds, kind);
    }
  TtRankCall call = {
    .rank = rank,
    .kind = self->kinds->len - 1,
    .begin_ns = collective->ts_ns,
    .event = collective->event,
    .process = collective->process,
    .thread = collective->thread,
    .bytes = -1,
    .ordinal = collective->ordinal,
    .is_synchronizing = waits_for_all (shape),
  };
  call.whole_end_ns = call.end_ns =
      collective->dur_ns == TT_NO_TIME ? collective->ts_ns : tt_span_end (collective->ts_ns, collective->dur_ns);
  reader->func (self, &call, reader->data);
  return TRUE;
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const TtRankCall *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

static TtArrayKey
key_of_call (gconstpointer element)
{
  const TtRankCall *call = element;

  return (TtArrayKey){ call->rank, tt_sort_key (call->begin_ns) };
}

static void
list_waiting (TtRankCalls *self)
{
  guint n = 0, at = 0;

  for (guint32 rank = 0; rank <= self->n_ranks; rank++)
    {
      self->first[rank] = at;
      self->first_waiting[rank] = n;
      for (; at < self->calls->len && tt_rank_call (self, at)->rank == rank; at++)
        if (tt_rank_call (self, at)->is_synchronizing)
          self->waiting[n++] = at;
    }
}

static void
sort_calls (TtRankCalls *self)
{
  tt_array_sort_by_key (self->calls, key_of_call, compare_calls);
  for (guint i = 1; i < self->calls->len; i++)
    {
      const TtRankCall *before = tt_rank_call (self, i - 1), *call = tt_rank_call (self, i);

      self->is_crossing |= before->rank == call->rank && call->begin_ns < before->whole_end_ns;
    }
  self->first = g_new0 (guint, (gsize) self->n_ranks + 2);
  self->first_waiting = g_new0 (guint, (gsize) self->n_ranks + 2);
  self->waiting = g_new (guint32, (gsize) self->calls->len + 1);
  list_waiting (self);
}

static gboolean
take_fit (const TtClockFit *fit, gpointer data)
{
  TtRankCalls *self = data;

  if (fit->offset_ns != 0 || fit->drift_ns != 0 || fit->n_violated > 0)
    self->slack_ns = CLAMP (fit->worst_left_ns, MAX (self->slack_ns, 2000), MAX_SLACK_NS);
  return TRUE;
}

TtRankCalls *
tt_rank_calls_begin (TtStore *store, GError **error)
{
  g_autoptr (TtRankCalls) self = g_new0 (TtRankCalls, 1);

  self->functions = g_ptr_array_new_with_free_func (g_free);
  self->kinds = g_array_new (FALSE, FALSE, sizeof (TtCallKind));
  self->calls = g_array_new (FALSE, FALSE, sizeof (TtRankCall));
  number_ranks (self, store);
  return tt_store_each_clock_fit (store, take_fit, self, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
tt_rank_calls_each (TtRankCalls *self, TtStore *store, TtRankCallFunc func, gpointer data, GError **error)
{
  CallReader reader = { .calls = self, .func = func, .data = data };
  gboolean is_read = tt_store_each_collective (store, take_call, &reader, error);

  g_free (reader.function);
  return is_read;
}

static void
keep_call (TtRankCalls *self, const TtRankCall *call, gpointer data)
{
  g_array_append_vals (self->calls, call, 1);
}

TtRankCalls *
tt_rank_calls_new (TtStore *store, GError **error)
{
  g_autoptr (TtRankCalls) self = tt_rank_calls_begin (store, error);

  if (self == NULL || !tt_rank_calls_each (self, store, keep_call, NULL, error))
    return NULL;
  sort_calls (self);
  return g_steal_pointer (&self);
}

void
tt_rank_calls_free (TtRankCalls *self)
{
  if (self == NULL)
    return;
  g_free (self->rank_of);
  g_free (self->leaders);
  g_ptr_array_unref (self->functions);
  g_array_unref (self->kinds);
  g_array_unref (self->calls);
  g_free (self->first);
  g_free (self->waiting);
  g_free (self->first_waiting);
  g_free (self);
}

gboolean
tt_rank_calls_take_out (TtRankCalls *self, const guint8 *is_out)
{
  guint n = 0;

  for (guint i = 0; i < self->calls->len; i++)
    {
      const TtRankCall call = *tt_rank_call (self, i);

      if (!is_out[call.kind])
        *tt_rank_call (self, n++) = call;
    }
  g_array_set_size (self->calls, n);
  list_waiting (self);
  return n > 0;
}

/* -- synchronisations inside calls -------------------------------------------------------------------------------- */

typedef struct
{
  TtRankCalls *calls;
  TtStore *store;
  guint8 *is_sync;    /* by name */
  GHashTable *series; /* of sizes: series -> itself */
  gboolean is_any;
} Reader;

/* The call of a rank's thread at a time. */
static TtRankCall *
find_call (const Reader *self, guint32 thread, gint64 ns)
{
  const TtRankCalls *calls = self->calls;
  guint32 rank = calls->rank_of[tt_store_thread (self->store, thread)->process];

  if (rank == TT_NO_RANK)
    return NULL;
  guint low = calls->first[rank], high = calls->first[rank + 1];
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (tt_rank_call (calls, middle)->begin_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == calls->first[rank])
    return NULL;
  TtRankCall *call = tt_rank_call (calls, low - 1);
  return call->thread == thread && ns <= call->whole_end_ns ? call : NULL;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;

  if (event->dur_ns == TT_NO_TIME || !self->is_sync[event->name])
    return TRUE;
  TtRankCall *call = find_call (self, event->thread, event->ts_ns);
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  if (call == NULL || end_ns > call->whole_end_ns)
    return TRUE;
  call->end_ns = end_ns;
  call->is_synchronizing = TRUE;
  return TRUE;
}

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  Reader *self = data;

  self->is_sync[name->id] = name->op_name != NULL && g_str_has_prefix (name->op_name, "MPI Collective Sync");
  self->is_any |= self->is_sync[name->id];
  return TRUE;
}

gboolean
tt_rank_calls_read_syncs (TtRankCalls *self, TtStore *store, GError **error)
{
  g_autofree guint8 *is_sync = g_new0 (guint8, (gsize) tt_store_max_name (store) + 1);
  Reader reader = { .calls = self, .store = store, .is_sync = is_sync };

  if (!tt_store_each_name (store, take_name, &reader, error))
    return FALSE;
  if (reader.is_any && !tt_each_event (store, TT_SCAN_DEFAULT, take_event, &reader, error))
    return FALSE;
  list_waiting (self);
  return TRUE;
}

/* -- bytes -------------------------------------------------------------------------------------------------------- */

static gboolean
take_counter (guint32 series,
              guint32 thread,
              gint64 ts_ns,
              gboolean is_real,
              gint64 integer,
              double real,
              gpointer data)
{
  Reader *self = data;
  gint64 bytes = is_real ? (gint64) real : integer;

  if (!g_hash_table_contains (self->series, GUINT_TO_POINTER (series)))
    return TRUE;
  TtRankCall *call = find_call (self, thread, ts_ns);
  if (call != NULL && bytes > call->bytes)
    call->bytes = bytes;
  return TRUE;
}

/* Where each gives or gets as much as any other. */
static gboolean
is_equal_for_all (const char *function)
{
  return strcmp (function, "MPI_Allreduce") == 0 || strcmp (function, "MPI_Bcast") == 0 ||
         strcmp (function, "MPI_Reduce") == 0;
}

static guint32
kind_of (TtRankCalls *self, GHashTable *kinds, const TtRankCall *call)
{
  const TtCallKind kind = { g_array_index (self->kinds, TtCallKind, call->kind).function, call->bytes };
  g_autofree char *key = g_strdup_printf ("%u %" G_GINT64_FORMAT, kind.function, kind.bytes);
  gpointer found = g_hash_table_lookup (kinds, key);

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  g_array_append_val (self->kinds, kind);
  g_hash_table_insert (kinds, g_steal_pointer (&key), GUINT_TO_POINTER (self->kinds->len));
  return self->kinds->len - 1;
}

gboolean
tt_rank_calls_read_bytes (TtRankCalls *self, TtStore *store, GError **error)
{
  guint n;
  const TtSeries *series = tt_store_series (store, &n);
  g_autoptr (GHashTable) of_sizes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader reader = { .calls = self, .store = store, .series = of_sizes };

  for (guint i = 0; i < n; i++)
    if (series[i].name != NULL && g_str_has_prefix (series[i].name, "Message size for "))
      g_hash_table_add (of_sizes, GUINT_TO_POINTER (series[i].id));
  if (g_hash_table_size (of_sizes) == 0)
    return TRUE;
  if (!tt_store_each_counter (store, take_counter, &reader, error))
    return FALSE;
  for (guint i = 0; i < self->calls->len; i++)
    {
      TtRankCall *call = tt_rank_call (self, i);
      const char *function =
          g_ptr_array_index (self->functions, g_array_index (self->kinds, TtCallKind, call->kind).function);

      if (call->bytes >= 0 && is_equal_for_all (function))
        call->kind = kind_of (self, kinds, call);
    }
  return TRUE;
}

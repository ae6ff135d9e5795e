/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/operations.h"

#include "analyzers/process-order.h"
#include "analyzers/statistics/bounded.h"
#include "analyzers/statistics/event-stats.h"
#include "analyzers/statistics/rank-presence.h"
#include "analyzers/work-class.h"
#include "src/base/map64.h"

/* The time that a rank or thread has of a name. */
typedef struct
{
  tt_int128 self_ns;
  guint32 group; /* of names */
  guint32 name, process, thread;
} Unit;

static const TtGroupKeys by_name = { 1, { TT_KEY_NAME } };
/* Of processes, because the tables of statistics have them: those of a rank are summed up. */
static const TtGroupKeys units[] = {
  [TT_IMBALANCE_RANKS] = { 2, { TT_KEY_NAME, TT_KEY_PID } },
  [TT_IMBALANCE_THREADS] = { 3, { TT_KEY_NAME, TT_KEY_PID, TT_KEY_TID } },
};

static guint32
leader_of (TtStore *store, guint32 process)
{
  const TtProcess *found = tt_store_process (store, process);

  return found == NULL ? process : found->owner;
}

/* Of equals the first in the order of ranks is the slowest, then the first thread. */
static gboolean
is_slower (TtStore *store, const TtOpImbalance *self, tt_int128 self_ns, guint32 process, guint32 thread)
{
  if (self->n_having == 0 || self_ns != self->max_ns)
    return self->n_having == 0 || self_ns > self->max_ns;
  int order = tt_process_order (store, process, self->slowest_process);
  return order < 0 || (order == 0 && thread < self->slowest_thread);
}

static void
add_unit (TtStore *store, TtOpImbalance *self, const Unit *unit)
{
  if (is_slower (store, self, unit->self_ns, unit->process, unit->thread))
    {
      self->slowest_process = unit->process;
      self->slowest_thread = unit->thread;
      self->max_ns = unit->self_ns;
    }
  self->min_ns = self->n_having == 0 ? unit->self_ns : MIN (self->min_ns, unit->self_ns);
  self->name = self->n_having == 0 ? unit->name : self->name;
  self->total_ns += unit->self_ns;
  self->n_having++;
}

static void
finish_row (TtStore *store, TtOpImbalance *self, const TtRankPresence *presence)
{
  const TtStoredName *name = tt_store_peek_name (store, self->name);
  const char *op_cat = name == NULL ? NULL : name->op_cat;
  guint n_possible = presence == NULL ? 0 : tt_rank_presence_count (presence, op_cat);

  self->is_waiting = tt_work_is_waiting (tt_work_class (op_cat));
  self->n_zero = n_possible > self->n_having ? n_possible - self->n_having : 0;
  if (self->n_zero > 0)
    self->min_ns = MIN (self->min_ns, 0);

  tt_int128 n = (tt_int128) self->n_having + self->n_zero;
  self->mean_ns = (double) self->total_ns / (double) n;
  self->price_ns = (double) (self->max_ns * n - self->total_ns) / (double) n;
  self->imbalance = self->total_ns == 0 ? 0 : (double) (self->max_ns * n - self->total_ns) / (double) self->total_ns;
}

/* Of Unit: a row each, those of one rank added up. */
static GArray *
units_of (TtStore *store, const TtEventStats *stats, TtImbalanceOver over, guint *n_groups)
{
  g_autoptr (TtGrouping) names = tt_grouping_new (store, &by_name);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Unit));
  TtMap64 numbers = { 0 };

  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);
      guint32 group = tt_grouping_group (names, row->member.thread, row->member.name, row->member.step);
      guint32 leader = leader_of (store, row->process);
      guint64 key = (guint64) group << 32 | (over == TT_IMBALANCE_RANKS ? leader : row->member.thread);
      guint32 number = tt_map64_get (&numbers, key);

      if (number == TT_MAP64_NONE)
        {
          const Unit unit = { 0, group, row->member.name, leader, row->member.thread };

          number = rows->len;
          tt_map64_set (&numbers, key, number);
          g_array_append_val (rows, unit);
        }
      g_array_index (rows, Unit, number).self_ns += row->sums.self_ns;
    }
  *n_groups = tt_grouping_count (names);
  tt_map64_clear (&numbers);
  return rows;
}

static GArray *
fold_units (TtStore *store, const TtEventStats *stats, TtImbalanceOver over, const TtRankPresence *presence)
{
  guint n_groups;
  g_autoptr (GArray) of = units_of (store, stats, over, &n_groups);
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (TtOpImbalance));

  g_array_set_size (rows, n_groups);
  for (guint i = 0; i < of->len; i++)
    {
      const Unit *unit = &g_array_index (of, Unit, i);
      add_unit (store, &g_array_index (rows, TtOpImbalance, unit->group), unit);
    }
  for (guint i = 0; i < rows->len; i++)
    finish_row (store, &g_array_index (rows, TtOpImbalance, i), presence);
  return rows;
}

char *
tt_op_imbalance_label (TtStore *store, const TtOpImbalance *self)
{
  const TtGroupMember member = { self->name, self->slowest_thread, TT_NO_STEP };

  return tt_group_key_label (store, TT_KEY_NAME, self->slowest_process, member, tt_store_peek_name (store, self->name));
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtOpImbalance *x = a, *y = b;

  if (x->is_waiting != y->is_waiting)
    return x->is_waiting ? 1 : -1;
  if (x->price_ns != y->price_ns)
    return x->price_ns < y->price_ns ? 1 : -1;
  g_autofree char *first = tt_op_imbalance_label (store, x), *second = tt_op_imbalance_label (store, y);
  return g_strcmp0 (first, second);
}

/* What takes no time, and what only one has, cannot be uneven. */
static void
keep_comparable (GArray *rows, guint64 *n_alone)
{
  guint n = 0;

  *n_alone = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      const TtOpImbalance *row = &g_array_index (rows, TtOpImbalance, i);
      gboolean is_alone = row->n_having + row->n_zero < 2;

      if (row->total_ns == 0)
        continue;
      *n_alone += is_alone;
      if (!is_alone)
        g_array_index (rows, TtOpImbalance, n++) = *row;
    }
  g_array_set_size (rows, n);
}

GArray *
tt_op_imbalance (TtStore *store,
                 TtSelection *selection,
                 TtImbalanceOver over,
                 gboolean absent_is_zero,
                 guint64 *n_alone,
                 GError **error)
{
  const TtEventStatsRequest request = { .keys = units[over],
                                        .selection = selection,
                                        .metric = TT_NO_ID,
                                        .only_measured = tt_bounded_ends (store) > 0 };
  g_autoptr (TtEventStats) stats = tt_event_stats_new (store, &request, error);
  g_autoptr (TtRankPresence) presence = NULL;

  if (stats == NULL)
    return NULL;
  if (absent_is_zero && (presence = tt_rank_presence_new (store, selection, FALSE, error)) == NULL)
    return NULL;
  GArray *rows = fold_units (store, stats, over, presence);
  keep_comparable (rows, n_alone);
  g_array_sort_with_data (rows, compare_rows, store);
  return rows;
}

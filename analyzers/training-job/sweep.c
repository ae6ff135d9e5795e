/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/sweep.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/name-table.h"
#include "src/base/compare.h"
#include "src/base/progress.h"

#include <string.h>

typedef struct
{
  const TtStepGraph *graph;
  TtSchedule *schedule;
  const TtStepReplayOptions *options;
  gint64 factor;
  const TtJobNameTable *table;
  GArray *rows;
} Sweep;

/* Adds the row of a run in which the names of @is_chosen are shorter. */
static void
try_shorter (Sweep *self, const char *field, const char *value, const gboolean *is_chosen)
{
  guint32 n = self->graph->nodes->len, stuck;
  g_autofree gint64 *kept = g_new (gint64, n);
  TtSweepRow row = { .field = field, .value = value };
  gint64 sum_ns = 0;

  for (guint32 i = 0; i < n; i++)
    {
      TtTask *task = tt_schedule_task (self->schedule, i);
      kept[i] = task->dur_ns;
      if (!is_chosen[self->table->name_of[i]])
        continue;
      sum_ns += task->dur_ns;
      task->dur_ns = tt_factor_apply (task->dur_ns, self->factor, TT_FACTOR_ONE);
      row.n_nodes++;
    }
  if (sum_ns > 0 && tt_schedule_run (self->schedule, self->options->order, &stuck))
    {
      g_free (tt_step_rank_iterations (self->graph, self->schedule, self->options, &row.iteration_ns));
      g_array_append_val (self->rows, row);
    }
  for (guint32 i = 0; i < n; i++)
    tt_schedule_task (self->schedule, i)->dur_ns = kept[i];
}

/* Categories before names; each from the shortest iteration on. */
static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtSweepRow *x = a, *y = b;
  int by_field = strcmp (y->field, x->field);

  if (by_field != 0)
    return by_field;
  return x->iteration_ns != y->iteration_ns ? TT_COMPARE (x->iteration_ns, y->iteration_ns)
                                            : strcmp (x->value, y->value);
}

static void
try_categories (Sweep *self)
{
  g_autofree gboolean *is_chosen = g_new0 (gboolean, self->table->names->len);
  g_autoptr (GHashTable) tried = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->table->names->len; i++)
    {
      const char *op_cat = tt_job_name_table_category (self->table, i);

      if (*op_cat == '\0' || !g_hash_table_add (tried, (gpointer) op_cat))
        continue;
      for (guint k = 0; k < self->table->names->len; k++)
        is_chosen[k] = strcmp (op_cat, tt_job_name_table_category (self->table, k)) == 0;
      try_shorter (self, "op_cat", op_cat, is_chosen);
    }
}

GArray *
tt_sweep (const TtStepGraph *graph,
          TtSchedule *schedule,
          const TtStepReplayOptions *options,
          double percent,
          GError **error)
{
  g_auto (TtJobNameTable) table = { 0 };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TtSweepRow));

  tt_job_name_table_init (&table, graph);
  Sweep self = {
    .graph = graph,
    .schedule = schedule,
    .options = options,
    .factor = (gint64) ((100 - percent) / 100 * TT_FACTOR_ONE + 0.5),
    .table = &table,
    .rows = rows,
  };
  g_autofree gboolean *is_chosen = g_new0 (gboolean, table.names->len);
  g_autoptr (TtProgress) progress = tt_progress_new ("trying", table.names->len, "operations");

  try_categories (&self);
  for (guint i = 0; i < table.names->len; i++)
    {
      is_chosen[i] = TRUE;
      try_shorter (&self, "name", table.names->pdata[i], is_chosen);
      is_chosen[i] = FALSE;
      tt_progress_add (progress, 1);
      if (tt_cancelled (error))
        return NULL;
    }
  g_array_sort (rows, compare_rows);
  return g_steal_pointer (&rows);
}

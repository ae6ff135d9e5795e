/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/sweep.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/name-table.h"
#include "graphs/graph.h"
#include "src/base/compare.h"
#include "src/base/packed.h"
#include "src/base/progress.h"

#include <string.h>

/* What is shorter: all of a category, or one name. */
typedef struct
{
  TtSweepRow row;
  tt_int128 own_ns, iterations_ns; /* sums over steps */
  gboolean is_stuck;
} Try;

typedef struct
{
  gint64 factor;
  TtJobNameTable table;
  GArray *tries; /* of Try: categories, then names by number */
} Sweep;

static gboolean
is_chosen (const Sweep *self, const Try *one, guint32 node)
{
  guint name = self->table.name_of[node];

  if (strcmp (one->row.field, "name") == 0)
    return self->table.names->pdata[name] == one->row.value;
  return strcmp (one->row.value, tt_job_name_table_category (&self->table, name)) == 0;
}

/* One step in which what is chosen takes less. */
static void
try_shorter (const Sweep *self, Try *one, TtSimulation *step)
{
  guint32 n = step->graph->nodes->len, stuck;
  g_autofree gint64 *kept = g_new (gint64, n);
  gint64 own_ns = 0;

  one->row.n_nodes = 0;
  for (guint32 i = 0; i < n; i++)
    {
      TtTask *task = tt_schedule_task (step->schedule, i);
      kept[i] = task->dur_ns;
      if (!is_chosen (self, one, i))
        continue;
      own_ns += task->dur_ns;
      one->row.n_nodes += !tt_step_node (step->graph, i)->is_rest;
      task->dur_ns = tt_factor_apply (task->dur_ns, self->factor, TT_FACTOR_ONE);
    }
  one->own_ns += own_ns;
  if (tt_schedule_run (step->schedule, step->options.order, &stuck))
    one->iterations_ns += tt_simulation_iteration (step);
  else
    one->is_stuck = TRUE;
  for (guint32 i = 0; i < n; i++)
    tt_schedule_task (step->schedule, i)->dur_ns = kept[i];
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
add_tries (Sweep *self)
{
  g_autoptr (GHashTable) tried = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->table.names->len; i++)
    {
      const Try one = { .row = { .field = "op_cat", .value = tt_job_name_table_category (&self->table, i) } };
      if (*one.row.value != '\0' && g_hash_table_add (tried, (gpointer) one.row.value))
        g_array_append_val (self->tries, one);
    }
  for (guint i = 0; i < self->table.names->len; i++)
    {
      const Try one = { .row = { .field = "name", .value = self->table.names->pdata[i] } };
      g_array_append_val (self->tries, one);
    }
}

static GArray *
collect_rows (const Sweep *self, guint n_steps)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TtSweepRow));

  for (guint i = 0; i < self->tries->len; i++)
    {
      Try *one = &g_array_index (self->tries, Try, i);
      if (one->own_ns == 0 || one->is_stuck)
        continue;
      one->row.iteration_ns = tt_average_ns (one->iterations_ns, n_steps);
      g_array_append_val (rows, one->row);
    }
  g_array_sort (rows, compare_rows);
  return rows;
}

/* Of all tries, beginning with @first, each @by-th. */
static gboolean
try_all (Sweep *self, TtPrediction *prediction, guint first, guint by, GError **error)
{
  const guint n_replays = tt_prediction_n_steps (&prediction->input), n = (self->tries->len + by - 1) / by;
  g_autoptr (TtProgress) progress = tt_progress_new ("trying", (guint64) n * n_replays, "changes");

  for (guint slot = 0; slot < n_replays; slot++)
    {
      g_autoptr (TtSimulation) step = tt_prediction_replay (prediction, slot, error);
      if (step == NULL)
        return FALSE;
      for (guint i = first; i < self->tries->len; i += by)
        {
          try_shorter (self, &g_array_index (self->tries, Try, i), step);
          tt_progress_add (progress, 1);
          if (tt_cancelled (error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
give_tries (const Sweep *self, const TtCrew *crew)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint i = crew->rank; i < self->tries->len; i += crew->n)
    {
      const Try *one = &g_array_index (self->tries, Try, i);
      tt_pack_wide (bytes, (tt_uint128) one->own_ns);
      tt_pack_wide (bytes, (tt_uint128) one->iterations_ns);
      tt_pack_number (bytes, one->row.n_nodes);
      tt_pack_number (bytes, one->is_stuck);
    }
  crew->give (bytes);
  g_autoptr (GByteArray) nothing = crew->hear ();
}

static gboolean
take_tries (Sweep *self, const TtCrew *crew, guint rank, GError **error)
{
  g_autoptr (GByteArray) bytes = crew->take (rank, error);

  if (bytes == NULL)
    return FALSE;
  TtUnpack from = tt_unpack_all (bytes);
  for (guint i = rank; i < self->tries->len; i += crew->n)
    {
      Try *one = &g_array_index (self->tries, Try, i);
      one->own_ns = (tt_int128) tt_unpack_wide (&from);
      one->iterations_ns = (tt_int128) tt_unpack_wide (&from);
      one->row.n_nodes = (guint) tt_unpack_below (&from, G_MAXUINT);
      one->is_stuck = tt_unpack_below (&from, TRUE) != 0;
    }
  return (!from.is_bad && from.at == from.end) || tt_crew_refuse (rank, error);
}

/* TRUE: all tries are there. FALSE: @error, or as another rank than 0 it is done. */
static gboolean
try_together (Sweep *self, TtPrediction *prediction, const TtCrew *crew, GError **error)
{
  if (!try_all (self, prediction, crew->rank, crew->n, error))
    return FALSE;
  if (crew->rank > 0)
    {
      give_tries (self, crew);
      return FALSE;
    }
  for (guint rank = 1; rank < crew->n; rank++)
    if (!take_tries (self, crew, rank, error))
      return FALSE;
  return crew->rest (error);
}

GArray *
tt_sweep (TtPrediction *prediction, double percent, const TtCrew *crew, GError **error)
{
  g_autoptr (GArray) tries = g_array_new (FALSE, FALSE, sizeof (Try));
  Sweep self = { .factor = (gint64) ((100 - percent) / 100 * TT_FACTOR_ONE + 0.5), .tries = tries };

  tt_job_name_table_init (&self.table, prediction->simulation->graph);
  add_tries (&self);
  const gboolean is_good =
      crew == NULL ? try_all (&self, prediction, 0, 1, error) : try_together (&self, prediction, crew, error);
  GArray *rows = is_good ? collect_rows (&self, tt_prediction_n_steps (&prediction->input)) : NULL;
  tt_job_name_table_clear (&self.table);
  return rows;
}

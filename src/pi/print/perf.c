/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* `pi print --perf`: times of each function. */
#include "src/pi/print/tables.h"

#include "analyzers/statistics/tally.h"
#include "formats/pi/print/print.h"

#define SORT_MEMORY ((gsize) 32 << 20)
/* Functions that the table does not have, by name: more are an attack. */
#define MAX_GROUPS (1u << 16)
#define REST "(other functions)"

typedef struct
{
  guint thread;
  char *name;
  guint64 n_errors;
} Group;

/* Of one thread: places in `groups` + 1. */
typedef struct
{
  guint32 *known;     /* by index of the function; NULL: no call yet */
  GHashTable *others; /* by name, of functions that no table has */
} Names;

typedef struct
{
  GArray *groups; /* of Group */
  Names *names;   /* by thread */
  guint n_threads;
  TtTally *tally;
} Perf;

static void
perf_clear (Perf *self)
{
  for (guint i = 0; self->groups != NULL && i < self->groups->len; i++)
    g_free (g_array_index (self->groups, Group, i).name);
  g_clear_pointer (&self->groups, g_array_unref);
  for (guint i = 0; i < self->n_threads; i++)
    {
      g_free (self->names[i].known);
      g_clear_pointer (&self->names[i].others, g_hash_table_unref);
    }
  g_free (self->names);
  tt_tally_free (self->tally);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Perf, perf_clear)

static void
perf_init (Perf *self, guint n_threads)
{
  self->n_threads = n_threads;
  self->groups = g_array_new (FALSE, TRUE, sizeof (Group));
  self->names = g_new0 (Names, n_threads);
  self->tally = tt_tally_new (SORT_MEMORY);
}

static guint32
add_group (Perf *self, guint thread, const char *name)
{
  const Group group = { .thread = thread, .name = g_strdup (name) };

  g_array_append_val (self->groups, group);
  return self->groups->len;
}

static guint32
find_other (Perf *self, guint thread, const char *name)
{
  Names *names = &self->names[thread];

  if (names->others == NULL)
    names->others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint32 place = GPOINTER_TO_UINT (g_hash_table_lookup (names->others, name));
  if (place != 0)
    return place;
  if (self->groups->len >= MAX_GROUPS && !g_str_equal (name, REST))
    return find_other (self, thread, REST);
  place = add_group (self, thread, name);
  g_hash_table_insert (names->others, g_strdup (name), GUINT_TO_POINTER (place));
  return place;
}

/* Place + 1 of the group that a call of @thread belongs to. */
static guint32
find_group (Perf *self, guint thread, const TtPiCall *call)
{
  Names *names = &self->names[thread];

  if (call->function == NULL)
    return find_other (self, thread, call->name);
  if (names->known == NULL)
    names->known = g_new0 (guint32, tt_pi_n_functions);
  guint32 *place = &names->known[call->function->index];
  if (*place == 0)
    *place = add_group (self, thread, call->function->name);
  return *place;
}

/* -- the table ------------------------------------------------------------------------------------------- */

/* Thread by thread, the largest total first. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtTallyRow *x = a, *y = b;
  const GArray *groups = data;
  guint thread_x = g_array_index (groups, Group, x->group).thread;
  guint thread_y = g_array_index (groups, Group, y->group).thread;

  if (thread_x != thread_y)
    return thread_x < thread_y ? -1 : 1;
  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

static void
add_columns (TtReport *report, gboolean by_thread)
{
  if (by_thread)
    tt_report_column (report, TT_COLUMN_WORD, "Thread", "thread");
  tt_report_column (report, TT_COLUMN_WORD, "Function", "function");
  tt_report_column (report, TT_COLUMN_COUNT, "Calls", "calls");
  tt_report_column (report, TT_COLUMN_TIME, "Total", "total");
  tt_report_column (report, TT_COLUMN_PERCENT, "Share %", "share_percent");
  tt_report_column (report, TT_COLUMN_TIME, "Min", "min");
  tt_report_column (report, TT_COLUMN_TIME, "Avg", "avg");
  tt_report_column (report, TT_COLUMN_TIME, "Med", "median");
  tt_report_column (report, TT_COLUMN_TIME, "P95", "p95");
  tt_report_column (report, TT_COLUMN_TIME, "P99", "p99");
  tt_report_column (report, TT_COLUMN_TIME, "Max", "max");
  tt_report_column (report, TT_COLUMN_COUNT, "Errors", "errors");
}

static void
add_row (TtReport *report, const TtTallyRow *row, const Group *group, const char *thread, tt_int128 all_ns)
{
  g_autofree char *name = tt_pi_safe_text (group->name);

  if (thread != NULL)
    {
      g_autofree char *safe = tt_pi_safe_text (thread);
      tt_report_text (report, safe);
    }
  tt_report_text (report, name);
  tt_report_int (report, (gint64) row->count);
  tt_report_int128 (report, row->total_ns);
  tt_report_real (report, all_ns == 0 ? 0.0 : 100.0 * (double) row->total_ns / (double) all_ns);
  tt_report_int (report, row->min_ns);
  tt_report_real (report, (double) row->total_ns / (double) row->count);
  tt_report_int (report, row->median_ns);
  tt_report_int (report, row->p95_ns);
  tt_report_int (report, row->p99_ns);
  tt_report_int (report, row->max_ns);
  tt_report_int (report, (gint64) group->n_errors);
}

static TtReport *
make_table (Perf *self, const TtPiTrace *trace, gboolean by_thread, GError **error)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_US);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TtTallyRow));
  TtTallyRow row;
  tt_int128 all_ns = 0;
  GError *fault = NULL;

  if (!tt_tally_finish (self->tally, error))
    return NULL;
  while (tt_tally_next (self->tally, &row, &fault))
    {
      g_array_append_val (rows, row);
      all_ns += row.total_ns;
    }
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  g_array_sort_with_data (rows, compare_rows, self->groups);

  add_columns (report, by_thread);
  for (guint i = 0; i < rows->len; i++)
    {
      const TtTallyRow *one = &g_array_index (rows, TtTallyRow, i);
      const Group *group = &g_array_index (self->groups, Group, one->group);

      add_row (report, one, group, by_thread ? tt_pi_trace_thread_name (trace, group->thread) : NULL, all_ns);
    }
  return g_steal_pointer (&report);
}

TtReport *
tt_pi_perf_table (TtPiTrace *trace, const TtPiChoice *choice, gboolean by_thread, GError **error)
{
  g_auto (Perf) perf = { 0 };
  g_autoptr (TtPiWalk) walk = tt_pi_walk_new (trace, choice, -1, error);
  const TtPiCall *call;
  GError *fault = NULL;

  if (walk == NULL)
    return NULL;
  perf_init (&perf, by_thread ? MAX (tt_pi_trace_n_threads (trace), 1) : 1);
  while ((call = tt_pi_walk_next (walk, &fault)) != NULL)
    {
      guint32 group = find_group (&perf, by_thread ? walk->thread : 0, call) - 1;
      gint64 ns = (gint64) MIN (tt_pi_call_duration_ns (call), G_MAXINT64);

      tt_tally_add (perf.tally, group, ns, ns, ns);
      g_array_index (perf.groups, Group, group).n_errors += tt_pi_call_failed (call);
    }
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  return make_table (&perf, trace, by_thread, error);
}

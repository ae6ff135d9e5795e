#include "config.h"

#include <string.h>

#include "analyzers/pass.h"
#include "analyzers/statistics-rows.h"
#include "src/error.h"

/* The tables behind `stats`: one row per process and name, and one per name.
 *
 * A fresh import is counted while it goes by. What that cannot hold in bounded memory (very many
 * names or groups) or judge without the calls around (two names with one text) is scanned afterwards. */

#define MAX_NAMES 65536u
#define MAX_GROUPS 65536u

typedef struct
{
  gboolean has_given_up;
  GArray *processes;    /* guint32 by thread */
  GArray *first_names;  /* guint32 by name */
  GHashTable *by_text;  /* text and suffix -> first name */
  GHashTable *by_group; /* TtStatisticGroup -> index + 1 */
  GArray *groups;       /* of TtStatisticGroup; indexed by the groups of `long_names` */
  TtTally *long_names, *names;
} Observation;

/* -- observing ------------------------------------------------------------------------------------------- */

static guint
group_hash (gconstpointer data)
{
  const TtStatisticGroup *group = data;

  return group->process * 2654435761u ^ group->name * 2246822519u;
}

static gboolean
group_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (TtStatisticGroup)) == 0;
}

static gpointer
prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->processes = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->first_names = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_group = g_hash_table_new_full (group_hash, group_equal, g_free, NULL);
  self->groups = g_array_new (FALSE, FALSE, sizeof (TtStatisticGroup));
  self->long_names = tt_tally_new (TT_STATISTIC_BYTES);
  self->names = tt_tally_new (TT_STATISTIC_BYTES);
  return self;
}

static void
give_up (Observation *self)
{
  self->has_given_up = TRUE;
  g_hash_table_remove_all (self->by_text);
  g_hash_table_remove_all (self->by_group);
  g_clear_pointer (&self->long_names, tt_tally_free);
  g_clear_pointer (&self->names, tt_tally_free);
}

static void
release (gpointer prepared)
{
  Observation *self = prepared;

  give_up (self);
  g_array_unref (self->processes);
  g_array_unref (self->first_names);
  g_hash_table_unref (self->by_text);
  g_hash_table_unref (self->by_group);
  g_array_unref (self->groups);
  g_free (self);
}

static void
set_id (GArray *array, guint32 index, guint32 id)
{
  if (array->len <= index)
    g_array_set_size (array, index + 1);
  g_array_index (array, guint32, index) = id;
}

static guint32
get_id (const GArray *array, guint32 index)
{
  return index < array->len ? g_array_index (array, guint32, index) : 0;
}

static void
observe_definition (Observation *self, const TtDefinition *definition, const TtBatch *batch)
{
  const char *text, *suffix;

  if (definition->kind == TT_DEFINE_THREAD)
    set_id (self->processes, definition->id, definition->parent);
  if (definition->kind != TT_DEFINE_NAME)
    return;

  text = tt_batch_text (batch, definition->text[TT_NAME_TEXT]);
  suffix = tt_batch_text (batch, definition->text[TT_NAME_SUFFIX]);
  char *key = g_strconcat (text != NULL ? text : "", suffix != NULL ? "~>" : "", suffix, NULL);
  if (g_hash_table_contains (self->by_text, key) || g_hash_table_size (self->by_text) == MAX_NAMES)
    {
      g_free (key);
      give_up (self);
      return;
    }
  g_hash_table_insert (self->by_text, key, GUINT_TO_POINTER (definition->id));
  set_id (self->first_names, definition->id, definition->id);
}

/* Index of the group of a span; it makes a new one as long as there is room. */
static gboolean
find_group (Observation *self, guint32 process, guint32 name, guint32 *index)
{
  TtStatisticGroup group = { process, name };
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_group, &group));

  if (found == 0)
    {
      if (self->groups->len == MAX_GROUPS)
        return FALSE;
      g_array_append_val (self->groups, group);
      found = self->groups->len;
      g_hash_table_insert (self->by_group, g_memdup2 (&group, sizeof group), GUINT_TO_POINTER (found));
    }
  *index = found - 1;
  return TRUE;
}

static void
observe (const TtBatch *batch, gpointer data)
{
  Observation *self = data;
  const TtEventColumns *events = &batch->events;
  guint32 last_thread = TT_NO_ID, last_name = TT_NO_ID, group = 0;

  for (guint i = 0; i < batch->definitions->len && !self->has_given_up; i++)
    observe_definition (self, &g_array_index (batch->definitions, TtDefinition, i), batch);
  if (self->has_given_up)
    return;
  for (guint i = 0; i < events->n; i++)
    {
      guint32 thread = events->thread[i], name = events->name[i];
      gint64 dur_ns = events->dur_ns[i];

      if (dur_ns == TT_NO_TIME)
        continue;
      if ((thread != last_thread || name != last_name) &&
          !find_group (self, get_id (self->processes, thread), name, &group))
        {
          give_up (self);
          return;
        }
      last_thread = thread;
      last_name = name;

      gint64 total_ns = events->flags[i] & TT_FLAG_RECURSIVE ? 0 : dur_ns;
      tt_tally_add (self->long_names, group, dur_ns, events->self_ns[i], total_ns);
      tt_tally_add (self->names, name, dur_ns, events->self_ns[i], total_ns);
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const TtStatistic *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->name < y->name ? -1 : x->name > y->name;
}

typedef struct
{
  GArray *rows;
  guint next;
} SortedRows;

static gboolean
next_sorted (TtStatistic *row, gpointer data)
{
  SortedRows *sorted = data;

  if (sorted->next == sorted->rows->len)
    return FALSE;
  *row = g_array_index (sorted->rows, TtStatistic, sorted->next++);
  return TRUE;
}

/* Groups are numbered as they were seen first. */
static gboolean
write_long_names (TtStoreImport *import, Observation *self, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TtStatistic));
  TtStatisticRows tallied = { .tally = self->long_names, .groups = self->groups };
  TtStatistic row = { 0 };

  if (!tt_tally_finish (self->long_names, error))
    return FALSE;
  while (tt_statistic_rows_next (&row, &tallied))
    g_array_append_val (rows, row);
  if (tallied.error != NULL)
    {
      g_propagate_error (error, tallied.error);
      return FALSE;
    }
  g_array_sort (rows, compare_rows);
  return tt_store_import_statistics (import,
                                     TT_STATISTIC_BY_LONG_NAME,
                                     next_sorted,
                                     &(SortedRows){ rows, 0 },
                                     error);
}

static gboolean
write_observed (TtStoreImport *import, Observation *self, TtStore *store, GError **error)
{
  TtStatisticRows by_name = { .tally = self->names, .stride = (guint64) tt_store_max_name (store) + 1 };

  return write_long_names (import, self, error) && tt_statistic_rows_write (import, TT_STATISTIC_BY_NAME, &by_name, error);
}

/* -- the pass ------------------------------------------------------------------------------------------- */

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  Observation *observed = prepared;
  TtStore *store = tt_store_import_store (import);

  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database while it is written");
      return FALSE;
    }
  if (observed != NULL && !observed->has_given_up)
    return write_observed (import, observed, store, error);
  return tt_statistics_scan (import, store, error);
}

static const char *const reads[] = { "event", NULL };
static const char *const writes[] = { "statistic", NULL };

const TtPass tt_pass_statistics = {
  .name = "statistics",
  .summary = "count, total, self time and quantiles per name",
  .reads = reads,
  .writes = writes,
  .run = run,
  .prepare = prepare,
  .observe = observe,
  .release = release,
};

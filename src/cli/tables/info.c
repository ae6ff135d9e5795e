/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/info.h"

#define MAX_OWNERS 4

/* -- series -------------------------------------------------------------------------------------- */

typedef struct
{
  GArray *counts;
  GHashTable *by_id; /* id -> index + 1 */
} SeriesCounter;

static TtSeriesCount *
find_count (SeriesCounter *self, guint32 series)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_id, GUINT_TO_POINTER (series)));

  return index == 0 ? NULL : &g_array_index (self->counts, TtSeriesCount, index - 1);
}

static gboolean
count_value (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  TtSeriesCount *count = find_count (data, series);

  if (count != NULL)
    count->n_values++;
  return TRUE;
}

static gboolean
count_metric (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  TtSeriesCount *count = find_count (data, series);

  if (count != NULL)
    count->n_metrics++;
  return TRUE;
}

GArray *
tt_count_series (TtStore *store, GError **error)
{
  guint n;
  const TtSeries *series = tt_store_series (store, &n);
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (TtSeriesCount));
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);
  SeriesCounter self = { counts, by_id };

  for (guint i = 0; i < n; i++)
    {
      const TtSeriesCount count = { .series = &series[i] };
      g_array_append_val (counts, count);
      g_hash_table_insert (by_id, GUINT_TO_POINTER (series[i].id), GUINT_TO_POINTER (i + 1));
    }
  if (!tt_store_each_counter (store, count_value, &self, error) ||
      !tt_store_each_metric (store, count_metric, &self, error))
    return NULL;
  return g_steal_pointer (&counts);
}

/* -- metadata ------------------------------------------------------------------------------------ */

static gboolean
add_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  const TtMetadataRow row = { process, thread, g_strdup (key), g_strdup (value) };

  g_array_append_val ((GArray *) data, row);
  return TRUE;
}

static int
compare_metadata (gconstpointer a, gconstpointer b)
{
  const TtMetadataRow *row_a = a, *row_b = b;
  int order = g_strcmp0 (row_a->key, row_b->key);

  if (order == 0)
    order = g_strcmp0 (row_a->value, row_b->value);
  if (order == 0)
    order = (row_a->process > row_b->process) - (row_a->process < row_b->process);
  return order != 0 ? order : (row_a->thread > row_b->thread) - (row_a->thread < row_b->thread);
}

static void
clear_metadata (gpointer data)
{
  TtMetadataRow *row = data;

  g_free (row->key);
  g_free (row->value);
}

GArray *
tt_read_metadata (TtStore *store, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (TtMetadataRow));

  g_array_set_clear_func (rows, clear_metadata);
  if (!tt_store_each_metadata (store, add_metadata, rows, error))
    return NULL;
  g_array_sort (rows, compare_metadata);
  return g_steal_pointer (&rows);
}

/* Threads are told apart only in processes that have several. */
static gboolean
has_company (TtStore *store, const TtThread *thread)
{
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);

  for (guint i = 0; i < n; i++)
    if (threads[i].process == thread->process && threads[i].id != thread->id)
      return TRUE;
  return FALSE;
}

char *
tt_metadata_owners (TtStore *store, const GArray *rows, guint from, guint to)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i < to && i < from + MAX_OWNERS; i++)
    {
      const TtMetadataRow *row = &g_array_index (rows, TtMetadataRow, i);
      const TtProcess *process = tt_store_process (store, row->process);
      const TtThread *thread = row->thread == TT_NO_ID ? NULL : tt_store_thread (store, row->thread);

      g_string_append_printf (text, "%s%s", i > from ? ", " : "", process == NULL ? "?" : process->pid);
      if (thread != NULL && has_company (store, thread))
        g_string_append_printf (text, " thread %s", thread->tid);
    }
  if (to - from > MAX_OWNERS)
    g_string_append_printf (text, " and %u more", to - from - MAX_OWNERS);
  return g_string_free (text, FALSE);
}

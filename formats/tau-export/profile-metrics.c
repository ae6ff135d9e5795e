/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/profile-private.h"

#include "src/base/compare.h"
#include "src/store/metrics.h"
#include "src/store/rows.h"

#define MAX_NAME 200 /* bytes of a folder's name, of the 255 that file systems take */

/* -- their names ------------------------------------------------------------------------------------------ */

/* As TAU calls the folder of a metric, in what a file's name may be. */
static char *
make_folder (const char *name, GHashTable *taken)
{
  g_autoptr (GString) folder = g_string_new ("MULTI__");

  for (const char *p = name; *p != '\0' && folder->len < MAX_NAME; p++)
    g_string_append_c (folder, *p == '/' || *p == ' ' || g_ascii_iscntrl (*p) ? '_' : *p);
  gsize len = folder->len;
  for (guint i = 2; g_hash_table_contains (taken, folder->str); i++)
    {
      g_string_truncate (folder, len);
      g_string_append_printf (folder, "_%u", i);
    }
  g_hash_table_add (taken, g_strdup (folder->str));
  return g_strdup (folder->str);
}

/* A trace does not tell what its times are called: as tau2profile calls them, unless that is a metric of the trace. */
static const char *
choose_time_name (GHashTable *folders)
{
  static const char *const names[] = { "GET_TIME_OF_DAY", "TIME", "TIME_OF_RECORDS" };
  guint i;

  for (i = 0; i + 1 < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_strconcat ("MULTI__", names[i], NULL);
      if (!g_hash_table_contains (folders, folder))
        break;
    }
  return names[i];
}

static void
name_folders (TtProfile *self)
{
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->metrics->len; i++)
    {
      TtProfileMetric *metric = self->metrics->pdata[i];
      metric->folder = make_folder (tt_store_one_series (self->store, metric->series)->name, folders);
    }
  self->time_name = choose_time_name (folders);
}

/* -- sums ------------------------------------------------------------------------------------------------- */

/* NULL: it is no metric of the source's. */
static TtProfileMetric *
get_metric (TtProfile *self, guint32 series)
{
  for (guint i = 0; i < self->metrics->len; i++)
    if (((TtProfileMetric *) self->metrics->pdata[i])->series == series)
      return self->metrics->pdata[i];
  if (g_str_equal (tt_store_one_series (self->store, series)->name, TT_METRIC_HULL))
    return NULL;
  TtProfileMetric *metric = g_new0 (TtProfileMetric, 1);
  metric->series = series;
  metric->rows = g_hash_table_new_full (tt_profile_key_hash, tt_profile_key_equal, g_free, NULL);
  g_ptr_array_add (self->metrics, metric);
  return metric;
}

static gboolean
take_metric (const TtEvent *event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  TtProfile *self = data;
  TtProfileMetric *metric = get_metric (self, series);

  if (metric == NULL || !tt_event_bits_get (self->counted, event->id))
    return TRUE;
  const TtProfileKey key = { event->thread, self->first_names[event->name] };
  TtProfileMetricRow *row = g_hash_table_lookup (metric->rows, &key);
  if (row == NULL)
    {
      row = g_new0 (TtProfileMetricRow, 1);
      row->key = key;
      g_hash_table_add (metric->rows, row);
    }
  row->exclusive += exclusive;
  if (tt_event_bits_get (self->outermost, event->id))
    row->inclusive += inclusive;
  return TRUE;
}

static int
compare_metrics (gconstpointer a, gconstpointer b)
{
  const TtProfileMetric *x = *(const TtProfileMetric *const *) a, *y = *(const TtProfileMetric *const *) b;

  return TT_COMPARE (x->series, y->series);
}

gboolean
tt_profile_read_metrics (TtProfile *self, GError **error)
{
  if (!tt_store_each_metric_event (self->store, TT_NO_ID, take_metric, self, error))
    return FALSE;
  g_ptr_array_sort (self->metrics, compare_metrics);
  name_folders (self);
  return TRUE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/profile-private.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "formats/tau-export/labels.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/output.h"

/* -- files ------------------------------------------------------------------------------------------------ */

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const TtProfileKey *one = *(const TtProfileKey *const *) a, *other = *(const TtProfileKey *const *) b;
  int order = TT_COMPARE (one->thread, other->thread);

  return order != 0 ? order : TT_COMPARE (one->id, other->id);
}

static GPtrArray *
sort_keys (GHashTable *table)
{
  GPtrArray *keys = g_ptr_array_sized_new (g_hash_table_size (table));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  g_ptr_array_sort (keys, compare_keys);
  return keys;
}

/* Microseconds, exact to the ns. */
static void
write_us (GString *out, tt_int128 ns)
{
  gint64 whole = (gint64) (ns / 1000), rest = (gint64) (ns % 1000);

  if (rest < 0)
    rest = -rest;
  g_string_append_printf (out, " %s%" G_GINT64_FORMAT, ns < 0 && whole == 0 ? "-" : "", whole);
  if (rest != 0)
    g_string_append_printf (out, ".%03d", (int) rest);
}

static void
write_number (GString *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, " %s", g_ascii_dtostr (text, sizeof text, value));
}

/* A name that stays within its line and its quotes. */
static void
write_name (GString *out, const char *name)
{
  g_string_append_c (out, '"');
  for (const char *p = name; *p != '\0'; p++)
    g_string_append_c (out, *p == '"' ? '\'' : *p == '\n' || *p == '\r' ? ' ' : *p);
  g_string_append_c (out, '"');
}

static guint
count_keys_of (const GPtrArray *keys, guint from, guint32 thread)
{
  guint n = 0;

  while (from + n < keys->len && ((const TtProfileKey *) keys->pdata[from + n])->thread == thread)
    n++;
  return n;
}

static void
write_count (GString *out, tt_int128 count)
{
  char text[TT_INT128_TEXT];

  g_string_append_printf (out, " %s", tt_int128_text (text, count));
}

/* Of a name on a thread: of its time, or of @metric. */
static void
write_sums (GString *out, const TtProfileRow *row, const TtProfileMetric *metric)
{
  if (metric == NULL)
    {
      write_us (out, row->self_ns);
      write_us (out, row->total_ns);
      return;
    }
  const TtProfileMetricRow *sums = g_hash_table_lookup (metric->rows, &row->key);
  write_count (out, sums == NULL ? 0 : sums->exclusive);
  write_count (out, sums == NULL ? 0 : sums->inclusive);
}

static void
write_row (const TtProfile *self, GString *out, const TtProfileRow *row, const TtProfileMetric *metric)
{
  const TtStoredName *name = tt_store_name (self->store, row->key.id);
  g_autofree char *label = name == NULL ? g_strdup ("") : tt_tau_export_label (name);

  write_name (out, label);
  g_string_append_printf (out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, row->n_calls, row->n_children);
  write_sums (out, row, metric);
  g_string_append_printf (out, " 0 GROUP=\"%s\"\n", name == NULL ? "TAU_DEFAULT" : tt_tau_export_label_group (name));
}

static void
write_values (GString *out, const GPtrArray *values, guint from, guint n, char *const *series)
{
  g_string_append_printf (out, "%u userevents\n# eventname numevents max min mean sumsqr\n", n);
  for (guint i = from; i < from + n; i++)
    {
      const TtProfileValues *of = values->pdata[i];
      write_name (out, series[of->key.id]);
      g_string_append_printf (out, " %" G_GUINT64_FORMAT, of->n);
      write_number (out, of->max);
      write_number (out, of->min);
      write_number (out, of->sum / (double) of->n);
      write_number (out, of->sum_squares);
      g_string_append_c (out, '\n');
    }
}

static char **
list_series_names (TtStore *store)
{
  guint n, most = 0;
  const TtSeries *series = tt_store_series (store, &n);

  for (guint i = 0; i < n; i++)
    most = MAX (most, series[i].id);
  char **names = g_new0 (char *, most + 1);
  for (guint i = 0; i < n; i++)
    names[series[i].id] = series[i].name;
  return names;
}

/* A file that was not there; its path is added to @written. */
static gboolean
write_file (const char *folder, guint32 place, const GString *text, GPtrArray *written, GError **error)
{
  g_autofree char *name = g_strdup_printf ("profile.%u.0.%u", place >> 16, place & G_MAXUINT16);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (tt_look_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is there already; name a new folder", path);
      return FALSE;
    }
  if (!tt_failure_check (error))
    return FALSE;
  g_ptr_array_add (written, g_strdup (path));
  return tt_output_print (path, text->str, (gssize) text->len, error);
}

static gboolean
make_folder (const char *folder, GPtrArray *written, GError **error)
{
  gboolean is_new = !tt_look_test (folder, G_FILE_TEST_EXISTS) && !tt_look_test (folder, G_FILE_TEST_IS_SYMLINK);

  if (!tt_failure_check (error))
    return FALSE;
  if (g_mkdir_with_parents (folder, 0777) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "cannot make the folder '%s': %s", folder, g_strerror (errno));
      return FALSE;
    }
  if (is_new)
    g_ptr_array_add (written, g_strdup (folder));
  return TRUE;
}

/* What all metrics have. */
typedef struct
{
  TtProfile *profile;
  const TtTauExportNumbers *numbers;
  GPtrArray *rows, *values, *written;
  char **series;
} Writing;

/* The name of the metric at the end of a profile's first line; "" of the only one. */
static char *
name_metric (const Writing *self, const TtProfileMetric *metric)
{
  if (self->profile->metrics->len == 0)
    return g_strdup ("");
  return g_strconcat ("_MULTI_", metric == NULL ? self->profile->time_name : self->series[metric->series], NULL);
}

/* A file a thread. @metric: NULL is the time. */
static gboolean
write_metric (Writing *self, const char *folder, const TtProfileMetric *metric, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *metric_name = name_metric (self, metric);
  guint row = 0, value = 0;

  if (!make_folder (folder, self->written, error))
    return FALSE;
  for (guint32 thread = 1; thread < self->profile->n_threads; thread++)
    {
      guint n_rows = count_keys_of (self->rows, row, thread), n_values = count_keys_of (self->values, value, thread);
      if (n_rows + n_values == 0)
        continue;
      g_string_printf (text, "%u templated_functions%s\n# Name Calls Subrs Excl Incl ProfileCalls\n", n_rows,
                       metric_name);
      for (guint i = 0; i < n_rows; i++)
        write_row (self->profile, text, self->rows->pdata[row + i], metric);
      g_string_append (text, "0 aggregates\n");
      write_values (text, self->values, value, n_values, self->series);
      if (!write_file (folder, tt_tau_export_numbers_thread (self->numbers, thread), text, self->written, error))
        return FALSE;
      self->profile->report->n_files++;
      row += n_rows;
      value += n_values;
    }
  return TRUE;
}

gboolean
tt_profile_write (TtProfile *self,
                  const char *folder,
                  const TtTauExportNumbers *numbers,
                  GPtrArray *written,
                  GError **error)
{
  g_autoptr (GPtrArray) rows = sort_keys (self->rows);
  g_autoptr (GPtrArray) values = sort_keys (self->values);
  g_autofree char **series = list_series_names (self->store);
  Writing writing = {
    .profile = self, .numbers = numbers, .rows = rows, .values = values, .written = written, .series = series
  };

  if (self->metrics->len == 0)
    return write_metric (&writing, folder, NULL, error);
  g_autofree char *time_name = g_strconcat ("MULTI__", self->time_name, NULL);
  g_autofree char *time_folder = g_build_filename (folder, time_name, NULL);
  if (!make_folder (folder, written, error) || !write_metric (&writing, time_folder, NULL, error))
    return FALSE;
  for (guint i = 0; i < self->metrics->len; i++)
    {
      const TtProfileMetric *metric = self->metrics->pdata[i];
      g_autofree char *path = g_build_filename (folder, metric->folder, NULL);
      if (!write_metric (&writing, path, metric, error))
        return FALSE;
    }
  return TRUE;
}

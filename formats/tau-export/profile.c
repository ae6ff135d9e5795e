/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/tau-export.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "formats/tau-export/labels.h"
#include "formats/tau-export/numbers.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/int128.h"
#include "src/base/look.h"
#include "src/base/output.h"
#include "src/base/progress.h"
#include "src/trace/span.h"

#define STEP 65536u

/* A name or series on a thread. */
typedef struct
{
  guint32 thread, id;
} Key;

typedef struct
{
  Key key;
  guint64 n_calls, n_children;
  tt_int128 self_ns, total_ns;
  guint n_open; /* while spans are read */
} Row;

typedef struct
{
  Key key;
  guint64 n;
  double min, max, sum, sum_squares;
} Values;

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns;
} Frame;

/* Spans that may have children yet, in begin order. */
typedef struct
{
  GArray *frames;      /* of Frame */
  gboolean is_crossed; /* spans that cross have come from `source`: they are no stack */
  guint32 source;
} Open;

/* If more spans than these cross at once, those that begin last are dropped. */
#define MAX_CROSSED 1024u

typedef struct
{
  TtStore *store;
  TtSelection *selection;
  TtTauExportReport *report;
  GHashTable *rows;   /* Row, by its key */
  GHashTable *values; /* Values */
  Open *open;         /* by thread */
  guint32 n_threads;
} Profile;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;

  return key->thread * 2654435761u ^ key->id * 40503u;
}

static gboolean
same_key (gconstpointer a, gconstpointer b)
{
  const Key *one = a, *other = b;

  return one->thread == other->thread && one->id == other->id;
}

static Row *
get_row (Profile *self, guint32 thread, guint32 name)
{
  const Key key = { thread, name };
  Row *row = g_hash_table_lookup (self->rows, &key);

  if (row == NULL)
    {
      row = g_new0 (Row, 1);
      row->key = key;
      g_hash_table_add (self->rows, row);
    }
  return row;
}

/* -- spans, a parent before its children ------------------------------------------------------------- */

static Frame *
find_last (const Open *open)
{
  return open->frames->len == 0 ? NULL : &g_array_index (open->frames, Frame, open->frames->len - 1);
}

static void
drop_frames (Profile *self, guint32 thread, guint32 depth)
{
  Open *open = &self->open[thread];

  for (const Frame *last; (last = find_last (open)) != NULL && last->depth >= depth;)
    {
      get_row (self, thread, last->name)->n_open--;
      g_array_set_size (open->frames, open->frames->len - 1);
    }
}

static void
begin_crossed (Profile *self, guint32 thread)
{
  Open *open = &self->open[thread];

  for (guint i = 0; i < open->frames->len; i++)
    get_row (self, thread, g_array_index (open->frames, Frame, i).name)->n_open = 0;
  open->is_crossed = TRUE;
}

/* The place of @event in the frames: after the spans that contain it. */
static guint
find_place_among_crossed (Open *open, const TtEvent *event)
{
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  guint place;

  for (const Frame *last; (last = find_last (open)) != NULL && last->ts_ns > event->ts_ns && last->ts_ns >= end_ns;)
    g_array_set_size (open->frames, open->frames->len - 1);
  for (place = open->frames->len; place > 0 && g_array_index (open->frames, Frame, place - 1).ts_ns > event->ts_ns;)
    place--;
  g_array_set_size (open->frames, MIN (open->frames->len, place + MAX_CROSSED));
  return place;
}

static void
add_span (Profile *self, const TtEvent *event, const guint32 *first_names)
{
  Open *open = &self->open[event->thread];
  const Frame frame = { .name = first_names[event->name], .depth = event->depth, .ts_ns = event->ts_ns };
  Row *row = get_row (self, event->thread, frame.name);
  guint place;

  if (open->source != event->source)
    {
      if (open->is_crossed)
        g_array_set_size (open->frames, 0);
      drop_frames (self, event->thread, 0);
      open->source = event->source;
      open->is_crossed = FALSE;
    }
  if ((event->flags & TT_FLAG_OVERLAP) && !open->is_crossed)
    begin_crossed (self, event->thread);
  if (open->is_crossed)
    place = find_place_among_crossed (open, event);
  else
    {
      drop_frames (self, event->thread, event->depth);
      place = open->frames->len;
    }
  if (place > 0)
    get_row (self, event->thread, g_array_index (open->frames, Frame, place - 1).name)->n_children++;

  row->n_calls++;
  row->self_ns += event->self_ns;
  if (open->is_crossed ? (event->flags & TT_FLAG_RECURSIVE) == 0 : row->n_open++ == 0)
    row->total_ns += event->dur_ns;
  g_array_insert_val (open->frames, place, frame);
  self->report->n_spans++;
}

static gboolean
read_spans (Profile *self, GError **error)
{
  g_autofree guint32 *first_names = tt_store_first_names (self->store, error);
  g_autoptr (TtProgress) progress = NULL;
  g_autoptr (GError) failed = NULL;
  TtEvent event;
  guint n = 0;

  if (first_names == NULL)
    return FALSE;
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (self->selection != NULL)
    tt_selection_window (self->selection, &begin_ns, &end_ns);
  TtEventScan *scan = tt_event_scan_new_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  while (failed == NULL && tt_event_scan_next (scan, &event))
    {
      gboolean is_wanted =
          event.thread < self->n_threads && (self->selection == NULL || tt_selection_matches (self->selection, &event));
      if (is_wanted && event.dur_ns != TT_NO_TIME && (event.flags & TT_FLAG_ASYNC))
        self->report->n_async++;
      else if (is_wanted && event.dur_ns != TT_NO_TIME)
        add_span (self, &event, first_names);
      else if (is_wanted)
        self->report->n_instants++;
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          tt_cancelled (&failed);
          n = 0;
        }
    }
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
on_counter (guint32 series,
              guint32 thread,
              gint64 ts_ns,
              gboolean is_real,
              gint64 integer,
              double real,
              gpointer data)
{
  Profile *self = data;
  const Key key = { thread, series };
  double value = is_real ? real : (double) integer;

  if (thread == TT_NO_ID || thread >= self->n_threads ||
      (self->selection != NULL && !tt_selection_matches_point (self->selection, thread, ts_ns)))
    return TRUE;
  Values *values = g_hash_table_lookup (self->values, &key);
  if (values == NULL)
    {
      values = g_new0 (Values, 1);
      *values = (Values){ .key = key, .min = value, .max = value };
      g_hash_table_add (self->values, values);
    }
  values->n++;
  values->min = MIN (values->min, value);
  values->max = MAX (values->max, value);
  values->sum += value;
  values->sum_squares += value * value;
  self->report->n_counters++;
  return TRUE;
}

/* -- files ------------------------------------------------------------------------------------------------ */

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  const Key *one = *(const Key *const *) a, *other = *(const Key *const *) b;
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

  while (from + n < keys->len && ((const Key *) keys->pdata[from + n])->thread == thread)
    n++;
  return n;
}

static void
write_rows (Profile *self, GString *out, const GPtrArray *rows, guint from, guint n)
{
  g_string_append_printf (out, "%u templated_functions\n# Name Calls Subrs Excl Incl ProfileCalls\n", n);
  for (guint i = from; i < from + n; i++)
    {
      const Row *row = rows->pdata[i];
      const TtStoredName *name = tt_store_name (self->store, row->key.id);
      g_autofree char *label = name == NULL ? g_strdup ("") : tt_tau_export_label (name);
      write_name (out, label);
      g_string_append_printf (out, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, row->n_calls, row->n_children);
      write_us (out, row->self_ns);
      write_us (out, row->total_ns);
      g_string_append_printf (out, " 0 GROUP=\"%s\"\n",
                              name == NULL ? "TAU_DEFAULT" : tt_tau_export_label_group (name));
    }
  g_string_append (out, "0 aggregates\n");
}

static void
write_values (GString *out, const GPtrArray *values, guint from, guint n, char *const *series)
{
  g_string_append_printf (out, "%u userevents\n# eventname numevents max min mean sumsqr\n", n);
  for (guint i = from; i < from + n; i++)
    {
      const Values *of = values->pdata[i];
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
write_files (Profile *self, const char *folder, const TtTauExportNumbers *numbers, GPtrArray *written, GError **error)
{
  g_autoptr (GPtrArray) rows = sort_keys (self->rows);
  g_autoptr (GPtrArray) values = sort_keys (self->values);
  g_autofree char **series = list_series_names (self->store);
  g_autoptr (GString) text = g_string_new (NULL);
  guint row = 0, value = 0;

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
  for (guint32 thread = 1; thread < self->n_threads; thread++)
    {
      guint n_rows = count_keys_of (rows, row, thread), n_values = count_keys_of (values, value, thread);
      if (n_rows + n_values == 0)
        continue;
      g_string_truncate (text, 0);
      write_rows (self, text, rows, row, n_rows);
      write_values (text, values, value, n_values, series);
      if (!write_file (folder, tt_tau_export_numbers_thread (numbers, thread), text, written, error))
        return FALSE;
      self->report->n_files++;
      row += n_rows;
      value += n_values;
    }
  return TRUE;
}

/* The files and, if it is new, the folder that came before them. */
static void
remove_written (const GPtrArray *written)
{
  for (guint i = written->len; i > 0; i--)
    g_remove (written->pdata[i - 1]);
}

gboolean
tt_tau_export_profile (TtStore *store,
                       const char *folder,
                       TtSelection *selection,
                       TtTauExportReport *report,
                       GError **error)
{
  g_autoptr (TtTauExportNumbers) numbers = tt_tau_export_numbers_new (store, error);
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_free);
  Profile self = {
    .store = store,
    .selection = selection,
    .report = report,
    .rows = g_hash_table_new_full (hash_key, same_key, g_free, NULL),
    .values = g_hash_table_new_full (hash_key, same_key, g_free, NULL),
    .n_threads = tt_store_max_thread (store) + 1,
  };

  self.open = g_new0 (Open, self.n_threads);
  for (guint32 i = 0; i < self.n_threads; i++)
    self.open[i].frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  gboolean is_good = numbers != NULL && (selection == NULL || tt_selection_bind (selection, store, error)) &&
                     tt_store_each_counter (store, on_counter, &self, error) && read_spans (&self, error) &&
                     tt_failure_check (error) && write_files (&self, folder, numbers, written, error) &&
                     tt_failure_check (error);
  if (!is_good)
    remove_written (written);
  report->n_renumbered = numbers == NULL ? 0 : numbers->n_renumbered;
  for (guint32 i = 0; i < self.n_threads; i++)
    g_array_unref (self.open[i].frames);
  g_free (self.open);
  g_hash_table_unref (self.rows);
  g_hash_table_unref (self.values);
  return is_good;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/tau-export.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "formats/record-export/items.h"
#include "formats/tau-export/labels.h"
#include "formats/tau-export/numbers.h"
#include "formats/tau/TAU_tf.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define STEP 65536u
#define NS_OF_US 1000
#define MAX_NAME_BYTES 60000u

/* Events of TAU's own, whose tokens come after those of names and series. */
enum
{
  TOKEN_ONESIDED_SEND,
  TOKEN_ONESIDED_RECV,
  TOKEN_ONESIDED_ID1,
  TOKEN_ONESIDED_ID2,
  N_TOKENS,
};

/* Metadata of one thread; others may share the name. */
typedef struct
{
  guint32 thread;
  guint name; /* index */
} Fact;

typedef struct
{
  TtStore *store;
  TtTauExportReport *report;
  TtTauExportNumbers *numbers;
  TtRecordExportItems *items;
  gboolean *is_unfenced;                         /* by series: written without fences */
  GArray *facts;                                 /* of Fact */
  GPtrArray *fact_names;                         /* "Key | value" */
  GHashTable *fact_ids;                          /* the same -> index */
  guint32 series_from, special_from, facts_from; /* tokens */
  gboolean is_whole;                             /* nothing is left out by a filter: what is not used is defined, too */
  gboolean has_onesided;
  GPtrArray *written; /* paths, removed again on an error */
  const char *path;   /* of the trace being written */
  Ttf_FileHandleT out;
} Export;

static gboolean
fail_write (const char *path, int number, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "cannot write '%s': %s", path,
               g_strerror (number != 0 ? number : EIO));
  return FALSE;
}

/* -- definitions ------------------------------------------------------------------------------------ */

static gboolean
on_fact (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  Export *self = data;
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);
  gint64 us;

  for (guint i = 0; thread == TT_NO_ID && i < n; i++)
    if (threads[i].process == process && tt_record_export_items_last (self->items, threads[i].id, &us))
      thread = threads[i].id;
  if (thread == TT_NO_ID || !tt_record_export_items_last (self->items, thread, &us))
    return TRUE;
  g_autofree char *name = g_strdup_printf ("%s | %s", key, value);
  gpointer known;
  if (strlen (name) > MAX_NAME_BYTES)
    name[MAX_NAME_BYTES] = '\0';
  if (!g_hash_table_lookup_extended (self->fact_ids, name, NULL, &known))
    {
      known = GUINT_TO_POINTER (self->fact_names->len);
      g_ptr_array_add (self->fact_names, name);
      g_hash_table_insert (self->fact_ids, g_steal_pointer (&name), known);
    }
  const Fact fact = { .thread = thread, .name = GPOINTER_TO_UINT (known) };
  g_array_append_val (self->facts, fact);
  return TRUE;
}

/* 0: all were taken. */
static int
write_definitions (Export *self)
{
  static const char *const onesided[N_TOKENS] = {
    "ONESIDED_MESSAGE_SEND",
    "ONESIDED_MESSAGE_RECV",
    "ONESIDED_MESSAGE_ID_TriggerValueT1",
    "ONESIDED_MESSAGE_ID_TriggerValueT2",
  };
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  int status = 0;
  guint n;

  for (guint32 id = 1; id < self->series_from; id++)
    {
      gboolean is_used = self->is_whole || tt_record_export_items_uses_name (self->items, id);
      const TtStoredName *name = is_used ? tt_store_name (self->store, id) : NULL;
      if (name == NULL)
        continue;
      const char *text = tt_tau_export_label_group (name);
      guint group = GPOINTER_TO_UINT (g_hash_table_lookup (groups, text));
      if (group == 0)
        {
          group = g_hash_table_size (groups) + 1;
          g_hash_table_insert (groups, (gpointer) text, GUINT_TO_POINTER (group));
          status |= Ttf_DefStateGroup (self->out, text, group);
        }
      g_autofree char *label = tt_tau_export_label (name);
      status |= Ttf_DefState (self->out, id, label, group);
    }
  const TtSeries *series = tt_store_series (self->store, &n);
  for (guint i = 0; i < n; i++)
    if (self->is_whole || tt_record_export_items_uses_series (self->items, series[i].id))
      status |= Ttf_DefUserEvent (self->out, self->series_from + series[i].id, series[i].name, series[i].is_monotonic);
  for (guint i = 0; self->has_onesided && i < N_TOKENS; i++)
    status |= Ttf_DefUserEvent (self->out, self->special_from + i, onesided[i], 0);
  for (guint i = 0; i < self->fact_names->len; i++)
    status |= Ttf_DefUserEvent (self->out, self->facts_from + i, self->fact_names->pdata[i], 0);
  return status;
}

/* -- records ------------------------------------------------------------------------------------------ */

static int
write_value (Export *self, guint32 token, guint32 thread, gint64 us, gint64 value, gboolean has_fences)
{
  guint32 place = tt_tau_export_numbers_thread (self->numbers, thread);
  guint node = place >> 16, tid = place & G_MAXUINT16;
  guint64 time = (guint64) us;
  int status = 0;

  if (has_fences)
    status |= Ttf_LongEventTrigger (self->out, time, node, tid, token, 0);
  status |= Ttf_LongEventTrigger (self->out, time, node, tid, token, (guint64) value);
  if (has_fences)
    status |= Ttf_LongEventTrigger (self->out, time, node, tid, token, 0);
  return status;
}

static int
write_message (Export *self, const TtRecordExportItem *item)
{
  guint32 place = tt_tau_export_numbers_thread (self->numbers, item->thread);
  guint node = place >> 16, tid = place & G_MAXUINT16;
  guint bytes = item->par < 0 ? 0 : (guint) (guint64) item->par;
  guint tag = (guint) (guint64) item->a, comm = (guint) (guint64) item->b;
  guint peer = (guint) self->numbers->nodes[item->value];

  self->report->n_wrapped +=
      item->a < 0 || item->a > G_MAXUINT16 || item->b < 0 || item->b > 63 || item->par >= (1 << 26);

  if (item->kind == TT_RECORD_EXPORT_SEND)
    return Ttf_SendMessage (self->out, (double) item->time, node, tid, peer, 0, bytes, tag, comm);
  return Ttf_RecvMessage (self->out, (double) item->time, peer, 0, node, tid, bytes, tag, comm);
}

static int
write_onesided (Export *self, const TtRecordExportItem *item)
{
  gboolean is_send = item->kind == TT_RECORD_EXPORT_ONESIDED_SEND || item->kind == TT_RECORD_EXPORT_PUT;
  guint32 first = is_send ? TOKEN_ONESIDED_SEND : TOKEN_ONESIDED_RECV;

  return write_value (self, self->special_from + first, item->thread, item->time, item->par, FALSE) |
         write_value (self, self->special_from + TOKEN_ONESIDED_ID1, item->thread, item->time, item->a, FALSE) |
         write_value (self, self->special_from + TOKEN_ONESIDED_ID2, item->thread, item->time, item->b, FALSE);
}

/* As far as an integer goes. */
static int
write_real (Export *self, const TtRecordExportItem *item)
{
  double real;

  memcpy (&real, &item->par, sizeof real);
  gint64 integer = real >= 9223372036854775808.0    ? G_MAXINT64
                   : real <= -9223372036854775808.0 ? G_MININT64
                   : real == real                   ? (gint64) real
                                                    : 0;
  self->report->n_fractions += !((double) integer == real);
  return write_value (self, self->series_from + item->value, item->thread, item->time, integer,
                      !self->is_unfenced[item->value]);
}

static int
write_record (Export *self, const TtRecordExportItem *item)
{
  guint32 place = tt_tau_export_numbers_thread (self->numbers, item->thread);
  guint node = place >> 16, tid = place & G_MAXUINT16;

  switch ((TtRecordExportItemKind) item->kind)
    {
    case TT_RECORD_EXPORT_ENTER:
      return Ttf_EnterState (self->out, (guint64) item->time, node, tid, item->value);
    case TT_RECORD_EXPORT_LEAVE:
      return Ttf_LeaveState (self->out, (guint64) item->time, node, tid, item->value);
    case TT_RECORD_EXPORT_METRIC:
      return write_value (self, self->series_from + item->value, item->thread, item->time,
                          item->par - tt_record_export_items_metric_base (self->items, item->thread, item->value),
                          FALSE);
    case TT_RECORD_EXPORT_COUNTER_REAL:
      return write_real (self, item);
    case TT_RECORD_EXPORT_COUNTER:
      return write_value (self, self->series_from + item->value, item->thread, item->time, item->par,
                          !self->is_unfenced[item->value]);
    case TT_RECORD_EXPORT_SEND:
    case TT_RECORD_EXPORT_RECV:
      return write_message (self, item);
    case TT_RECORD_EXPORT_ONESIDED_SEND:
    case TT_RECORD_EXPORT_ONESIDED_RECV:
    case TT_RECORD_EXPORT_PUT:
    case TT_RECORD_EXPORT_GET:
      return write_onesided (self, item);
    case TT_RECORD_EXPORT_INSTANT:
    case TT_RECORD_EXPORT_OFF_STACK:
    case TT_RECORD_EXPORT_FLOW:
      return 0; /* only with details */
    }
  return -1;
}

/* -- files --------------------------------------------------------------------------------------------- */

static gboolean
begin_file (Export *self, const char *trc, const char *edf, GError **error)
{
  errno = 0;
  self->out = Ttf_OpenFileForOutput (trc, edf);
  if (self->out == NULL)
    {
      int number = errno;

      g_unlink (trc); /* it was not there before */
      return fail_write (trc, number, error);
    }
  self->path = trc;
  g_ptr_array_add (self->written, g_strdup (trc));
  g_ptr_array_add (self->written, g_strdup (edf));
  self->report->n_files++;
  return write_definitions (self) == 0 || fail_write (edf, ENOMEM, error);
}

/* @thread: TT_NO_ID for the facts of all. */
static gboolean
end_file (Export *self, guint32 thread, GError **error)
{
  int status = 0;
  guint n;
  gint64 us;
  const TtThread *threads = tt_store_threads (self->store, &n);

  for (guint i = 0; i < self->facts->len; i++)
    {
      const Fact *fact = &g_array_index (self->facts, Fact, i);
      if ((thread == TT_NO_ID || fact->thread == thread) &&
          tt_record_export_items_last (self->items, fact->thread, &us))
        status |= write_value (self, self->facts_from + fact->name, fact->thread, us, 1, TRUE);
    }
  for (guint i = 0; i < n; i++)
    if ((thread == TT_NO_ID || threads[i].id == thread) &&
        tt_record_export_items_last (self->items, threads[i].id, &us))
      {
        guint32 place = tt_tau_export_numbers_thread (self->numbers, threads[i].id);
        status |= Ttf_DefThread (self->out, place >> 16, place & G_MAXUINT16, threads[i].tid);
      }
  errno = 0;
  status |= Ttf_CloseOutputFile (self->out) == NULL;
  int number = errno;
  self->out = NULL;
  return status == 0 || fail_write (self->path, number, error);
}

static gboolean
each_item (Export *self,
           gboolean (*on_item) (Export *self, const TtRecordExportItem *item, gpointer data, GError **error),
           gpointer data,
           GError **error)
{
  g_autoptr (TtProgress) progress = tt_progress_new (
      "writing", 2 * self->report->run.n_spans + self->report->run.n_counters + self->report->run.n_messages,
      "records");
  g_autoptr (GError) failed = NULL;
  const TtRecordExportItem *item;
  guint n = 0;

  while ((item = tt_record_export_items_next (self->items, &failed)) != NULL)
    {
      if (!on_item (self, item, data, error))
        return FALSE;
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          n = 0;
          if (tt_cancelled (error))
            return FALSE;
        }
    }
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
write_item (Export *self, const TtRecordExportItem *item, gpointer data, GError **error)
{
  errno = 0;
  return write_record (self, item) == 0 || fail_write (self->path, errno, error);
}

static gboolean
write_merged (Export *self, const char *trc, const char *edf, GError **error)
{
  return begin_file (self, trc, edf, error) && each_item (self, write_item, NULL, error) &&
         end_file (self, TT_NO_ID, error);
}

/* -- a file a thread ------------------------------------------------------------------------------------ */

typedef struct
{
  TtRecordExportItem item; /* with other keys: number of the thread, then the order of coming */
} OfThread;

typedef struct
{
  TtSorter *sorter;
  guint64 n;
} Regroup;

static gboolean
regroup_item (Export *self, const TtRecordExportItem *item, gpointer data, GError **error)
{
  Regroup *regroup = data;
  OfThread *of = tt_sorter_add (regroup->sorter);

  of->item = *item;
  of->item.high = tt_tau_export_numbers_thread (self->numbers, item->thread);
  of->item.low = regroup->n++;
  return TRUE;
}

static gboolean
begin_thread (Export *self, const char *folder, guint32 place, char **trc, GError **error)
{
  g_autofree char *name = g_strdup_printf ("tautrace.%u.0.%u.trc", place >> 16, place & G_MAXUINT16);
  g_autofree char *events = g_strdup_printf ("events.%u.edf", place >> 16);
  g_autofree char *edf = g_build_filename (folder, events, NULL);

  g_free (*trc);
  *trc = g_build_filename (folder, name, NULL);
  if (tt_look_test (*trc, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is there already; name a new folder", *trc);
      return FALSE;
    }
  return begin_file (self, *trc, edf, error);
}

static gboolean
write_folder (Export *self, const char *folder, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (OfThread), SORT_MEMORY);

  tt_sorter_sort_ahead (sorter);
  Regroup regroup = { .sorter = sorter };
  g_autofree char *trc = NULL;
  g_autoptr (GError) failed = NULL;
  const OfThread *of;
  guint32 last = TT_NO_ID;

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return fail_write (folder, errno, error);
  if (!each_item (self, regroup_item, &regroup, error) || !tt_sorter_finish (sorter, error))
    return FALSE;
  while ((of = tt_sorter_next (sorter, &failed)) != NULL)
    {
      if (of->item.thread != last && ((last != TT_NO_ID && !end_file (self, last, error)) ||
                                      !begin_thread (self, folder, (guint32) of->item.high, &trc, error)))
        return FALSE;
      last = of->item.thread;
      if (!write_item (self, &of->item, NULL, error))
        return FALSE;
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return last == TT_NO_ID || end_file (self, last, error);
}

/* -- public ----------------------------------------------------------------------------------------------- */

/* Events of which the importer reads each record as one value, without fences. */
static void
find_unfenced (Export *self)
{
  guint n;
  const TtSeries *series = tt_store_series (self->store, &n);
  guint32 most = 0;

  for (guint i = 0; i < n; i++)
    most = MAX (most, series[i].id);
  self->is_unfenced = g_new0 (gboolean, most + 1);
  for (guint i = 0; i < n; i++)
    self->is_unfenced[series[i].id] = series[i].is_monotonic ||
                                      g_str_has_prefix (series[i].name, "TauTraceClockOffset") ||
                                      g_str_has_prefix (series[i].name, "ONESIDED_MESSAGE");
  self->special_from = self->series_from + most + 1;
  self->facts_from = self->special_from + N_TOKENS;
}

static gboolean
prepare_export (Export *self, TtSelection *selection, GError **error)
{
  if (selection != NULL && !tt_selection_bind (selection, self->store, error))
    return FALSE;
  self->numbers = tt_tau_export_numbers_new (self->store, error);
  if (self->numbers == NULL)
    return FALSE;
  self->items = tt_record_export_items_new (self->store, selection, NS_OF_US, FALSE, &self->report->run, error);
  if (self->items == NULL)
    return FALSE;
  self->report->n_renumbered = self->numbers->n_renumbered;
  self->is_whole = selection == NULL;
  self->has_onesided = tt_record_export_items_has_onesided (self->items);
  self->series_from = tt_store_max_name (self->store) + 1;
  find_unfenced (self);
  return tt_store_each_metadata (self->store, on_fact, self, error);
}

static gboolean
is_new (const char *path, GError **error)
{
  if (!tt_look_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is there already; name a new file, or remove it", path);
  return FALSE;
}

gboolean
tt_tau_export_trace (TtStore *store,
                     const char *trc,
                     const char *edf,
                     TtSelection *selection,
                     TtTauExportReport *report,
                     GError **error)
{
  Export self = {
    .store = store,
    .report = report,
    .facts = g_array_new (FALSE, FALSE, sizeof (Fact)),
    .fact_names = g_ptr_array_new_with_free_func (g_free),
    .fact_ids = g_hash_table_new (g_str_hash, g_str_equal),
    .written = g_ptr_array_new_with_free_func (g_free),
  };

  gboolean is_good = (edf == NULL || (is_new (trc, error) && is_new (edf, error))) &&
                     prepare_export (&self, selection, error) &&
                     (edf != NULL ? write_merged (&self, trc, edf, error) : write_folder (&self, trc, error)) &&
                     tt_failure_check (error);
  if (self.out != NULL)
    Ttf_CloseOutputFile (self.out);
  for (guint i = 0; !is_good && i < self.written->len; i++)
    g_unlink (self.written->pdata[i]);
  g_array_unref (self.facts);
  g_hash_table_unref (self.fact_ids);
  g_ptr_array_unref (self.fact_names);
  g_ptr_array_unref (self.written);
  g_free (self.is_unfenced);
  tt_record_export_items_free (self.items);
  tt_tau_export_numbers_free (self.numbers);
  return is_good;
}

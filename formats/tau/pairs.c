/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/pairs.h"

#include "formats/tau/edf.h"
#include "formats/tau/runs.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/paths.h"

#include <string.h>

/* Files in a command that is shown. */
#define MAX_NAMED 8u

/* One file. */
typedef struct
{
  char *path; /* borrowed */
  char *directory;
  char *stem; /* base name without .gz, .zst, then .trc, .edf */
  gboolean is_edf;
  gboolean is_rank; /* tautrace.N.C.T.trc */
  gint64 node, context, thread;
  gint64 edf_node; /* events.N.edf, or -1 */
  guint64 disk_bytes;
  guint order;
  gboolean is_used; /* definitions that a trace has taken */
  char *edf;        /* of a trace: its definitions */
  GError *fault;    /* why it is not read */
  TtTauPeriod period;
  gboolean has_period;
  GPtrArray *others; /* with the same fault: their paths */
} File;

static void
file_free (gpointer data)
{
  File *file = data;

  g_free (file->directory);
  g_free (file->stem);
  g_free (file->edf);
  g_clear_error (&file->fault);
  g_clear_pointer (&file->others, g_ptr_array_unref);
  g_free (file);
}

/* -- names ---------------------------------------------------------------------------------------- */

/* "tautrace.3.0.12" with @prefix "tautrace" and 3 numbers. */
static gboolean
parse_numbers (const char *stem, const char *prefix, guint n, gint64 *numbers)
{
  g_auto (GStrv) parts = g_strsplit (stem, ".", 8);

  if (g_strv_length (parts) != n + 1 || strcmp (parts[0], prefix) != 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_ascii_string_to_signed (parts[i + 1], 10, 0, G_MAXINT32, &numbers[i], NULL))
      return FALSE;
  return TRUE;
}

static File *
look_at (char *path, guint order, GError **error)
{
  guint8 head[128];
  guint64 size = 0;
  gssize n = tt_input_peek (path, head, sizeof head, &size, error);
  gint64 numbers[3];

  if (n < 0)
    return NULL;
  File *file = g_new0 (File, 1);
  file->path = path;
  file->order = order;
  file->directory = g_path_get_dirname (path);
  file->stem = g_path_get_basename (path);
  file->disk_bytes = size;
  tt_path_cut_packing (file->stem);
  file->is_edf = tt_tau_rows_probe (head, (gsize) n) ||
                 (g_str_has_suffix (file->stem, ".edf") && (n == 0 || memchr (head, '\0', (gsize) n) == NULL));
  tt_path_cut_suffix (file->stem, ".trc");
  tt_path_cut_suffix (file->stem, ".edf");
  file->is_rank = !file->is_edf && parse_numbers (file->stem, "tautrace", 3, numbers);
  if (file->is_rank)
    {
      file->node = numbers[0];
      file->context = numbers[1];
      file->thread = numbers[2];
    }
  file->edf_node = parse_numbers (file->stem, "events", 1, numbers) ? numbers[0] : -1;
  return file;
}

/* -- finding definitions ------------------------------------------------------------------------------ */

static char *
expected_edf (const File *trace)
{
  g_autofree char *name = trace->is_rank ? g_strdup_printf ("events.%" G_GINT64_FORMAT ".edf", trace->node)
                                         : g_strconcat (trace->stem, ".edf", NULL);

  return strcmp (trace->directory, ".") == 0 && strchr (trace->path, G_DIR_SEPARATOR) == NULL
             ? g_steal_pointer (&name)
             : g_build_filename (trace->directory, name, NULL);
}

static gboolean
names_belong (const File *trace, const File *edf)
{
  return trace->is_rank ? edf->edf_node == trace->node : strcmp (trace->stem, edf->stem) == 0;
}

/* Among the files given: by name, in the same directory first. */
static void
pair_by_name (GPtrArray *traces, GPtrArray *edfs)
{
  for (int same_directory = 1; same_directory >= 0; same_directory--)
    for (guint i = 0; i < traces->len; i++)
      for (guint k = 0; k < edfs->len; k++)
        {
          File *trace = traces->pdata[i], *edf = edfs->pdata[k];
          if (trace->edf == NULL && names_belong (trace, edf) &&
              (!same_directory || strcmp (trace->directory, edf->directory) == 0))
            {
              trace->edf = g_strdup (edf->path);
              edf->is_used = TRUE;
            }
        }
}

static gboolean
is_one_node (GPtrArray *traces)
{
  for (guint i = 0; i < traces->len; i++)
    {
      const File *first = traces->pdata[0], *trace = traces->pdata[i];
      if (!trace->is_rank || trace->node != first->node || strcmp (trace->directory, first->directory) != 0)
        return FALSE;
    }
  return TRUE;
}

/* What the names did not pair: as many of one as of the other, in order; or one for a whole node. */
static void
pair_by_order (GPtrArray *traces, GPtrArray *edfs, GPtrArray *notes)
{
  g_autoptr (GPtrArray) lone_traces = g_ptr_array_new (), lone_edfs = g_ptr_array_new ();

  for (guint i = 0; i < traces->len; i++)
    if (((File *) traces->pdata[i])->edf == NULL)
      g_ptr_array_add (lone_traces, traces->pdata[i]);
  for (guint k = 0; k < edfs->len; k++)
    if (!((File *) edfs->pdata[k])->is_used)
      g_ptr_array_add (lone_edfs, edfs->pdata[k]);

  gboolean is_one_for_all = lone_edfs->len == 1 && lone_traces->len > 0 && is_one_node (lone_traces);
  if (lone_traces->len != lone_edfs->len && !is_one_for_all)
    return;
  for (guint i = 0; i < lone_traces->len; i++)
    {
      File *trace = lone_traces->pdata[i], *edf = lone_edfs->pdata[is_one_for_all ? 0 : i];
      trace->edf = g_strdup (edf->path);
      edf->is_used = TRUE;
      if (trace->is_rank && edf->edf_node >= 0 && edf->edf_node != trace->node)
        g_ptr_array_add (notes,
                         g_strdup_printf ("'%s' is read with '%s', the definitions of another node: names may be wrong",
                                          trace->path, edf->path));
    }
}

/* In the directory of the trace, packed or not. */
static gboolean
find_on_disk (File *trace, GError **error)
{
  g_autofree char *expected = expected_edf (trace);

  trace->edf = tt_path_find_packed (expected, trace->path);
  if (trace->edf != NULL)
    return TRUE;
  if (strcmp (expected, trace->path) == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: byte 0: neither the definitions of a TAU trace, which are text, nor a TAU trace by its name",
                 trace->path);
  else if (strcmp (trace->path, "-") == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                 "a TAU trace from standard input needs its definitions: name its .edf too");
  else
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                 "cannot find '%s', the definitions of '%s': put the file there, or name it too", expected,
                 trace->path);
  return FALSE;
}

static gboolean
complain_about_lone_edfs (GPtrArray *edfs, gboolean from_directory, GPtrArray *notes, GError **error)
{
  for (guint k = 0; k < edfs->len; k++)
    {
      const File *edf = edfs->pdata[k];
      if (edf->is_used)
        continue;
      if (from_directory)
        {
          g_ptr_array_add (notes, g_strdup_printf ("'%s' has no trace beside it, left aside", edf->path));
          continue;
        }
      g_autofree char *trace = edf->edf_node >= 0
                                   ? g_strdup_printf ("tautrace.%" G_GINT64_FORMAT ".0.0.trc", edf->edf_node)
                                   : g_strconcat (edf->stem, ".trc", NULL);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "'%s' holds only definitions: it needs its trace (such as '%s'); name both", edf->path, trace);
      return FALSE;
    }
  return TRUE;
}

/* -- order ------------------------------------------------------------------------------------------------- */

static int
compare_numbers (gint64 a, gint64 b)
{
  return a < b ? -1 : a > b;
}

/* Per-rank files of a directory by number, everything else in the order given. */
static int
by_rank (gconstpointer first, gconstpointer second)
{
  const File *a = *(File *const *) first, *b = *(File *const *) second;
  int order = 0;

  if (a->is_rank && b->is_rank)
    {
      order = strcmp (a->directory, b->directory);
      if (order == 0)
        order = compare_numbers (a->node, b->node);
      if (order == 0)
        order = compare_numbers (a->context, b->context);
      if (order == 0)
        order = compare_numbers (a->thread, b->thread);
    }
  else if (a->is_rank != b->is_rank)
    order = a->is_rank ? -1 : 1;
  return order != 0 ? order : compare_numbers (a->order, b->order);
}

/* -- directories ------------------------------------------------------------------------------------------ */

static void
find_periods (GPtrArray *traces)
{
  for (guint i = 0; i < traces->len; i++)
    {
      File *trace = traces->pdata[i];
      trace->has_period = tt_tau_find_period (trace->path, &trace->period);
    }
}

static int
by_period (gconstpointer first, gconstpointer second)
{
  const File *a = *(File *const *) first, *b = *(File *const *) second;

  return a->period.first_us < b->period.first_us ? -1 : a->period.first_us > b->period.first_us;
}

/* The per-rank files of @ranks, in the order of time, from @from on up to the first that is of a later run. */
static guint
end_of_run (const GPtrArray *ranks, guint from, TtTauPeriod *period)
{
  guint i = from;

  *period = ((File *) ranks->pdata[from])->period;
  for (; i < ranks->len; i++)
    {
      const TtTauPeriod *next = &((File *) ranks->pdata[i])->period;
      if (tt_tau_are_apart (period, next))
        break;
      period->last_us = MAX (period->last_us, next->last_us);
    }
  return i;
}

/* The first of them speaks for all. */
static void
leave_to_others (GPtrArray *traces, GPtrArray *ranks, guint from, guint end, const TtTauPeriod *period)
{
  g_autofree char *begin = tt_tau_date (period->first_us);
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  g_autoptr (GString) command = g_string_new ("tracetool import");

  for (guint i = from; i < end; i++)
    g_ptr_array_add (left, ranks->pdata[i]);
  g_ptr_array_sort (left, by_rank);
  File *first = left->pdata[0];
  first->others = g_ptr_array_new ();
  for (guint i = 0; i < left->len; i++)
    {
      File *rank = left->pdata[i];
      if (i < MAX_NAMED)
        g_string_append_printf (command, " %s", rank->path);
      if (i == 0)
        continue;
      g_ptr_array_add (first->others, rank->path);
      g_ptr_array_remove (traces, rank);
    }
  if (left->len > MAX_NAMED)
    g_string_append (command, " ...");
  g_set_error (&first->fault, TT_ERROR, TT_ERROR_INPUT, "'%s'%s of an earlier run, of %s: %s", first->path,
               left->len == 1 ? " is" : " and others are", begin, command->str);
}

/* Whether the per-rank files @ranks from @from on are the whole of a run: ranks 0 to n - 1, whose messages are among
 * themselves. Else clocks are wrong, not runs mixed. */
static gboolean
are_a_run (const GPtrArray *ranks, guint from)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  gint64 most = 0;

  for (guint i = from; i < ranks->len; i++)
    {
      const File *rank = ranks->pdata[i];
      g_hash_table_add (nodes, GINT_TO_POINTER (rank->node + 1));
      most = MAX (most, rank->node);
    }
  if (g_hash_table_size (nodes) != (guint64) most + 1)
    return FALSE;
  for (guint i = from; i < ranks->len; i++)
    if (tt_tau_names_peer (((File *) ranks->pdata[i])->path, (guint64) most + 1))
      return FALSE;
  return TRUE;
}

/* What is left in a folder of earlier runs is no part of the latest. */
static void
leave_earlier_runs (GPtrArray *traces)
{
  g_autoptr (GPtrArray) ranks = g_ptr_array_new ();
  TtTauPeriod period;

  for (guint i = 0; i < traces->len; i++)
    if (((File *) traces->pdata[i])->is_rank && ((File *) traces->pdata[i])->has_period)
      g_ptr_array_add (ranks, traces->pdata[i]);
  if (ranks->len < 2)
    return;
  g_ptr_array_sort (ranks, by_period);
  guint latest = 0;
  for (guint end; (end = end_of_run (ranks, latest, &period)) < ranks->len;)
    latest = end;
  if (latest == 0 || !are_a_run (ranks, latest))
    return;
  for (guint from = 0, end; from < latest; from = end)
    {
      end = end_of_run (ranks, from, &period);
      leave_to_others (traces, ranks, from, end, &period);
    }
}

/* Whether the trace @merged has a time that those beside it have not. */
static gboolean
is_of_another_run (const GPtrArray *traces, const File *merged)
{
  gboolean is_known = FALSE;

  for (guint i = 0; merged->has_period && i < traces->len; i++)
    {
      const File *trace = traces->pdata[i];
      if (!trace->is_rank || !trace->has_period || trace->fault != NULL)
        continue;
      is_known = TRUE;
      if (trace->period.first_us <= merged->period.last_us && merged->period.first_us <= trace->period.last_us)
        return FALSE;
    }
  return is_known;
}

/* A merged trace repeats the per-rank files beside it. */
static void
drop_merged (GPtrArray *traces, GPtrArray *edfs, GPtrArray *notes)
{
  guint64 rank_bytes = 0;
  guint n_ranks = 0;

  for (guint i = 0; i < traces->len; i++)
    {
      const File *trace = traces->pdata[i];
      n_ranks += trace->is_rank;
      rank_bytes += trace->is_rank ? trace->disk_bytes : 0;
    }
  if (n_ranks == 0)
    return;

  for (guint i = 0; i < traces->len;)
    {
      File *trace = traces->pdata[i];
      gboolean is_merged = strcmp (trace->stem, "tau") == 0 || g_str_has_prefix (trace->stem, "intermediate.") ||
                           (trace->disk_bytes != 0 && trace->disk_bytes == rank_bytes);
      if (!trace->is_rank && is_of_another_run (traces, trace))
        {
          g_autofree char *begin = tt_tau_date (trace->period.first_us);
          g_set_error (&trace->fault, TT_ERROR, TT_ERROR_INPUT,
                       "'%s' is not merged from the files beside it but of another run, of %s: tracetool import %s",
                       trace->path, begin, trace->path);
          i++;
          continue;
        }
      if (trace->is_rank || !is_merged)
        {
          i++;
          continue;
        }
      g_ptr_array_add (
          notes, g_strdup_printf ("'%s' left aside: it is merged from the per-rank files beside it", trace->path));
      for (guint k = 0; k < edfs->len; k++)
        if (strcmp (((File *) edfs->pdata[k])->stem, trace->stem) == 0)
          ((File *) edfs->pdata[k])->is_used = TRUE;
      g_ptr_array_remove_index (traces, i);
    }
}

/* -- inputs ------------------------------------------------------------------------------------------------ */

/* Also of files that are damaged, but not of what an earlier run left. */
static gint64
find_last_rank (const GPtrArray *traces)
{
  gint64 last = -1;

  for (guint i = 0; i < traces->len; i++)
    {
      const File *trace = traces->pdata[i];
      if (trace->is_rank && trace->others == NULL)
        last = MAX (last, trace->node);
    }
  return last;
}

/* Traces that share definitions are one input, so that these are read once. */
static void
make_inputs (GPtrArray *traces, GPtrArray *inputs)
{
  const gint64 last_rank = find_last_rank (traces);

  for (guint i = 0; i < traces->len;)
    {
      File *first = traces->pdata[i];
      TtInputSet *set = tt_input_set_new ();

      set->last_rank = last_rank;
      if (first->fault != NULL)
        {
          set->fault = g_steal_pointer (&first->fault);
          g_ptr_array_add (set->paths, g_strdup (first->path));
          for (guint k = 0; first->others != NULL && k < first->others->len; k++)
            g_ptr_array_add (set->paths, g_strdup (first->others->pdata[k]));
          g_ptr_array_add (inputs, set);
          i++;
          continue;
        }
      for (; i < traces->len && ((File *) traces->pdata[i])->fault == NULL &&
             strcmp (((File *) traces->pdata[i])->edf, first->edf) == 0;
           i++)
        g_ptr_array_add (set->paths, g_strdup (((File *) traces->pdata[i])->path));
      g_ptr_array_add (set->paths, g_strdup (first->edf));
      g_ptr_array_add (inputs, set);
    }
}

gboolean
tt_tau_group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (file_free);
  g_autoptr (GPtrArray) traces = g_ptr_array_new (), edfs = g_ptr_array_new ();

  for (guint i = 0; i < paths->len; i++)
    {
      File *file = look_at (paths->pdata[i], i, error);
      if (file == NULL)
        return FALSE;
      g_ptr_array_add (files, file);
      g_ptr_array_add (file->is_edf ? edfs : traces, file);
    }

  pair_by_name (traces, edfs);
  if (from_directory && traces->len > 1)
    {
      find_periods (traces);
      leave_earlier_runs (traces);
      drop_merged (traces, edfs, notes);
    }
  g_ptr_array_sort (traces, by_rank);
  if (!from_directory)
    pair_by_order (traces, edfs, notes);
  for (guint i = 0; i < traces->len; i++)
    if (((File *) traces->pdata[i])->edf == NULL && ((File *) traces->pdata[i])->fault == NULL)
      find_on_disk (traces->pdata[i], &((File *) traces->pdata[i])->fault);
  if (traces->len == 1 && ((File *) traces->pdata[0])->fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&((File *) traces->pdata[0])->fault));
      return FALSE;
    }
  if (!complain_about_lone_edfs (edfs, from_directory, notes, error))
    return FALSE;
  make_inputs (traces, inputs);
  return TRUE;
}

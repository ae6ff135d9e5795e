/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/info-trust.h"

#include "src/cli/message.h"
#include "src/cli/run-facts.h"
#include "src/store/trust.h"

#include <string.h>

typedef struct
{
  TtTrustRow trust;
  char *path, *pid, *kind;
} Row;

static void
clear_row (gpointer data)
{
  Row *row = data;

  g_free (row->path);
  g_free (row->pid);
  g_free (row->kind);
}

/* -- columns ------------------------------------------------------------------------------------------------- */

static TtReportCell
trust_path (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->path);
}

static TtReportCell
trust_pid (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->pid);
}

static TtReportCell
trust_rank (const TtReportField *self, const void *row, const void *context)
{
  const TtTrustRow *trust = &((const Row *) row)->trust;

  return trust->has_rank ? tt_cell_int (trust->rank) : tt_cell_empty ();
}

static TtReportCell
trust_kind (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->kind);
}

static TtReportCell
trust_seen (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const Row *) row)->trust.seen);
}

static TtReportCell
trust_fate (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const Row *) row)->trust.fate[self->id]);
}

static const TtReportField fields[] = {
  { TT_COLUMN_COUNT, "Rank", "rank", trust_rank },
  { TT_COLUMN_WORD, "Pid", "pid", trust_pid },
  { TT_COLUMN_WORD, "Kind", "kind", trust_kind },
  { TT_COLUMN_COUNT, "Seen", "seen", trust_seen },
  { TT_COLUMN_COUNT, "Mended", "mended", trust_fate, TT_TRUST_MENDED },
  { TT_COLUMN_COUNT, "Skipped", "skipped", trust_fate, TT_TRUST_SKIPPED },
  { TT_COLUMN_COUNT, "Bounded", "bounded", trust_fate, TT_TRUST_BOUNDED },
  { TT_COLUMN_COUNT, "Inferred", "inferred", trust_fate, TT_TRUST_INFERRED },
  { TT_COLUMN_COUNT, "Lost", "lost", trust_fate, TT_TRUST_LOST },
  { TT_COLUMN_COUNT, "Doubtful", "doubtful", trust_fate, TT_TRUST_DOUBTFUL },
  { TT_COLUMN_TEXT, "Source", "path", trust_path },
};

/* -- rows ---------------------------------------------------------------------------------------------------- */

static gboolean
collect_row (const TtTrustRow *trust, gpointer data)
{
  const Row row = { *trust, g_strdup (trust->path), g_strdup (trust->pid), g_strdup (trust->kind) };

  g_array_append_val ((GArray *) data, row);
  return TRUE;
}

static gboolean
is_whole (const TtTrustRow *trust)
{
  for (guint fate = 0; fate < TT_N_TRUST_FATES; fate++)
    if (trust->fate[fate] > 0)
      return FALSE;
  return TRUE;
}

/* Of rows @first to @end - 1, one source's: the process that leads the only rank in it. NULL: there are several, or none. */
static const TtProcess *
find_only_rank (TtStore *store, const GArray *rows, guint first, guint end)
{
  const TtProcess *only = NULL;

  for (guint i = first; i < end; i++)
    {
      guint32 id = g_array_index (rows, Row, i).trust.process;
      const TtProcess *process = id == TT_NO_ID ? NULL : tt_store_process (store, id);
      const TtProcess *owner = process == NULL ? NULL : tt_store_process (store, process->owner);

      if (owner == NULL)
        continue;
      if (only != NULL && only != owner)
        return NULL;
      only = owner;
    }
  return only;
}

/* Of a source with one rank what is of nobody is that rank's. */
static void
give_to_ranks (TtStore *store, GArray *rows)
{
  for (guint first = 0, end; first < rows->len; first = end)
    {
      for (end = first + 1; end < rows->len && g_array_index (rows, Row, end).trust.source ==
                                                   g_array_index (rows, Row, first).trust.source;)
        end++;
      const TtProcess *only = find_only_rank (store, rows, first, end);
      for (guint i = first; only != NULL && i < end; i++)
        {
          Row *row = &g_array_index (rows, Row, i);

          if (row->trust.process != TT_NO_ID || row->pid != NULL)
            continue;
          row->pid = g_strdup (only->pid);
          row->trust.has_rank = only->rank >= 0;
          row->trust.rank = only->rank;
        }
    }
}

/* A terminal that is narrower has no room for what became of no record. */
#define WIDE 120u

/* Columns of nothing but zeros give way first. */
static void
give_way (TtReportField *of, guint n, const GArray *rows)
{
  for (guint i = 0; i < n; i++)
    {
      gboolean is_zero = of[i].value == trust_fate;

      for (guint k = 0; is_zero && k < rows->len; k++)
        is_zero = g_array_index (rows, Row, k).trust.fate[of[i].id] == 0;
      if (is_zero)
        of[i].min_width = WIDE;
    }
}

TtReport *
tt_info_trust (TtStore *store, const TtReportView *view, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  TtReportField shown[G_N_ELEMENTS (fields)];
  guint n_shown = 0;

  g_array_set_clear_func (rows, clear_row);
  if (!tt_store_each_trust (store, collect_row, rows, error))
    return NULL;
  if (rows->len == 0)
    tt_message ("no records of this run are counted: nothing happens in it, or an older tracetool read it");
  give_to_ranks (store, rows);
  memcpy (shown, fields, sizeof fields);
  give_way (shown, G_N_ELEMENTS (shown), rows);
  g_autoptr (TtReport) report = tt_report_of_fields (shown, G_N_ELEMENTS (shown), view, NULL);
  for (int whole = 0; whole < 2; whole++)
    for (guint i = 0; i < rows->len && (view->top == 0 || n_shown < view->top); i++)
      {
        const Row *row = &g_array_index (rows, Row, i);
        if (is_whole (&row->trust) != (whole == 1))
          continue;
        tt_report_row (report, row);
        n_shown++;
      }
  if (n_shown < rows->len)
    {
      g_autofree char *more = tt_report_more (view, rows->len - n_shown, NULL);
      tt_report_footer (report, more);
    }
  g_autofree char *few = NULL;
  if (!tt_few_text (store, &few, error))
    return NULL;
  if (few != NULL)
    tt_report_heading (report, few);
  return g_steal_pointer (&report);
}

/* -- in one line --------------------------------------------------------------------------------------------- */

static void
add_doubtful (GString *text, guint64 n, const char *what)
{
  char count[TT_TIME_TEXT];

  if (n > 0)
    g_string_append_printf (text, "%s%s doubtful %s%s", text->len > 0 ? ", " : "", tt_count_text (count, n), what,
                            n == 1 ? "" : "s");
}

char *
tt_info_trust_line (TtStore *store, GError **error)
{
  g_auto (TtTrustBrief) brief = { 0 };
  char marked[TT_TIME_TEXT], spans[TT_TIME_TEXT], records[TT_TIME_TEXT], files[TT_TIME_TEXT];
  GString *text;

  if (!tt_store_trust_brief (store, &brief, error) || tt_trust_brief_is_whole (&brief))
    return NULL;
  text = g_string_new (NULL);
  if (brief.n_marked > 0)
    g_string_append_printf (text, "%s of %s spans mended, bounded or inferred", tt_count_text (marked, brief.n_marked),
                            tt_count_text (spans, brief.n_spans));
  if (brief.n_records > 0)
    g_string_append_printf (text, "%s%s %s mended, skipped or lost", text->len > 0 ? ", " : "",
                            tt_count_text (records, brief.n_records), brief.n_records == 1 ? "record" : "records");
  if (brief.n_files > 0)
    g_string_append_printf (text, "%s%s %s cut or left out", text->len > 0 ? ", " : "",
                            tt_count_text (files, brief.n_files), brief.n_files == 1 ? "file" : "files");
  add_doubtful (text, brief.n_doubtful, "event");
  add_doubtful (text, brief.n_doubtful_files, "file");
  return g_string_free (text, FALSE);
}

/* Of a message so many are named. */
#define MAX_NAMED 8u

/* "node1, node3 and 12 more". Free it. */
static char *
name_processes (TtStore *store, GHashTable *chosen)
{
  guint n, n_chosen = 0;
  const TtProcess *processes = tt_store_processes (store, &n);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (chosen, GUINT_TO_POINTER (processes[i].id)) && n_chosen++ < MAX_NAMED)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", processes[i].pid);
  if (n_chosen > MAX_NAMED)
    g_string_append_printf (text, " and %u more", n_chosen - MAX_NAMED);
  return g_string_free (text, FALSE);
}

gboolean
tt_info_trust_tell (TtStore *store, GError **error)
{
  g_auto (TtTrustBrief) brief = { 0 };
  char count[TT_TIME_TEXT];

  if (!tt_store_trust_brief (store, &brief, error))
    return FALSE;
  g_autofree char *marked = name_processes (store, brief.marked), *damaged = name_processes (store, brief.damaged);
  if (*marked != '\0')
    tt_message ("numbers of %s rest on %s spans that were mended, bounded or inferred; 'info --trust' says which",
                marked, tt_count_text (count, brief.n_marked));
  if (*damaged != '\0')
    tt_message ("calls of %s may be missing or have other times, for records are damaged; 'info --trust' says which",
                damaged);
  return TRUE;
}

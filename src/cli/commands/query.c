/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"

#include "src/base/suggest.h"
#include "src/store/query-joint.h"

#include <string.h>

/* Tables and views of the public schema, in the order of docs/schema.md. */
static const char *const public_names[] = {
  "run",       "source",   "process",    "thread",    "metadata",  "event",     "metric",    "counter",
  "message",   "flow",     "collective", "node",      "statistic", "edge",      "parameter", "nccl_shape",
  "nccl_edge", "activity", "task",       "task_edge", "clock",     "clock_map", NULL,
};

/* Of older databases today's tables are temporary views. */
#define SCHEMA "(SELECT name, type FROM sqlite_schema UNION SELECT name, type FROM sqlite_temp_schema)"

/* -- rows into a report -------------------------------------------------------------------------- */

static gboolean
declare_columns (const char *const *names, guint n, gpointer data)
{
  for (guint i = 0; i < n; i++)
    tt_report_column (data, TT_COLUMN_VALUE, names[i], names[i]);
  return TRUE;
}

static gboolean
add_row (const TtCell *cells, guint n, gpointer data)
{
  TtReport *report = data;

  for (guint i = 0; i < n; i++)
    switch (cells[i].kind)
      {
      case TT_CELL_NULL:
        tt_report_empty (report);
        break;
      case TT_CELL_INT:
        tt_report_int (report, cells[i].integer);
        break;
      case TT_CELL_REAL:
        tt_report_real (report, cells[i].real);
        break;
      case TT_CELL_TEXT:
        tt_report_text (report, cells[i].text);
        break;
      }
  return TRUE;
}

/* -- help with names ----------------------------------------------------------------------------- */

static gboolean
add_name (const TtCell *cells, guint n, gpointer data)
{
  if (n > 0 && cells[0].kind == TT_CELL_TEXT)
    g_ptr_array_add (data, g_strdup (cells[0].text));
  return TRUE;
}

static gboolean
ignore_columns (const char *const *names, guint n, gpointer data)
{
  return TRUE;
}

static char *
quoted_list (void)
{
  GString *text = g_string_new ("(");

  for (guint i = 0; public_names[i] != NULL; i++)
    g_string_append_printf (text, "%s'%s'", i > 0 ? "," : "", public_names[i]);
  g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* What stands behind @mark in @message, as a name: up to a character that names do not have. Free it. */
static char *
name_after (const char *message, const char *mark)
{
  const char *at = strstr (message, mark);

  if (at == NULL)
    return NULL;
  at += strlen (mark);
  return g_strndup (at, strspn (at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_."));
}

static void
suggest_from (TtStore *store, const char *sql, const char *word, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (!tt_store_query (store, sql, ignore_columns, add_name, names, NULL))
    return;
  g_ptr_array_add (names, NULL);

  const char *near = tt_suggest (word, (const char *const *) names->pdata);
  /* A column of another table. */
  if (near == NULL || strcmp (near, word) == 0 || error == NULL || *error == NULL)
    return;
  /* The line of SQL with its mark comes after the first line. */
  gsize len = strcspn ((*error)->message, "\n");
  g_autofree char *message =
      g_strdup_printf ("%.*s; did you mean '%s'?%s", (int) len, (*error)->message, near, (*error)->message + len);
  g_free ((*error)->message);
  (*error)->message = g_steal_pointer (&message);
}

/* SQLite says which name it does not know, and we which one was meant. */
static void
add_hint (TtStore *store, GError **error)
{
  g_autofree char *list = quoted_list ();
  g_autofree char *table = error == NULL || *error == NULL ? NULL : name_after ((*error)->message, "no such table: ");
  g_autofree char *column = error == NULL || *error == NULL ? NULL : name_after ((*error)->message, "no such column: ");

  if (table != NULL)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT name FROM " SCHEMA " WHERE name IN %s ORDER BY name", list);
      suggest_from (store, sql, table, error);
    }
  else if (column != NULL)
    {
      const char *dot = strrchr (column, '.');
      g_autofree char *sql = g_strdup_printf ("SELECT DISTINCT p.name FROM " SCHEMA " s, pragma_table_info (s.name) p"
                                              " WHERE s.name IN %s ORDER BY p.name",
                                              list);
      suggest_from (store, sql, dot == NULL ? column : dot + 1, error);
    }
}

static char *
tables_sql (void)
{
  g_autofree char *list = quoted_list ();

  return g_strdup_printf ("SELECT s.name AS \"table\","
                          " (SELECT group_concat (p.name, ', ') FROM pragma_table_info (s.name) p) AS columns"
                          " FROM " SCHEMA " s WHERE s.name IN %s AND s.type IN ('table', 'view') ORDER BY s.name",
                          list);
}

/* -- the command --------------------------------------------------------------------------------- */

/* Also by several ranks, if they can; what they have begun in vain is not shown. NULL: @error, or *@is_helper. */
static TtReport *
ask (TtStore *store, const char *sql, const TtReportView *view, gboolean *is_helper, GError **error)
{
  TtCrew crew;
  gboolean has_crew, is_answered = FALSE;

  *is_helper = FALSE;
  if (!tt_run_crew (store, &crew, &has_crew, error))
    return NULL;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TtReport) report = tt_report_new (TT_UNIT_NS);

      tt_report_limit (report, view);
      tt_report_keep_header (report);
      if (i == 0 && !has_crew)
        continue;
      if (i == 0 && !tt_store_query_joint (store, sql, &crew, declare_columns, add_row, report, &is_answered, error))
        return NULL;
      *is_helper = has_crew && crew.rank > 0;
      if (*is_helper)
        return NULL;
      if (is_answered || (i == 1 && tt_store_query (store, sql, declare_columns, add_row, report, error)))
        return g_steal_pointer (&report);
    }
  add_hint (store, error);
  return NULL;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtSharedOptions) shared = TT_SHARED_OPTIONS_INIT;
  TtReportView view;
  int status;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &shared.format_text,
      "Output format: table (default), csv, tsv, json, markdown", "FORMAT" },
    { "top", 0, 0, G_OPTION_ARG_INT, &shared.top, "Show at most N rows (default 30 in a terminal; 0: all)", "N" },
    TT_WIDE_ENTRY (&shared.wide),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_query, entries, &argc, &argv, &status, error) ||
      !tt_shared_options_view (&shared, argc > 1 && tt_terminal_width () > 0 ? TT_DEFAULT_TOP : 0, &view, error))
    return error != NULL && *error != NULL ? -1 : status;

  g_autofree char *tables = argc > 1 ? NULL : tables_sql ();
  g_autoptr (TtStore) store = tt_command_open_any_store (context, argc > 2 ? argv + 2 : NULL, error);
  gboolean is_helper = FALSE;
  g_autoptr (TtReport) report =
      store == NULL ? NULL : ask (store, tables != NULL ? tables : argv[1], &view, &is_helper, error);
  if (report == NULL)
    return is_helper ? 0 : -1;
  if (tables != NULL)
    tt_report_footer (report, "tracetool query 'SELECT name, dur_ns FROM event LIMIT 5'");
  return tt_report_show (report, &view, error) ? 0 : -1;
}

const TtCommand tt_command_query = {
  .ignores_clock = TRUE,
  .name = "query",
  .summary = "Query the database in SQL, read-only",
  .usage = "[SQL [TRACE...]]",
  .details = "Without SQL it lists the tables and their columns; docs/schema.md describes them. Tables hold all\n"
             "runs: each has a column run. Nothing can be written. Ctrl-C stops a long query.",
  .example = "tracetool query \"SELECT name, count(*) FROM event GROUP BY 1\" run.trc run.edf",
  .run = run,
};

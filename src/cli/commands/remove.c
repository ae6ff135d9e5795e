/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/progress.h"
#include "src/base/units.h"
#include "src/cli/import-shards.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/store/remove.h"
#include "src/store/runs.h"
#include "src/store/schema.h"

#include <string.h>

#include <glib/gstdio.h>

/* -- what would go ------------------------------------------------------------------------------- */

typedef struct
{
  TtReport *report;
  guint32 run;
  guint64 n_rows;
} RowCount;

static gboolean
add_rows (const TtRunRows *rows, gpointer data)
{
  RowCount *count = data;
  /* As docs/schema.md calls it. */
  g_autofree char *table = g_strdup (rows->table);

  if (g_str_has_suffix (table, "_row"))
    table[strlen (table) - strlen ("_row")] = '\0';
  tt_report_int (count->report, count->run);
  tt_report_text (count->report, table);
  tt_report_int (count->report, (gint64) rows->n_rows);
  count->n_rows += rows->n_rows;
  return TRUE;
}

static gboolean
show_rows (TtStore *store, const GArray *runs, const TtReportView *view, GError **error)
{
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_NS);
  RowCount count = { .report = report };
  char text[TT_TIME_TEXT];

  tt_report_column (report, TT_COLUMN_COUNT, "Run", "run");
  tt_report_column (report, TT_COLUMN_WORD, "Table", "table");
  tt_report_column (report, TT_COLUMN_COUNT, "Rows", "rows");
  for (guint i = 0; i < runs->len; i++)
    {
      count.run = g_array_index (runs, guint32, i);
      if (!tt_store_count_run (store, count.run, add_rows, &count, error))
        return FALSE;
    }
  g_autofree char *footer =
      g_strdup_printf ("%s rows would go; nothing is changed", tt_count_text (text, count.n_rows));
  tt_report_footer (report, footer);
  return tt_report_show (report, view, error);
}

/* -- removing ------------------------------------------------------------------------------------ */

static guint64
file_bytes (const char *path)
{
  GStatBuf facts;

  return g_stat (path, &facts) == 0 ? (guint64) facts.st_size : 0;
}

/* "run 2", "runs 1, 3". Free it. */
static char *
describe_runs (const GArray *runs)
{
  GString *text = g_string_new (runs->len == 1 ? "run" : "runs");

  for (guint i = 0; i < runs->len; i++)
    g_string_append_printf (text, "%s %u", i > 0 ? "," : "", g_array_index (runs, guint32, i));
  return g_string_free (text, FALSE);
}

/* The runs are gone by then: that their space stays in the file is no failure. */
static void
give_back_space (const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!tt_store_compact (path, &error))
    tt_message ("the file keeps its size until the next 'tracetool remove': %s", error->message);
}

static gboolean
remove_runs (const char *path, const GArray *runs, gboolean is_all, gint64 old_version, GError **error)
{
  guint64 before = file_bytes (path);
  char old_size[TT_TIME_TEXT], new_size[TT_TIME_TEXT];
  g_autofree char *text = describe_runs (runs);

  tt_cancel_install ();
  if (!tt_store_remove_runs (path, runs, error))
    return FALSE;
  if (old_version < TT_SCHEMA_VERSION)
    tt_message_upgraded (path, old_version);
  give_back_space (path);
  tt_message_log_left (path);
  tt_message ("removed %s from '%s', which has %s now and had %s%s", text, path,
              tt_bytes_auto (new_size, file_bytes (path)), tt_bytes_auto (old_size, before),
              is_all ? "; it has no runs" : "");
  return TRUE;
}

/* -- the command --------------------------------------------------------------------------------- */

static gboolean
check_request (const char *runs, char **rest, GError **error)
{
  if (runs == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "which run? give '--run N', '--run N,M' or '--run all'; 'tracetool info' lists them");
  else if (*rest != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "remove takes no '%s': '--db FILE' names the database", *rest);
  else
    return TRUE;
  return FALSE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean is_dry = FALSE;
  g_autofree char *format_text = NULL;
  TtReportView view = { .unit = TT_UNIT_NS };
  int status;
  const GOptionEntry entries[] = {
    { "dry-run", 'n', 0, G_OPTION_ARG_NONE, &is_dry, "Only show what would go", NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &format_text, "With --dry-run: table (default), csv, tsv, json, markdown",
      "FORMAT" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_remove, entries, &argc, &argv, &status, error))
    return status;
  if (format_text != NULL && !tt_report_format_parse (format_text, &view.format, error))
    return -1;
  if (!check_request (context->run, argv + 1, error))
    return -1;

  if (tt_import_shards_are (context->db_path))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "'%s' is a directory of shards, which has one run: remove the directory", context->db_path);
      return -1;
    }

  TtStore *store = tt_store_open (context->db_path, error);
  g_autoptr (GArray) runs = store == NULL ? NULL : tt_store_parse_runs (store, context->run, error);
  g_autoptr (GArray) all = runs == NULL ? NULL : tt_store_parse_runs (store, "all", error);
  gint64 old_version = 0;
  gboolean is_done = all != NULL && (!is_dry || show_rows (store, runs, &view, error));
  if (store != NULL)
    tt_store_is_old (store, &old_version);
  tt_store_free (store);
  if (!is_done || is_dry)
    return is_done ? 0 : -1;
  return remove_runs (context->db_path, runs, runs->len == all->len, old_version, error) ? 0 : -1;
}

const TtCommand tt_command_remove = {
  .name = "remove",
  .summary = "Remove runs from the database",
  .usage = "",
  .details = "Takes runs out with everything that belongs to them, all or nothing: if it fails, or on Ctrl-C, the\n"
             "database stays as it was. Other runs keep their numbers, and numbers are not used again. At the end the\n"
             "file is written anew without the gap, which needs as much free space as is left in it, and the time of\n"
             "writing that three times. When the last run is removed the database stays, empty.",
  .example = "tracetool import run.trc run.edf && tracetool remove --run 1 --dry-run\n"
             "tracetool import tau-mpi4 && tracetool remove --run 1",
  .chooses = "Runs to remove",
  .run = run,
};

#include "config.h"

#include "src/cli/command.h"

#define DEFAULT_TOP 30

typedef struct
{
  TtReport *report;
  guint64 n, top; /* top 0: all */
} Table;

static gboolean
add_parameter (const TtParameter *parameter, gpointer data)
{
  Table *self = data;

  if (self->n++ >= self->top && self->top > 0)
    return TRUE;
  tt_report_int (self->report, parameter->tensor_id);
  tt_report_text (self->report, parameter->tensor_name);
  tt_report_text (self->report, parameter->shape);
  tt_report_text (self->report, parameter->dtype);
  if (parameter->update_id < 0)
    tt_report_empty (self->report);
  else
    tt_report_int (self->report, parameter->update_id);
  tt_report_text (self->report, parameter->origin);
  return TRUE;
}

static TtReport *
new_report (void)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);

  tt_report_column (report, TT_COLUMN_COUNT, "Tensor", "tensor_id");
  tt_report_column (report, TT_COLUMN_TEXT, "Name", "tensor_name");
  tt_report_column (report, TT_COLUMN_WORD, "Shape", "shape");
  tt_report_column (report, TT_COLUMN_WORD, "Type", "dtype");
  tt_report_column (report, TT_COLUMN_COUNT, "Update", "update_id");
  tt_report_column (report, TT_COLUMN_TEXT, "Source", "source");
  return report;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_autofree char *format_text = NULL;
  gboolean wide = FALSE;
  int top = -1, status = 0;
  TtReportFormat format = TT_FORMAT_TABLE;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &format_text, "table (default), csv, tsv, json, markdown", "FORMAT" },
    { "top", 0, 0, G_OPTION_ARG_INT, &top, "Rows to show (default 30 in tables; 0: all)", "N" },
    { "wide", 0, 0, G_OPTION_ARG_NONE, &wide, "Do not cut to the terminal's width", NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_params, entries, &argc, &argv, &status, error))
    return status;
  if (format_text != NULL && !tt_report_format_parse (format_text, &format, error))
    return -1;
  if (top < -1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--top' must not be negative");
      return -1;
    }

  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  g_autoptr (TtReport) report = new_report ();
  gboolean for_people = format == TT_FORMAT_TABLE || format == TT_FORMAT_MARKDOWN;
  Table table = { .report = report, .top = top >= 0 ? (guint64) top : for_people ? DEFAULT_TOP : 0 };
  if (store == NULL || !tt_store_each_parameter (store, add_parameter, &table, error))
    return -1;
  if (table.n == 0)
    tt_message ("this run has no parameters: they come from the files of a training job (metadata.json, "
                "gradient_name_list.json or .txt); import its directory");
  if (table.top > 0 && table.n > table.top)
    {
      char count[TT_TIME_TEXT];
      g_autofree char *footer = g_strdup_printf ("and %s more", tt_count_text (count, table.n - table.top));
      tt_report_footer (report, footer);
    }
  tt_report_print (report, format, wide ? G_MAXUINT : 0);
  return tt_report_check (report, error) ? 0 : -1;
}

const TtCommand tt_command_params = {
  .name = "params",
  .summary = "The tensors of the model that was trained",
  .usage = "[TRACE...]",
  .details = "One row a tensor, in order of its id: the number that Comm operators carry in their name. Update is the\n"
             "number of the UPDATE_ operator that applies its gradient. Shape and type are there where the job tells.",
  .example = "tracetool params job-2x1\n"
             "tracetool params --format csv job-2x1",
  .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"

static TtReportCell
tensor_id (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtParameter *) row)->tensor_id);
}

static TtReportCell
tensor_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtParameter *) row)->tensor_name);
}

static TtReportCell
shape (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtParameter *) row)->shape);
}

static TtReportCell
type (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtParameter *) row)->dtype);
}

static TtReportCell
update (const TtReportField *self, const void *row, const void *context)
{
  gint64 id = ((const TtParameter *) row)->update_id;

  return id < 0 ? tt_cell_empty () : tt_cell_int (id);
}

static TtReportCell
source (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtParameter *) row)->origin);
}

static const TtReportField fields[] = {
  { TT_COLUMN_COUNT, "Tensor", "tensor_id", tensor_id }, { TT_COLUMN_TEXT, "Name", "tensor_name", tensor_name },
  { TT_COLUMN_WORD, "Shape", "shape", shape },           { TT_COLUMN_WORD, "Type", "dtype", type },
  { TT_COLUMN_COUNT, "Update", "update_id", update },    { TT_COLUMN_TEXT, "Source", "source", source },
};

typedef struct
{
  TtReport *report;
  guint64 n, top; /* top 0: all */
} Table;

static gboolean
on_parameter (const TtParameter *parameter, gpointer data)
{
  Table *self = data;

  if (self->n++ < self->top || self->top == 0)
    tt_report_row (self->report, parameter);
  return TRUE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (TtSharedOptions) options = TT_SHARED_OPTIONS_INIT;
  TtReportView view;
  int status;
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format_text,
      "Output format: table (default), csv, tsv, json, markdown", "FORMAT" },
    { "top", 0, 0, G_OPTION_ARG_INT, &options.top, "Show at most N rows (default 30 in tables; 0: all)", "N" },
    TT_WIDE_ENTRY (&options.wide),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_params, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options, TT_DEFAULT_TOP, &view, error))
    return -1;

  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  g_autoptr (TtReport) report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), &view, NULL);
  Table table = { .report = report, .top = view.top };
  if (store == NULL || !tt_store_each_parameter (store, on_parameter, &table, error))
    return -1;
  if (table.n == 0)
    tt_message ("this run has no parameters: they come from the files of a training job (metadata.json, "
                "gradient_name_list.json or .txt); import its directory");
  if (table.top > 0 && table.n > table.top)
    {
      g_autofree char *footer = tt_report_more (&view, table.n - table.top, NULL);
      tt_report_footer (report, footer);
    }
  return tt_report_show (report, &view, error) ? 0 : -1;
}

const TtCommand tt_command_params = {
  .name = "params",
  .summary = "List the tensors of the trained model",
  .usage = "[TRACE...]",
  .details = "One row per tensor, ordered by its id: the number in the names of Comm operators. Update is the number "
             "of\n"
             "the UPDATE_ operator that applies its gradient. Shape and type are shown where the job's files have "
             "them.",
  .example = "tracetool params job-2x1\n"
             "tracetool params --format csv job-2x1",
  .run = run,
};

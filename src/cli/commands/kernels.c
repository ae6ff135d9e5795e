/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "formats/json/copy-bytes.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/kernels.h"

typedef struct
{
  TtSharedOptions shared;
  char *show_text;
  int show;
  TtReportView view;
} Options;

static void
options_clear (Options *self)
{
  tt_shared_options_clear (&self->shared);
  g_free (self->show_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
wants_sizes (const Options *options)
{
  return options->show == TT_KERNELS_COPIES || options->show == TT_NSYS_MEM_SIZE_SUM ||
         (options->show == TT_SHOW_ALL && options->view.format == TT_FORMAT_JSON);
}

static gboolean
print_tables (TtStore *store, const TtKernels *kernels, const Options *options, GError **error)
{
  TtReport *reports[TT_N_KERNEL_REPORTS] = { NULL };
  TtTable tables[TT_N_KERNEL_REPORTS];
  g_autofree char *heading = tt_kernel_describe (store, kernels);
  g_auto (TtFacts) facts = { 0 };

  for (guint i = 0; i < TT_N_KERNEL_REPORTS; i++)
    {
      gboolean is_asked = options->show == (int) i;

      /* nsys' reports repeat what the others say. */
      if (is_asked || i < TT_N_KERNEL_TABLES)
        reports[i] = tt_kernel_table (store, kernels, (TtKernelTable) i, &options->view);
      tables[i] = (TtTable){ tt_kernel_table_words[i], reports[i], .is_optional = i != TT_KERNELS_BY_NAME };
    }
  if (heading != NULL)
    tt_report_heading (reports[options->show == TT_SHOW_ALL ? TT_KERNELS_BY_NAME : options->show], heading);
  const TtTableSet set = { tables, TT_N_KERNEL_REPORTS, options->show, TT_KERNELS_BY_NAME };
  tt_facts_init (&facts);
  gboolean is_ok = tt_table_set_show (&set, &facts, &options->view, error);
  for (guint i = 0; i < TT_N_KERNEL_REPORTS; i++)
    tt_report_free (reports[i]);
  return is_ok;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show another table than the kernels",
      "copies|operators|launches|streams|calls" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_kernels, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options.shared, TT_DEFAULT_TOP, &options.view, error) ||
      !tt_show_parse (options.show_text, tt_kernel_table_words, &options.show, error))
    return -1;

  g_autoptr (TtSelection) selection =
      tt_selection_new ((const char *const *) options.shared.filters, options.shared.time_window, options.view.unit,
                        error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  g_autoptr (TtKernels) kernels = tt_kernels_new (store, selection, wants_sizes (&options) ? tt_json_copy_bytes : NULL, error);
  if (kernels == NULL)
    return -1;
  if (kernels->streams->len == 0 && !tt_selection_is_everything (selection))
    tt_command_nothing_matches ("work on a device", selection, store);
  else if (kernels->streams->len == 0)
    tt_message ("this run has no work on devices");
  return print_tables (store, kernels, &options, error) ? 0 : -1;
}

static const TtOptionValues values[] = {
  { "show", TT_VALUES_ONE, tt_kernel_table_words },
  { NULL },
};

const TtCommand tt_command_kernels = {
  .name = "kernels",
  .summary = "Show kernels and copies of devices, and how they were launched",
  .usage = "[TRACE...]",
  .details = "Kernels by name with their times; StdDev is that of the sample. Short: how many took less than the call\n"
             "that launched them. csv and tsv have one table, json has all. Other tables with '--show':\n"
             "  copies     copies and sets by direction, with sizes and GB/s where the trace has sizes\n"
             "  operators  time on devices by the operation that launched it: the innermost span around the call on\n"
             "             its thread that is no call of a runtime and does not only name a stretch of time\n"
             "  launches   per stream: Delay, from the begin of the call to the begin of the work; Gap, from the end\n"
             "             of the call, at least 0; Short; Queue, the mean of how much was launched and had not\n"
             "             ended when more was launched, itself included, and Max\n"
             "  streams    kernels, copies and sets of each stream; Busy, the time in which any of them ran\n"
             "  calls      calls of the host to runtimes and drivers by name\n"
             "Names of nsys' reports are taken, too, with nsys' columns: cuda_gpu_kern_sum, cuda_gpu_mem_time_sum,\n"
             "cuda_gpu_mem_size_sum, cuda_api_sum.",
  .example = "tracetool kernels pi-run\n"
             "tracetool kernels --show operators pi-run\n"
             "tracetool kernels --show cuda_gpu_kern_sum --format csv pi-run",
  .values = values,
  .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/options.h"

#include "formats/json/copy-bytes.h"
#include "formats/json/kernel-args.h"
#include "formats/kineto/collectives.h"
#include "src/base/error.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/kernels.h"

#include <string.h>

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

/* Which spans of the host the tables tell of. */
static guint
host_lists_of (int show, gboolean has_all)
{
  switch (show)
    {
    case TT_KERNELS_CALLS:
      return TT_KERNEL_CALLS;
    case TT_KERNELS_ANNOTATIONS:
    case TT_NSYS_NVTX_SUM:
    case TT_NSYS_NVTX_PUSHPOP_SUM:
    case TT_NSYS_NVTX_PUSHPOP_TRACE:
    case TT_NSYS_NVTX_STARTEND_SUM:
    case TT_NSYS_NVTX_KERN_SUM:
      return TT_KERNEL_RANGES;
    case TT_NSYS_API_SUM:
    case TT_NSYS_API_TRACE:
    case TT_NSYS_API_GPU_SUM:
      return TT_KERNEL_API;
    case TT_NSYS_MPI_EVENT_SUM:
      return TT_KERNEL_MPI;
    case TT_NSYS_OSRT_SUM:
      return TT_KERNEL_OS;
    case TT_NSYS_OPENMP_SUM:
      return TT_KERNEL_OPENMP;
    default:
      return has_all ? TT_KERNEL_CALLS | TT_KERNEL_RANGES : 0;
    }
}

static TtKernelWants
wants_of (const Options *options)
{
  int show = options->show;
  gboolean has_all = show == TT_SHOW_ALL && options->view.format == TT_FORMAT_JSON;
  gboolean has_sizes = has_all || show == TT_KERNELS_COPIES || show == TT_NSYS_MEM_SIZE_SUM;
  gboolean has_grids = has_all || show == TT_KERNELS_GRIDS || show == TT_NSYS_KERN_GB_SUM ||
                       show == TT_NSYS_KERN_EXEC_TRACE || show == TT_NSYS_NVTX_KERN_SUM;
  TtListing listing = show == TT_NSYS_GPU_TRACE                                             ? TT_LISTING_WORK
                      : show == TT_NSYS_API_TRACE                                           ? TT_LISTING_CALLS
                      : show == TT_NSYS_NVTX_PUSHPOP_TRACE || show == TT_NSYS_NVTX_KERN_SUM ? TT_LISTING_RANGES
                                                                                            : TT_LISTING_NONE;

  /* Headings speak of short kernels, where there are any. */
  gboolean is_for_people = tt_report_view_is_for_people (&options->view);
  gboolean is_by_name = show == TT_KERNELS_BY_NAME || (show == TT_SHOW_ALL && !has_all);

  return (TtKernelWants){ .is_brief = is_by_name || show == TT_NSYS_KERN_SUM || show == TT_NSYS_MEM_TIME_SUM ||
                                      show == TT_NSYS_GPU_SUM,
                          .has_short = is_for_people || is_by_name,
                          .copy_bytes = has_sizes ? tt_json_copy_bytes : NULL,
                          .config = has_grids ? tt_json_kernel_config : NULL,
                          .has_plain_grids = show == TT_NSYS_KERN_GB_SUM,
                          .by_operation = show >= TT_N_KERNEL_TABLES,
                          .has_execs = show == TT_NSYS_KERN_EXEC_SUM,
                          .has_exec_list = show == TT_NSYS_KERN_EXEC_TRACE || show == TT_NSYS_NVTX_KERN_SUM,
                          .host_lists = host_lists_of (show, has_all),
                          .listing = listing,
                          .facts = listing == TT_LISTING_NONE ? NULL : tt_json_device_facts };
}

static gboolean
has_device_work (const TtKernels *kernels)
{
  return kernels->streams->len + kernels->kernels->len + kernels->copies->len > 0;
}

/* A scan of its own: it reads what the kernels say of themselves. */
static TtReport *
make_collectives (TtStore *store,
                  const TtSelection *selection,
                  const TtKernels *kernels,
                  const Options *options,
                  GError **error)
{
  g_autoptr (TtCommGroups) groups = tt_comm_groups_new (store, selection, tt_kineto_read_collective, error);

  if (groups == NULL)
    return NULL;
  if (options->show == TT_KERNELS_COLLECTIVES && has_device_work (kernels) &&
      tt_comm_kernels_rows (groups->kernels)->len == 0)
    tt_message ("no kernel%s is one of a collective, a send or a receive",
                tt_selection_is_everything (selection) ? "" : " that is chosen");
  return tt_collective_kernel_table (store, groups, &options->view);
}

static gboolean
wants_table (const Options *options, guint table)
{
  /* nsys' reports repeat what the others say. */
  return options->show == (int) table || (options->show == TT_SHOW_ALL && table < TT_N_KERNEL_TABLES &&
                                          (table == TT_KERNELS_BY_NAME || options->view.format == TT_FORMAT_JSON));
}

static gboolean
print_tables (TtStore *store,
              const TtSelection *selection,
              const TtKernels *kernels,
              const Options *options,
              GError **error)
{
  TtReport *reports[TT_N_KERNEL_REPORTS] = { NULL };
  TtTable tables[TT_N_KERNEL_REPORTS];
  g_autofree char *heading = tt_kernel_describe (store, kernels);
  g_auto (TtFacts) facts = { 0 };
  gboolean is_ok = TRUE;
  g_autoptr (TtTrustMarks) marks = tt_trust_marks_new (store, error);

  if (marks == NULL)
    return FALSE;
  for (guint i = 0; i < TT_N_KERNEL_REPORTS; i++)
    {
      if (wants_table (options, i) && i == TT_NSYS_NVTX_KERN_SUM)
        reports[i] = tt_range_kernel_table (store, kernels, &options->view);
      else if (wants_table (options, i) && i != TT_KERNELS_COLLECTIVES)
        reports[i] = tt_kernel_table (store, kernels, (TtKernelTable) i, marks, &options->view);
      else if (wants_table (options, i) &&
               (reports[i] = make_collectives (store, selection, kernels, options, error)) == NULL)
        is_ok = FALSE;
      tables[i] = (TtTable){ tt_kernel_table_words[i], reports[i], .is_optional = i != TT_KERNELS_BY_NAME };
    }
  if (heading != NULL && is_ok)
    tt_report_heading (reports[options->show == TT_SHOW_ALL ? TT_KERNELS_BY_NAME : options->show], heading);
  const TtTableSet set = { tables, TT_N_KERNEL_REPORTS, options->show, TT_KERNELS_BY_NAME };
  tt_facts_init (&facts);
  is_ok = is_ok && tt_table_set_show (&set, &facts, &options->view, error);
  for (guint i = 0; i < TT_N_KERNEL_REPORTS; i++)
    tt_report_free (reports[i]);
  return is_ok;
}

/* Reports of nsys that are no tables here; where what they hold is. NULL: none. */
static const char *
find_place_of_report (const char *report)
{
  static const char *const by_range[] = { "nvtx_gpu_proj_sum", "nvtx_gpu_proj_trace", NULL };
  /* Of what no source here tells. */
  static const char *const elsewhere[] = { "openacc_sum",        "syscall_sum",    "nvvideo_api_sum",
                                           "network_congestion", "wddm_queue_sum", NULL };
  static const char *const families[] = { "um_", "vulkan_", "opengl_", "dx11_", "dx12_" };

  if (report == NULL || g_strv_contains (tt_kernel_table_words, report))
    return NULL;
  if (g_strv_contains (by_range, report))
    return "has the work of each range: '--show annotations' does that";
  if (strcmp (report, "mpi_msg_size_sum") == 0)
    return "has sizes of messages: 'tracetool comm' does that";
  if (g_strv_contains (elsewhere, report))
    return "is about what no source here tells";
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_str_has_prefix (report, families[i]))
      return "is about what no source here tells";
  if (strchr (report, ':') != NULL)
    return "is known without an option behind ':', with whole names";
  if (g_str_has_suffix (report, "_trace") && strchr (report, '_') != strrchr (report, '_'))
    return "lists single events: 'tracetool query' and 'tracetool export' do that";
  return NULL;
}

/* As nsys called its reports until 2022; the same text where it is no such name. */
static const char *
find_new_name (const char *report)
{
  static const char *const names[][2] = {
    { "apigpusum", "cuda_api_gpu_sum" },
    { "cudaapisum", "cuda_api_sum" },
    { "cudaapitrace", "cuda_api_trace" },
    { "gpukernsum", "cuda_gpu_kern_sum" },
    { "gpumemsizesum", "cuda_gpu_mem_size_sum" },
    { "gpumemtimesum", "cuda_gpu_mem_time_sum" },
    { "gpusum", "cuda_gpu_sum" },
    { "gputrace", "cuda_gpu_trace" },
    { "kernexecsum", "cuda_kern_exec_sum" },
    { "kernexectrace", "cuda_kern_exec_trace" },
    { "nvtxkernsum", "nvtx_kern_sum" },
    { "nvtxppsum", "nvtx_pushpop_sum" },
    { "nvtxpptrace", "nvtx_pushpop_trace" },
    { "nvtxsssum", "nvtx_startend_sum" },
    { "nvtxsum", "nvtx_sum" },
    { "openmpevtsum", "openmp_sum" },
    { "osrtsum", "osrt_sum" },
  };

  for (guint i = 0; report != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (report, names[i][0]) == 0)
      return names[i][1];
  return report;
}

/* The unknown word with its nearest, and all that there are. */
static gboolean
parse_show (Options *options, GError **error)
{
  g_autoptr (GError) unknown = NULL;
  const char *place = find_place_of_report (options->show_text);

  if (place != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "nsys' report '%s' %s", options->show_text, place);
      return FALSE;
    }
  if (tt_show_parse (find_new_name (options->show_text), tt_kernel_table_words, &options->show, &unknown))
    return TRUE;
  g_autofree char *all = g_strjoinv (", ", (char **) tt_kernel_table_words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s%s%s", unknown->message,
               strstr (unknown->message, "there are") != NULL ? "" : " There are ",
               strstr (unknown->message, "there are") != NULL ? "" : all);
  return FALSE;
}

/* What the table that is asked for needs and the run does not have, in words; NULL: it has it. */
static const char *
find_lack (const TtKernels *kernels, int show)
{
  guint n_async = 0, n_nested = 0;

  for (guint i = 0; i < kernels->ranges->len; i++)
    if (g_array_index (kernels->ranges, TtRangeRow, i).is_async)
      n_async++;
    else
      n_nested++;
  switch (show)
    {
    case TT_KERNELS_ANNOTATIONS:
    case TT_NSYS_NVTX_SUM:
      return n_async + n_nested > 0 ? NULL : "annotations and ranges of NVTX";
    case TT_NSYS_NVTX_PUSHPOP_SUM:
    case TT_NSYS_NVTX_PUSHPOP_TRACE:
      return n_nested > 0 ? NULL : "annotations and ranges of NVTX that are pushed and popped";
    case TT_NSYS_NVTX_STARTEND_SUM:
      return n_async > 0 ? NULL : "ranges of NVTX that are started and ended";
    case TT_KERNELS_CALLS:
      return kernels->calls->len > 0 ? NULL : "calls of a runtime or driver";
    case TT_NSYS_API_SUM:
      return kernels->api->len > 0 ? NULL : "calls of CUDA, HIP or another device's runtime";
    case TT_NSYS_MPI_EVENT_SUM:
      return kernels->mpi->len > 0 ? NULL : "calls of MPI";
    case TT_NSYS_OPENMP_SUM:
      return kernels->openmp->len > 0 ? NULL : "spans of OpenMP's runtime";
    case TT_NSYS_OSRT_SUM:
      return kernels->os->len > 0 ? NULL : "calls of the operating system's library, which only traces of nsys have";
    default:
      return has_device_work (kernels) ? NULL : "work on devices";
    }
}

/* Says what the table does not have. */
static void
tell_lacks (TtStore *store, const TtSelection *selection, const TtKernels *kernels, int show)
{
  const char *lack = find_lack (kernels, show);
  char count[TT_TIME_TEXT];

  if (lack != NULL && !tt_selection_is_everything (selection))
    tt_command_nothing_matches (show < TT_N_KERNEL_TABLES && show != TT_KERNELS_ANNOTATIONS ? lack : "span", selection,
                                store);
  else if (lack != NULL)
    tt_message ("this run has no %s", lack);
  else if (kernels->grids != NULL && show != TT_SHOW_ALL && !tt_grids_is_known (kernels->grids))
    tt_message ("the trace does not say how its kernels were launched: no grid, block, registers or shared memory");
  if ((show == TT_NSYS_KERN_EXEC_SUM || show == TT_NSYS_KERN_EXEC_TRACE || show == TT_NSYS_NVTX_KERN_SUM) &&
      kernels->n_unlaunched > 0)
    tt_message ("%s kernel%s left out: what launched %s is not in the trace",
                tt_count_text (count, kernels->n_unlaunched), kernels->n_unlaunched == 1 ? " is" : "s are",
                kernels->n_unlaunched == 1 ? "it" : "them");
  if (show == TT_NSYS_MEM_SIZE_SUM && kernels->n_unsized > 0)
    tt_message ("%s %s left out: the trace does not say %s", tt_count_text (count, kernels->n_unsized),
                kernels->n_unsized == 1 ? "copy or set is" : "copies and sets are",
                kernels->n_unsized == 1 ? "its size" : "their sizes");
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry own[] = {
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show another table than the kernels",
      "copies|operators|..." },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *shared = tt_shared_entries (&options.shared);
  g_autofree GOptionEntry *entries = tt_options_concat (own, shared);

  if (!tt_command_parse (&tt_command_kernels, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options.shared, TT_DEFAULT_TOP, &options.view, error) || !parse_show (&options, error))
    return -1;

  g_autoptr (TtSelection) selection = tt_selection_new ((const char *const *) options.shared.filters,
                                                        options.shared.time_window, options.view.unit, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error) || !tt_selection_bind (selection, store, error))
    return -1;
  const TtKernelWants wants = wants_of (&options);
  TtCrew crew;
  gboolean has_crew;
  if (!tt_run_crew (store, &crew, &has_crew, error))
    return -1;
  if (has_crew && crew.rank > 0)
    return tt_kernels_help (store, selection, &wants, &crew, error) ? 0 : -1;
  g_autoptr (TtKernels) kernels = tt_kernels_new (store, selection, &wants, has_crew ? &crew : NULL, error);
  if (kernels == NULL)
    return -1;
  tell_lacks (store, selection, kernels, options.show);
  return print_tables (store, selection, kernels, &options, error) ? 0 : -1;
}

static const TtOptionValues values[] = {
  { "show", TT_VALUES_ONE, tt_kernel_table_words },
  { NULL },
};

const TtCommand tt_command_kernels = {
  .name = "kernels",
  .summary = "Show kernels and copies of devices, and how they were launched",
  .usage = "[TRACE...]",
  .details =
      "Kernels by name with their times; StdDev is that of the sample. Short: how many took less than the call\n"
      "that launched them. csv and tsv have one table, json has all. Other tables with '--show':\n"
      "  copies     copies and sets by direction, with sizes and GB/s where the trace has sizes\n"
      "  operators  time on devices by the operation that launched it: the innermost span around the call on\n"
      "             its thread that is no call of a runtime and does not only name a stretch of time\n"
      "  launches   per stream: Delay, from the begin of the call to the begin of the work; Gap, from the end\n"
      "             of the call, at least 0; Short; Queue, the mean of how much was launched and had not\n"
      "             ended when more was launched, itself included, and Max\n"
      "  streams    kernels, copies and sets of each stream; Busy, the time in which any of them ran\n"
      "  calls      calls of the host to runtimes and drivers by name\n"
      "  annotations\n"
      "             annotations of PyTorch, ranges of NVTX and roctx: Device, the sum of the times of the work that\n"
      "             calls inside them launched, on their threads; Own, that of work whose innermost annotation\n"
      "             it is; Host, how long they lasted. Of ranges that need not nest only Host is known\n"
      "  grids      kernels by name, grid, block, registers of a thread, shared memory of a block, and occupancy as\n"
      "             the trace estimates it\n"
      "  collectives\n"
      "             kernels of collectives, sends and receives (NCCL): Calls, Bytes and the bandwidths of 'comm "
      "--show\n"
      "             groups', where the trace says sizes: GB/s in the time of the rank that waited least (Least)\n"
      "Names of reports of 'nsys stats' are taken, too, with nsys' columns, in ns: cuda_gpu_kern_sum,\n"
      "cuda_gpu_kern_gb_sum, cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_sum,\n"
      "cuda_api_gpu_sum, cuda_kern_exec_sum, cuda_kern_exec_trace (kernel by kernel, by begin of the call, times "
      "since\n"
      "the run began), cuda_gpu_trace, cuda_api_trace, nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum,\n"
      "nvtx_pushpop_trace, nvtx_kern_sum, mpi_event_sum, osrt_sum, openmp_sum; so are their names of before 2023\n"
      "(gpukernsum, cudaapisum, ...).\n"
      "In these annotations of PyTorch stand among the ranges, with style PushPop; Source (mpi_event_sum) is told by\n"
      "the function; of cuda_kern_exec_* PID is the process as the run calls it, DevId the number at the end of the\n"
      "device's name.\n"
      "Kernels by rank: 'tracetool stats --by rank,name --filter native_group=kernel', or '--per rank' instead of\n"
      "'--by'.",
  .example = "tracetool kernels pi-run\n"
             "tracetool kernels --show operators pi-run\n"
             "tracetool kernels --show cuda_gpu_kern_sum --format csv pi-run",
  .values = values,
  .run = run,
};

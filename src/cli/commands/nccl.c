/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"
#include "src/cli/session.h"

#include "formats/dot/nccl-dot.h"
#include "formats/dot/render.h"
#include "formats/dot/topology-dot.h"
#include "src/base/output.h"
#include "src/cli/options.h"
#include "src/cli/table-set.h"
#include "src/cli/tables/nccl-xml.h"
#include "src/cli/tables/nccl.h"

/* '--show problems' has all. */
#define MAX_WARNINGS 20

typedef enum
{
  SHOW_GROUPS,
  SHOW_RINGS,
  SHOW_TREES,
  SHOW_POSSIBLE,
  SHOW_PROBLEMS,
  N_SHOW,
} Show;

static const char *const show_words[N_SHOW + 1] = { "groups", "rings", "trees", "possible", "problems", NULL };

typedef struct
{
  char *output, *show_text;
  TtSharedOptions shared; /* format, top, wide */
  TtReportView view;
  int show; /* TT_SHOW_ALL: all that have rows */
} Options;

static void
options_clear (Options *self)
{
  g_free (self->output);
  tt_shared_options_clear (&self->shared);
  g_free (self->show_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- the picture ------------------------------------------------------------------------------------ */

/* @dot: text, taken. */
static gboolean
write_dot (GString *dot, const char *size, const char *path, TtOutput *out, GError **error)
{
  g_autofree char *dot_path = g_strconcat (path, ".dot", NULL);
  const TtDotText text = { .size = size, .advice = "; write .dot or .json instead" };
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (dot);

  if (!g_str_has_suffix (path, ".svg") && !g_str_has_suffix (path, ".png"))
    {
      tt_output_bytes (out, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      return TRUE;
    }
  return tt_render_dot (bytes, &text, g_str_has_suffix (path, ".svg") ? "svg" : "png", dot_path, TT_RENDER_TIMEOUT_MS,
                        out, error);
}

static gboolean
write_picture (const TtNcclPicture *picture, const GPtrArray *problems, const char *path, TtOutput *out, GError **error)
{
  g_autofree char *size = tt_nccl_picture_size (picture);

  if (g_str_has_suffix (path, ".json"))
    {
      tt_nccl_json_write (picture, problems, out);
      return TRUE;
    }
  g_autoptr (TtOutput) memory = tt_output_open_memory ();
  tt_nccl_dot_write (picture, memory);
  return write_dot (tt_output_steal_text (memory), size, path, out, error);
}

static gboolean
check_output (const char *path, GError **error)
{
  static const char *const suffixes[] = { ".dot", ".gv", ".svg", ".png", ".json" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (path == NULL || g_str_has_suffix (path, suffixes[i]))
      return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "cannot tell from '%s' what to write; end it in .dot, .gv, .svg, .png or .json", path);
  return FALSE;
}

static gboolean
draw_picture (const TtNcclPicture *picture, const GPtrArray *problems, const char *path, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (path, error);

  if (out == NULL || !write_picture (picture, problems, path, out, error) || !tt_output_close (out, error))
    return FALSE;
  g_autofree char *size = tt_nccl_picture_size (picture);
  tt_message ("wrote %s to '%s'", size, path);
  return TRUE;
}

/* -- tables ------------------------------------------------------------------------------------------- */

static gboolean
print_tables (const TtNcclView *nccl, const Options *options, GError **error)
{
  const TtReportView *view = &options->view;
  g_autoptr (TtReport) groups = tt_nccl_group_table (nccl, view);
  g_autoptr (TtReport) rings = tt_nccl_ring_table (nccl, view);
  g_autoptr (TtReport) trees = tt_nccl_tree_table (nccl, view);
  g_autoptr (TtReport) possible = tt_nccl_possible_table (nccl, view);
  g_autoptr (TtReport) problems = tt_nccl_problem_table (nccl, view);
  TtReport *const reports[N_SHOW] = { groups, rings, trees, possible, problems };
  g_autofree char *heading = tt_nccl_describe (nccl);
  g_auto (TtFacts) facts = { 0 };
  TtTable tables[N_SHOW];
  const TtTableSet set = { tables, N_SHOW, options->show,
                           tt_nccl_links (nccl->nccl)->len > 0 ? SHOW_RINGS : SHOW_GROUPS };
  gboolean has_heading = FALSE;

  tt_facts_init (&facts);
  for (Show show = 0; show < N_SHOW; show++)
    {
      gboolean is_optional = show == SHOW_PROBLEMS || tt_report_n_rows (reports[show]) == 0 ||
                             (show == SHOW_POSSIBLE && tt_report_n_rows (rings) > 0);

      tables[show] = (TtTable){ show_words[show], reports[show], is_optional };
      if (has_heading || (options->show == TT_SHOW_ALL ? is_optional : (int) show != options->show))
        continue;
      tt_report_heading (reports[show], heading);
      has_heading = TRUE;
    }
  return tt_table_set_show (&set, &facts, view, error);
}

/* -- the command -------------------------------------------------------------------------------------- */

static void
print_warnings (const char *before, const GPtrArray *problems)
{
  for (guint i = 0; i < problems->len && i < MAX_WARNINGS; i++)
    tt_warning ("%s%s", before, (const char *) problems->pdata[i]);
  if (problems->len > MAX_WARNINGS)
    tt_warning ("%sand %u more of this kind", before, problems->len - MAX_WARNINGS);
}

static int
answer (TtStore *store, const Options *options, GError **error)
{
  g_autoptr (TtNcclView) view = tt_nccl_view_new (store, error);

  if (view == NULL)
    return -1;
  if (tt_nccl_links (view->nccl)->len == 0)
    tt_message ("this run does not say how its ranks are connected: that is in nccl_rank_graph.json of each GPU; "
                "import the job's directory");
  print_warnings ("", view->problems);
  if (options->output == NULL)
    return print_tables (view, options, error) ? 0 : -1;
  const TtNcclPicture picture = { .nccl = view->nccl,
                                  .n_ranks = view->n_ranks,
                                  .pids = (const char *const *) view->pids };
  return draw_picture (&picture, view->problems, options->output, error) ? 0 : -1;
}

/* -- files of NCCL ------------------------------------------------------------------------------------ */

static gboolean
draw_topology (const TtNcclXml *xml, const char *path, GError **error)
{
  g_autofree char *size = g_strdup_printf ("%u elements", xml->elements->len);
  g_autoptr (TtOutput) memory = tt_output_open_memory ();

  if (g_str_has_suffix (path, ".json"))
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE,
                           "a topology is drawn as .dot, .gv, .svg or .png; '--format json' prints it as JSON");
      return FALSE;
    }
  tt_topology_dot_write (xml, memory);
  g_autoptr (TtOutput) out = tt_output_open (path, error);
  if (out == NULL || !write_dot (tt_output_steal_text (memory), size, path, out, error) ||
      !tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote %s to '%s'", size, path);
  return TRUE;
}

/* Devices have names instead of processes. */
static gboolean
draw_connections (const TtNccl *nccl, const GPtrArray *problems, const char *path, GError **error)
{
  guint n = tt_nccl_n_ranks (nccl);
  g_auto (GStrv) pids = g_new0 (char *, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    pids[i] = g_strdup_printf ("gpu %u", i);
  const TtNcclPicture picture = { .nccl = nccl, .n_ranks = n, .pids = (const char *const *) pids };
  return draw_picture (&picture, problems, path, error);
}

static int
answer_file (const char *path, const Options *options, GError **error)
{
  const TtReportView *view = &options->view;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TtNcclXml) xml = tt_nccl_xml_read (path, error);

  if (xml == NULL)
    return -1;
  g_autoptr (TtNccl) nccl = xml->is_graphs ? tt_nccl_xml_connections (xml, problems) : NULL;
  g_autoptr (TtReport) report =
      xml->is_graphs ? tt_nccl_xml_channel_table (xml, problems, view) : tt_nccl_xml_topology_table (xml, view);
  g_autofree char *before = g_strconcat (path, ": ", NULL);
  print_warnings (before, problems);
  if (options->output != NULL && xml->is_graphs)
    return draw_connections (nccl, problems, options->output, error) ? 0 : -1;
  if (options->output != NULL)
    return draw_topology (xml, options->output, error) ? 0 : -1;
  return tt_report_show (report, view, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .shared = TT_SHARED_OPTIONS_INIT };
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "Draw the rings and trees instead, as .dot .gv .svg .png or .json", "FILE" },
    { "show", 0, 0, G_OPTION_ARG_STRING, &options.show_text, "Show only one of the tables",
      "groups|rings|trees|possible|problems" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.shared.format_text,
      "Output format: table (default), csv, tsv, json, markdown",
      "FORMAT" },
    TT_TOP_ENTRY (&options.shared.top),
    TT_WIDE_ENTRY (&options.shared.wide),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_nccl, entries, &argc, &argv, &status, error))
    return status;
  if (!tt_shared_options_view (&options.shared, TT_DEFAULT_TOP, &options.view, error) ||
      !tt_show_parse (options.show_text, show_words, &options.show, error) || !check_output (options.output, error))
    return -1;

  if (argc == 2 && tt_nccl_xml_probe (argv[1]))
    {
      if (options.show_text == NULL)
        return answer_file (argv[1], &options, error);
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--show' is for jobs; '%s' has one table", argv[1]);
      return -1;
    }
  g_autoptr (TtStore) store = tt_command_open_store (context, argv + 1, error);
  if (store == NULL || !tt_command_check_one_run (store, error))
    return -1;
  return answer (store, &options, error);
}

static const TtOptionValues values[] = { { "show", TT_VALUES_ONE, show_words }, { NULL } };

const TtCommand tt_command_nccl = {
  .name = "nccl",
  .summary = "Show how the GPUs of a job are connected and their tensors split",
  .usage = "[TRACE...|FILE.xml]",
  .details =
      "Groups are tensors that are communicated together, with the pieces of their transfers in the detail traces:\n"
      "chunks, slices, channels and loops (maxima over all GPUs). Rings: the sender and receiver of each connection,\n"
      "in the order of the ring; where no ring is known, possible connections instead. Trees: parent and children.\n"
      "Rings that do not close and ranks that disagree are reported. csv and tsv have one table: the rings, unless\n"
      "'--show' names another; json has all.",
  .example = "tracetool nccl job-2x1\n"
             "tracetool nccl -o rings.dot job-2x1",
  .values = values,
  .run = run,
};

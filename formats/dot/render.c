/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/render.h"

#include "formats/dot/dot.h"
#include "src/base/error.h"
#include "src/base/filter-run.h"
#include "src/base/progress.h"

/* Where the DOT went, for the end of an error message: "; the DOT is in 'g.svg.dot'", or "". */
static char *
keep_dot (GBytes *dot, const char *dot_path)
{
  g_autoptr (TtOutput) out = NULL;

  if (dot_path == NULL || (out = tt_output_open (dot_path, NULL)) == NULL)
    return g_strdup ("");
  tt_output_bytes (out, g_bytes_get_data (dot, NULL), g_bytes_get_size (dot));
  return tt_output_close (out, NULL) ? g_strdup_printf ("; its DOT is in '%s'", dot_path) : g_strdup ("");
}

static gboolean
explain (const TtFilterRun *self,
         const TtDotText *text,
         GBytes *dot,
         const char *dot_path,
         guint timeout_ms,
         GError **error)
{
  g_autofree char *where = keep_dot (dot, dot_path);

  if (self->is_late)
    g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'dot' did not lay out %s within %u s%s%s", text->size,
                 (timeout_ms + 999) / 1000, where, text->advice);
  else if (self->error != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "cannot run 'dot': %s%s", self->error->message, where);
  else
    {
      g_autofree char *message = tt_filter_run_message (self);
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'dot' failed: %s%s", message, where);
    }
  return FALSE;
}

gboolean
tt_render_dot (GBytes *dot,
               const TtDotText *text,
               const char *language,
               const char *dot_path,
               guint timeout_ms,
               TtOutput *out,
               GError **error)
{
  g_autofree char *program = g_find_program_in_path ("dot");
  g_autofree char *option = g_strconcat ("-T", language, NULL);
  const char *const arguments[] = { program, option, NULL };
  g_auto (TtFilterRun) render = { 0 };

  if (program == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "%s needs the program 'dot', which is not installed (package graphviz); "
                   "or write .dot or .json",
                   language);
      return FALSE;
    }

  tt_filter_run (&render, arguments, dot, timeout_ms);
  if (tt_cancelled (error))
    return FALSE;
  if (!tt_filter_run_is_done (&render))
    return explain (&render, text, dot, dot_path, timeout_ms, error);

  tt_output_bytes (out, g_bytes_get_data (render.output, NULL), g_bytes_get_size (render.output));
  return TRUE;
}

gboolean
tt_render (const TtGraph *graph,
           const char *language,
           const char *dot_path,
           guint timeout_ms,
           TtOutput *out,
           GError **error)
{
  g_autoptr (TtOutput) memory = tt_output_open_memory ();
  g_autofree char *size = g_strdup_printf ("%u nodes and %u edges", graph->nodes->len, graph->edges->len);
  g_autofree char *advice = g_strdup_printf ("; try --max-nodes %u", MAX (graph->nodes->len / 4, 10));
  const TtDotText dot_text = { .size = size, .advice = advice };

  tt_dot_write (graph, memory);
  g_autoptr (GBytes) dot = g_string_free_to_bytes (tt_output_steal_text (memory));
  return tt_render_dot (dot, &dot_text, language, dot_path, timeout_ms, out, error);
}

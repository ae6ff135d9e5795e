/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/render.h"

#include <gio/gio.h>
#include <signal.h>

#include "formats/dot/dot.h"
#include "src/base/error.h"

typedef struct
{
  GMainLoop *loop;
  GSubprocess *process;
  GBytes *picture, *messages;
  GError *error;
  gboolean is_late;
} Render;

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Render *self = data;

  g_subprocess_communicate_finish (self->process, result, &self->picture, &self->messages, &self->error);
  g_main_loop_quit (self->loop);
}

static gboolean
on_timeout (gpointer data)
{
  Render *self = data;

  self->is_late = TRUE;
  g_subprocess_force_exit (self->process);
  return G_SOURCE_CONTINUE;
}

static void
run (Render *self, const char *program, const char *language, GBytes *dot, guint timeout_ms)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) timer = g_timeout_source_new (timeout_ms);
  g_autofree char *option = g_strconcat ("-T", language, NULL);
  struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

  /* A program that ends before it has read everything must not end us. */
  sigaction (SIGPIPE, &ignore, &before);
  g_main_context_push_thread_default (context);
  self->loop = g_main_loop_new (context, FALSE);
  self->process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                        &self->error, program, option, NULL);
  if (self->process != NULL)
    {
      g_source_set_callback (timer, on_timeout, self, NULL);
      g_source_attach (timer, context);
      g_subprocess_communicate_async (self->process, dot, NULL, on_done, self);
      g_main_loop_run (self->loop);
      g_source_destroy (timer);
    }
  g_main_context_pop_thread_default (context);
  sigaction (SIGPIPE, &before, NULL);
}

static void
render_clear (Render *self)
{
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_object (&self->process);
  g_clear_pointer (&self->picture, g_bytes_unref);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_clear_error (&self->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Render, render_clear)

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

static char *
first_line (GBytes *bytes)
{
  gsize len = 0;
  const char *text = bytes == NULL ? NULL : g_bytes_get_data (bytes, &len);
  g_autofree char *line = g_strndup (text == NULL ? "" : text, len);

  line[strcspn (line, "\n")] = '\0';
  return g_utf8_make_valid (line, -1);
}

static gboolean
explain (const Render *self, const TtDotText *text, GBytes *dot, const char *dot_path, guint timeout_ms, GError **error)
{
  g_autofree char *where = keep_dot (dot, dot_path);

  if (self->is_late)
    g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'dot' did not lay out %s within %u s%s%s", text->size,
                 (timeout_ms + 999) / 1000, where, text->advice);
  else if (self->error != NULL && !g_error_matches (self->error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "cannot run 'dot': %s%s", self->error->message, where);
  else
    {
      g_autofree char *message = first_line (self->messages);
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'dot' failed: %s%s", *message == '\0' ? "no message" : message,
                   where);
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
  g_auto (Render) render = { 0 };

  if (program == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "%s needs the program 'dot', which is not installed (package graphviz); "
                   "or write .dot or .json",
                   language);
      return FALSE;
    }

  run (&render, program, language, dot, timeout_ms);
  if (render.error != NULL || render.is_late || !g_subprocess_get_successful (render.process) ||
      g_bytes_get_size (render.picture) == 0)
    return explain (&render, text, dot, dot_path, timeout_ms, error);

  tt_output_bytes (out, g_bytes_get_data (render.picture, NULL), g_bytes_get_size (render.picture));
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/render.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/dot/dot.h"
#include "src/base/error.h"
#include "src/base/progress.h"

/* Its three streams are files in memory: nobody waits for anybody, and no thread is needed. */
typedef struct
{
  int streams[3];
  GPid pid; /* 0: has been waited for */
  int status;
  GBytes *picture, *messages;
  GError *error;
  gboolean is_late;
} Render;

static gboolean
fail (Render *self, const char *what)
{
  g_set_error (&self->error, TT_ERROR, TT_ERROR_GRAPH, "%s: %s", what, g_strerror (errno));
  return FALSE;
}

static gboolean
open_streams (Render *self, GBytes *dot)
{
  static const char *const names[] = { "dot", "picture", "messages" };
  gsize len, done = 0;
  const char *bytes = g_bytes_get_data (dot, &len);

  for (int i = 0; i < 3; i++)
    if ((self->streams[i] = memfd_create (names[i], MFD_CLOEXEC)) < 0)
      return fail (self, "no memory for it");
  while (done < len)
    {
      gssize n = write (self->streams[0], bytes + done, len - done);

      if (n < 0 && errno != EINTR)
        return fail (self, "no memory for the graph");
      done += n < 0 ? 0 : (gsize) n;
    }
  return lseek (self->streams[0], 0, SEEK_SET) == 0 || fail (self, "no memory for the graph");
}

static void
wait_for (Render *self, guint timeout_ms)
{
  gint64 end = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  gulong pause_us = 500;

  while (self->pid != 0)
    {
      pid_t ended = waitpid (self->pid, &self->status, self->is_late ? 0 : WNOHANG);

      if (ended == self->pid || (ended < 0 && errno != EINTR))
        self->pid = 0;
      else if (ended == 0 && self->error == NULL && tt_cancelled (&self->error))
        kill (self->pid, SIGKILL);
      else if (ended == 0 && g_get_monotonic_time () > end)
        {
          self->is_late = TRUE;
          kill (self->pid, SIGKILL);
        }
      else if (ended == 0)
        {
          g_usleep (pause_us);
          pause_us = MIN (pause_us * 2, 20000);
        }
    }
}

static GBytes *
read_stream (Render *self, int fd)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n;

  while ((n = pread (fd, block, sizeof block, bytes->len)) != 0)
    if (n > 0)
      g_byte_array_append (bytes, block, (guint) n);
    else if (errno != EINTR)
      {
        fail (self, "its picture cannot be read");
        break;
      }
  return g_byte_array_free_to_bytes (bytes);
}

/* An interrupt from the keyboard is for us: dot would end with what it has, and call that a success. It ends with us. */
static void
leave_terminal (gpointer data)
{
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static void
run (Render *self, const char *program, const char *language, GBytes *dot, guint timeout_ms)
{
  g_autofree char *option = g_strconcat ("-T", language, NULL);
  const char *const arguments[] = { program, option, NULL };

  if (!open_streams (self, dot) ||
      !g_spawn_async_with_pipes_and_fds (NULL, arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, leave_terminal, NULL,
                                         self->streams[0], self->streams[1], self->streams[2], NULL, NULL, 0,
                                         &self->pid, NULL, NULL, NULL, &self->error))
    return;
  wait_for (self, timeout_ms);
  self->picture = read_stream (self, self->streams[1]);
  self->messages = read_stream (self, self->streams[2]);
}

static void
render_clear (Render *self)
{
  for (int i = 0; i < 3; i++)
    if (self->streams[i] >= 0)
      close (self->streams[i]);
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
  else if (self->error != NULL)
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
  g_auto (Render) render = { .streams = { -1, -1, -1 } };

  if (program == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "%s needs the program 'dot', which is not installed (package graphviz); "
                   "or write .dot or .json",
                   language);
      return FALSE;
    }

  run (&render, program, language, dot, timeout_ms);
  if (g_error_matches (render.error, TT_ERROR, TT_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&render.error));
      return FALSE;
    }
  if (render.error != NULL || render.is_late || !WIFEXITED (render.status) || WEXITSTATUS (render.status) != 0 ||
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

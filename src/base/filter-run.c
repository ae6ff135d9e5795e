/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/filter-run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/progress.h"

typedef struct
{
  TtFilterRun *run;
  int streams[3];
  GPid pid; /* 0: has been waited for */
} Process;

static gboolean
fail (Process *self, const char *what)
{
  g_clear_error (&self->run->error);
  g_set_error (&self->run->error, TT_ERROR, TT_ERROR_GRAPH, "%s: %s", what, g_strerror (errno));
  return FALSE;
}

static gboolean
open_streams (Process *self, GBytes *input)
{
  static const char *const names[] = { "input", "output", "messages" };
  gsize len, done = 0;
  const char *bytes = g_bytes_get_data (input, &len);

  for (int i = 0; i < 3; i++)
    if ((self->streams[i] = memfd_create (names[i], MFD_CLOEXEC)) < 0)
      return fail (self, "no memory for it");
  while (done < len)
    {
      gssize n = write (self->streams[0], bytes + done, len - done);

      if (n < 0 && errno != EINTR)
        return fail (self, "no memory for its input");
      done += n < 0 ? 0 : (gsize) n;
    }
  return lseek (self->streams[0], 0, SEEK_SET) == 0 || fail (self, "no memory for its input");
}

static void
wait_for (Process *self, guint timeout_ms)
{
  gint64 end = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  gulong pause_us = 500;

  while (self->pid != 0)
    {
      pid_t ended = waitpid (self->pid, &self->run->status, self->run->is_late ? 0 : WNOHANG);

      if (ended == self->pid || (ended < 0 && errno != EINTR))
        self->pid = 0;
      else if (ended == 0 && self->run->error == NULL && tt_cancelled (&self->run->error))
        kill (self->pid, SIGKILL);
      else if (ended == 0 && g_get_monotonic_time () > end)
        {
          self->run->is_late = TRUE;
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
read_stream (Process *self, int fd)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n;

  while ((n = pread (fd, block, sizeof block, bytes->len)) != 0)
    if (n > 0)
      g_byte_array_append (bytes, block, (guint) n);
    else if (errno != EINTR)
      {
        fail (self, "its output cannot be read");
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

void
tt_filter_run (TtFilterRun *self, const char *const *arguments, GBytes *input, guint timeout_ms)
{
  Process process = { .run = self, .streams = { -1, -1, -1 } };
  const int *streams = process.streams;

  if (open_streams (&process, input) &&
      g_spawn_async_with_pipes_and_fds (NULL, arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, leave_terminal, NULL, streams[0],
                                        streams[1], streams[2], NULL, NULL, 0, &process.pid, NULL, NULL, NULL,
                                        &self->error))
    {
      wait_for (&process, timeout_ms);
      self->output = read_stream (&process, streams[1]);
      self->messages = read_stream (&process, streams[2]);
    }
  for (int i = 0; i < 3; i++)
    if (streams[i] >= 0)
      close (streams[i]);
}

gboolean
tt_filter_run_is_done (const TtFilterRun *self)
{
  return self->error == NULL && !self->is_late && WIFEXITED (self->status) && WEXITSTATUS (self->status) == 0 &&
         self->output != NULL && g_bytes_get_size (self->output) > 0;
}

char *
tt_filter_run_message (const TtFilterRun *self)
{
  gsize len = 0;
  const char *text = self->messages == NULL ? NULL : g_bytes_get_data (self->messages, &len);
  g_autofree char *line = g_strndup (text == NULL ? "" : text, len);

  line[strcspn (line, "\n")] = '\0';
  return *line == '\0' ? g_strdup ("no message") : g_utf8_make_valid (line, -1);
}

void
tt_filter_run_clear (TtFilterRun *self)
{
  g_clear_pointer (&self->output, g_bytes_unref);
  g_clear_pointer (&self->messages, g_bytes_unref);
  g_clear_error (&self->error);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/child.h"

#include "formats/ctf/limits.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER (1u << 20)
/* Without a byte for so long it is taken to be in a loop: the headers of all packets are read before the first event.
 * */
#define PATIENCE_S 120
#define MAX_WORDS_BYTES 4096

struct _TtCtfChild
{
  TtCtfLimits limits;
  GPid pid; /* 0: has been waited for */
  int out;
  int words; /* what it writes to standard error */
  int status;
  gboolean is_silent; /* was ended because nothing came */
  guint8 *buffer;
  gsize size, begin, end; /* of what is in the buffer */
};

TtCtfChild *
tt_ctf_child_new (const char *word, const char *path, GError **error)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *const arguments[] = { program != NULL ? program : "tracetool", word, path, NULL };
  TtCtfChild *self = g_new0 (TtCtfChild, 1);
  g_autoptr (GError) local = NULL;

  self->limits = tt_ctf_limits_of (path);
  self->out = -1;
  self->words = memfd_create ("tracetool-ctf", MFD_CLOEXEC);
  if (g_spawn_async_with_pipes_and_fds (NULL, arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL,
                                        NULL, -1, -1, self->words, NULL, NULL, 0, &self->pid, NULL, &self->out, NULL,
                                        &local))
    {
      self->buffer = g_malloc (BUFFER);
      self->size = BUFFER;
      return self;
    }
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot start the decoder: %s", local->message);
  tt_failure_leave (g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot start the decoder: %s", local->message));
  self->pid = 0;
  tt_ctf_child_free (self);
  return NULL;
}

static void
end_child (TtCtfChild *self)
{
  if (self->pid == 0)
    return;
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, &self->status, 0) < 0 && errno == EINTR)
    ;
  self->pid = 0;
}

/* What it has written to its standard error. Free it. */
static char *
read_words (const TtCtfChild *self)
{
  char bytes[MAX_WORDS_BYTES + 1];
  gssize n = self->words < 0 ? 0 : pread (self->words, bytes, MAX_WORDS_BYTES, 0);

  if (n < 0)
    tt_look_failed ("what the decoder says", errno);
  bytes[MAX (n, 0)] = '\0';
  return g_utf8_make_valid (bytes, -1);
}

/* babeltrace2 calls a stream that it could not read broken: its log knows better. */
static void
check_words (const TtCtfChild *self)
{
  static const int numbers[] = { EIO, ENOMEM, EMFILE, ENFILE, ENOSPC, ENOBUFS };
  g_autofree char *words = read_words (self);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strstr (words, g_strerror (numbers[i])) != NULL)
      tt_failure_leave (
          g_error_new (TT_ERROR, TT_ERROR_INPUT, "the decoder of CTF failed: %s", g_strerror (numbers[i])));
}

void
tt_ctf_child_free (TtCtfChild *self)
{
  if (self == NULL)
    return;
  end_child (self);
  check_words (self);
  if (self->out >= 0)
    close (self->out);
  if (self->words >= 0)
    close (self->words);
  g_free (self->buffer);
  g_free (self);
}

/* FALSE: nothing more comes. */
static gboolean
fill_buffer (TtCtfChild *self)
{
  struct pollfd wait = { .fd = self->out, .events = POLLIN };
  int ready;
  gssize n;

  do
    ready = poll (&wait, 1, PATIENCE_S * 1000);
  while (ready < 0 && errno == EINTR);
  self->is_silent = ready == 0;
  if (ready <= 0)
    return FALSE;
  do
    n = read (self->out, self->buffer + self->end, self->size - self->end);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    tt_look_failed ("the pipe of the decoder", errno);
  self->end += n > 0 ? (gsize) n : 0;
  return n > 0;
}

/* @len bytes from `begin` on are in the buffer. */
static gboolean
need_bytes (TtCtfChild *self, gsize len)
{
  if (self->end - self->begin >= len)
    return TRUE;
  memmove (self->buffer, self->buffer + self->begin, self->end - self->begin);
  self->end -= self->begin;
  self->begin = 0;
  if (len > self->size)
    {
      self->size = len;
      self->buffer = g_realloc (self->buffer, len);
    }
  while (self->end < len)
    if (!fill_buffer (self))
      return FALSE;
  return TRUE;
}

gboolean
tt_ctf_child_next (TtCtfChild *self, TtCtfFrameKind *kind, TtCtfCursor *frame)
{
  guint32 header[2];

  if (!need_bytes (self, TT_CTF_FRAME_HEADER))
    return FALSE;
  memcpy (header, self->buffer + self->begin, sizeof header);
  if (header[0] > TT_CTF_MAX_FRAME || header[1] >= TT_CTF_N_FRAMES ||
      !need_bytes (self, TT_CTF_FRAME_HEADER + header[0]))
    return FALSE;
  *kind = (TtCtfFrameKind) header[1];
  frame->at = self->buffer + self->begin + TT_CTF_FRAME_HEADER;
  frame->end = frame->at + header[0];
  frame->has_failed = FALSE;
  self->begin += TT_CTF_FRAME_HEADER + header[0];
  return TRUE;
}

/* Waits for a child from which nothing more is wanted. */
static void
reap_child (TtCtfChild *self)
{
  if (self->pid == 0 || self->is_silent)
    return;
  /* Should it still want to write, it must not wait for a reader. */
  close (self->out);
  self->out = -1;
  while (waitpid (self->pid, &self->status, 0) < 0 && errno == EINTR)
    ;
  self->pid = 0;
}

/* The rest of the line in @words that has @text, from there on; NULL: none. Free it. */
static char *
line_with (const char *words, const char *text)
{
  const char *at = strstr (words, text);

  return at == NULL ? NULL : g_strndup (at, strcspn (at, "\n"));
}

/* `key="..."` in @words after a comma or colon, with its quotes; "" if there is none. Free it. */
static char *
quoted_after (const char *words, const char *key)
{
  const char *at = strstr (words, key), *end = at == NULL ? NULL : strchr (at + strlen (key), '"');

  return end == NULL ? g_strdup ("") : g_strndup (at, (gsize) (end + 1 - at));
}

/* What is wrong with references between fields, which have no line: the field and the event class instead. NULL: nothing
 * is. Free it. */
static char *
wrong_reference (const char *words)
{
  const char *at = strstr (words, "META/RESOLVE "), *text = at == NULL ? NULL : strstr (at, "] ");

  if (text == NULL)
    return NULL;
  gsize len = strcspn (text + 2, ":\n");
  g_autofree char *path = quoted_after (text, " path=\"");
  g_autofree char *event = quoted_after (text, " ec-name=\"");
  return g_strdup_printf ("%.*s:%s%s", (int) len, text + 2, path, event);
}

char *
tt_ctf_child_said (const TtCtfChild *self)
{
  g_autofree char *words = read_words (self);

  /* Of the metadata's text, and of the library's own claims; the rest of its log repeats its causes. */
  char *line = line_with (words, "At line ");
  if (line == NULL)
    line = wrong_reference (words);
  return line != NULL ? line : line_with (words, "Assertion ");
}

/* Which of its limits ended it, and what to do; NULL: none. Free it. */
static char *
limit_reached (const TtCtfChild *self)
{
  if (!WIFSIGNALED (self->status))
    return NULL;
  if (WTERMSIG (self->status) == SIGXCPU)
    return g_strdup_printf ("it took the %" G_GUINT64_FORMAT " s of processor time that %" G_GUINT64_FORMAT
                            " bytes may take: they are damaged, or the machine is very slow (" TT_CTF_SECONDS_VARIABLE
                            " sets another limit)",
                            self->limits.seconds, self->limits.bytes);

  g_autofree char *words = read_words (self);
  if (strstr (words, "failed to allocate") == NULL && strstr (words, "overflow allocating") == NULL)
    return NULL;
  return g_strdup_printf ("it wanted more than the %" G_GUINT64_FORMAT " MiB of memory that %" G_GUINT64_FORMAT
                          " bytes may take: a length in them is damaged (" TT_CTF_MEMORY_VARIABLE
                          " sets another limit)",
                          self->limits.memory >> 20, self->limits.bytes);
}

char *
tt_ctf_child_last_words (TtCtfChild *self)
{
  reap_child (self);

  g_autofree char *words = tt_ctf_child_said (self);
  char *limit = limit_reached (self);
  if (limit != NULL && !self->is_silent)
    return limit;
  if (self->is_silent)
    return g_strdup_printf ("it gave nothing for %d s, and was stopped", PATIENCE_S);
  if (WIFSIGNALED (self->status))
    return g_strdup_printf ("it ended by signal %d (%s)%s%s", WTERMSIG (self->status),
                            g_strsignal (WTERMSIG (self->status)), words == NULL ? "" : ": ",
                            words == NULL ? "" : words);
  return g_strdup_printf ("it ended early%s%s", words == NULL ? "" : ": ", words == NULL ? "" : words);
}

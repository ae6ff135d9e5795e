/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/symbol-server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 20000
#define MAX_LINE 65536u
#define MAX_LINES 10000u
#define MAX_CHILD_BYTES ((rlim_t) 4 << 30)

struct _TtSymbolServer
{
  GPid pid;
  int fd;        /* of a socket that is its input and its output */
  GString *rest; /* of what it said, after the last line */
};

static TtSymbolServer *
start (const char *const *words)
{
  int fds[2];
  GPid pid;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    return NULL;
  gboolean is_started = g_spawn_async_with_fds (
      NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
      NULL, &pid, fds[1], fds[1], -1, NULL);
  close (fds[1]);
  if (!is_started)
    {
      close (fds[0]);
      return NULL;
    }
  const struct rlimit most = { MAX_CHILD_BYTES, MAX_CHILD_BYTES };
  prlimit (pid, RLIMIT_AS, &most, NULL);
  TtSymbolServer *self = g_new0 (TtSymbolServer, 1);
  self->pid = pid;
  self->fd = fds[0];
  self->rest = g_string_new (NULL);
  return self;
}

TtSymbolServer *
tt_symbol_server_new (const char *exe)
{
  const char *const words[] = { "addr2line", "-fCe", exe, NULL };

  return g_file_test (exe, G_FILE_TEST_IS_REGULAR) ? start (words) : NULL;
}

void
tt_symbol_server_free (TtSymbolServer *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  g_spawn_close_pid (self->pid);
  g_string_free (self->rest, TRUE);
  g_free (self);
}

/* The next line, without its end. NULL: there is none, or it takes too long. Free it. */
static char *
read_line (TtSymbolServer *self)
{
  const char *end;

  while ((end = memchr (self->rest->str, '\n', self->rest->len)) == NULL)
    {
      struct pollfd waited = { .fd = self->fd, .events = POLLIN };
      char bytes[4096];
      int n_ready = poll (&waited, 1, PATIENCE_MS);
      gssize n = n_ready > 0 ? read (self->fd, bytes, sizeof bytes) : n_ready == 0 ? 0 : -1;

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || self->rest->len + (gsize) n > MAX_LINE)
        return NULL;
      g_string_append_len (self->rest, bytes, n);
    }
  gsize len = (gsize) (end - self->rest->str);
  char *line = g_strndup (self->rest->str, len);
  g_string_erase (self->rest, 0, (gssize) len + 1);
  return line;
}

gboolean
tt_symbol_server_ask (TtSymbolServer *self, guint64 address, TtSymbol *symbol)
{
  g_autofree char *question = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x\n", address);
  gsize len = strlen (question);

  if (send (self->fd, question, len, MSG_NOSIGNAL) != (gssize) len)
    return FALSE;
  g_autofree char *function = read_line (self);
  g_autofree char *place = function == NULL ? NULL : read_line (self);
  if (place == NULL)
    return FALSE;
  *symbol = (TtSymbol){ tt_symbol_known (function), tt_symbol_known (place) };
  return TRUE;
}

char *
tt_symbol_build_id (const char *exe)
{
  const char *const words[] = { "readelf", "-nW", "--", exe, NULL };
  static const char mark[] = "Build ID: ";
  g_autoptr (TtSymbolServer) self = g_file_test (exe, G_FILE_TEST_IS_REGULAR) ? start (words) : NULL;

  for (guint i = 0; self != NULL && i < MAX_LINES; i++)
    {
      g_autofree char *line = read_line (self);
      const char *found = line == NULL ? NULL : strstr (line, mark);

      if (line == NULL)
        break;
      if (found != NULL)
        return g_strdup (g_strstrip (line + (found - line) + strlen (mark)));
    }
  return NULL;
}

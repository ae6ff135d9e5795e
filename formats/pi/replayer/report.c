/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/report.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
tt_replay_report (const char *kind, const char *format, ...)
{
  const char *path = getenv ("TRACETOOL_PI_REPORT");
  char line[8192];
  va_list args;
  int len = snprintf (line, sizeof line, "%s\t", kind);

  va_start (args, format);
  vsnprintf (line + len, sizeof line - (size_t) len - 1, format, args);
  va_end (args);
  for (char *at = line; *at != '\0'; at++)
    if (*at == '\n')
      *at = ' ';
    else if (path == NULL && at >= line + len && ((unsigned char) *at < 0x20 || *at == 0x7f))
      *at = '?';              /* what was recorded does not steer a terminal; the file is exact */
  size_t end = strlen (line); /* below the last but one: vsnprintf() was given one byte less */
  line[end] = '\n';
  /* Lines of several threads do not mix: each is written in one piece. */
  int fd = path != NULL ? open (path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666) : STDERR_FILENO;
  ssize_t n = fd >= 0 ? write (fd, line, end + 1) : 0;
  (void) n; /* there is nobody else to tell */
  if (path != NULL && fd >= 0)
    close (fd);
}

void
tt_replay_give_up (void)
{
  _exit (TT_REPLAY_STATUS);
}

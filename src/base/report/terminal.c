/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/base/report/report.h"
#include "src/base/screen.h"

#define USUAL_WIDTH 80

guint
tt_terminal_width (void)
{
  return tt_terminal_width_of (STDOUT_FILENO);
}

guint
tt_terminal_width_of (int fd)
{
  struct winsize size;

  if (!tt_screen_is (fd))
    return 0;
  if (ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;

  const char *columns = g_getenv ("COLUMNS");
  guint64 width = 0;
  if (columns != NULL && g_ascii_string_to_unsigned (columns, 10, 1, 10000, &width, NULL))
    return (guint) width;
  return USUAL_WIDTH;
}

gboolean
tt_terminal_colours (int fd)
{
  const char *no_color = g_getenv ("NO_COLOR"), *terminal = g_getenv ("TERM");

  if (no_color != NULL && *no_color != '\0')
    return FALSE;
  if (terminal == NULL || *terminal == '\0' || strcmp (terminal, "dumb") == 0)
    return FALSE;
  return tt_screen_is (fd);
}

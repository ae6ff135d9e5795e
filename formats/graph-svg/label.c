/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/label.h"

#include <string.h>

static gint32
tenths_of (gunichar c)
{
  if (c >= 0x1100)
    return 115;
  if (strchr ("ijl.,:;|!'()[]", (int) (c < 0x80 ? c : 'x')) != NULL)
    return 34;
  return c == 'm' || c == 'w' || c == 'M' || c == 'W' ? 95 : g_unichar_isupper (c) ? 78 : 68;
}

gint32
tt_label_width (const char *text, guint most)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  gint32 tenths = 0;
  guint n = 0;

  for (const char *p = valid; *p != '\0' && n < most; p = g_utf8_next_char (p), n++)
    tenths += tenths_of (g_utf8_get_char (p));
  return (tenths + 9) / 10;
}

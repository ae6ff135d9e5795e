/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/graph-svg/label.h"

#include <string.h>

#define CUT "\xe2\x80\xa6" /* three dots in one character */

static void
append_char (GString *xml, gunichar c)
{
  if (c == '&')
    g_string_append (xml, "&amp;");
  else if (c == '<')
    g_string_append (xml, "&lt;");
  else if (c == '>')
    g_string_append (xml, "&gt;");
  else if (c == '"')
    g_string_append (xml, "&quot;");
  else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe)
    g_string_append_c (xml, ' ');
  else
    g_string_append_unichar (xml, c);
}

static void
append_range (GString *xml, const char *from, const char *to)
{
  for (; from < to; from = g_utf8_next_char (from))
    append_char (xml, g_utf8_get_char (from));
}

void
tt_label_append (GString *xml, const char *text, guint most)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  const char *end = valid + strlen (valid);
  glong n = g_utf8_strlen (valid, -1);

  if (n <= (glong) most)
    {
      append_range (xml, valid, end);
      return;
    }
  /* Names differ at their ends: both are shown. */
  glong head = (glong) most * 6 / 10, tail = (glong) most - head - 1;
  append_range (xml, valid, g_utf8_offset_to_pointer (valid, head));
  g_string_append (xml, CUT);
  append_range (xml, g_utf8_offset_to_pointer (valid, n - tail), end);
}

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

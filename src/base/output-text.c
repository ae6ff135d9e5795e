/* SPDX-License-Identifier: Apache-2.0 */
/* How an output writes numbers and JSON strings. */
#include "config.h"

#include "src/base/output.h"

#include "src/base/digits.h"

#include <stdarg.h>

void
tt_output_printf (TtOutput *self, const char *format, ...)
{
  va_list arguments, again;
  char text[256];

  va_start (arguments, format);
  va_copy (again, arguments);
  int len = g_vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);

  if (len >= 0 && (gsize) len < sizeof text)
    tt_output_bytes (self, text, (gsize) len);
  else if (len > 0)
    {
      g_autofree char *longer = g_strdup_vprintf (format, again);
      tt_output_text (self, longer);
    }
  va_end (again);
}

/* -- numbers ---------------------------------------------------------------------------------- */

void
tt_output_int (TtOutput *self, gint64 value)
{
  char text[TT_MOST_DIGITS];

  tt_output_bytes (self, text, (gsize) (tt_put_signed (text, value) - text));
}

void
tt_output_us (TtOutput *self, gint64 ns)
{
  char text[TT_MOST_DIGITS];

  tt_output_bytes (self, text, (gsize) (tt_put_us (text, ns) - text));
}

/* -- JSON ------------------------------------------------------------------------------------- */

/* 0: as it is; 1: escape or control character; 2: not ASCII. */
static const guint8 json_class[256] = {
  1, 1,          1, 1, 1, 1, 1, 1, 1, 1, 1,         1,          1,          1,          1, 1, 1, 1, 1, 1, 1, 1,
  1, 1,          1, 1, 1, 1, 1, 1, 1, 1, ['"'] = 1, ['\\'] = 1, [0x7f] = 1, [0x80] = 2, 2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, [0xa0] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         [0xc0] = 2, 2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, [0xe0] = 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2, 2, 2,         2,          2,          2,          2, 2, 2, 2, 2, 2, 2, 2,
  2, 2,          2, 2, 2, 2, 2, 2, 2,
};

static void
json_escape (TtOutput *self, guint8 c)
{
  static const char hex[] = "0123456789abcdef";

  switch (c)
    {
    case '"':
    case '\\':
      tt_output_bytes (self, (char[]){ '\\', (char) c }, 2);
      break;
    case '\n':
      tt_output_literal (self, "\\n");
      break;
    case '\t':
      tt_output_literal (self, "\\t");
      break;
    default:
      tt_output_bytes (self, (char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] }, 6);
    }
}

void
tt_output_json_string (TtOutput *self, const char *text)
{
  const guint8 *p = (const guint8 *) text, *from = p;

  tt_output_literal (self, "\"");
  for (;;)
    {
      while (json_class[*p] == 0)
        p++;
      if (json_class[*p] == 2)
        {
          gunichar c = g_utf8_get_char_validated ((const char *) p, -1);

          if (c < 0x110000)
            {
              p = (const guint8 *) g_utf8_next_char (p);
              continue;
            }
        }

      tt_output_bytes (self, (const char *) from, (gsize) (p - from));
      if (*p == '\0')
        break;
      if (json_class[*p] == 1)
        json_escape (self, *p);
      else
        tt_output_literal (self, "\xef\xbf\xbd");
      from = ++p;
    }
  tt_output_literal (self, "\"");
}

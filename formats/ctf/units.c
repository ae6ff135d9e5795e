/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/units.h"

#include "formats/ctf/bits.h"

#define REPLACEMENT 0xfffdu

gsize
tt_ctf_unit_bytes (const TtCtfType *type)
{
  switch (type->encoding)
    {
    case TT_CTF_UTF_8:
      return 1;
    case TT_CTF_UTF_16BE:
    case TT_CTF_UTF_16LE:
      return 2;
    default:
      return 4;
    }
}

static guint32
read_unit (const TtCtfType *type, const char *at)
{
  gboolean is_big_endian = type->encoding == TT_CTF_UTF_16BE || type->encoding == TT_CTF_UTF_32BE;

  return (guint32) tt_ctf_bytes_value ((const guint8 *) at, (guint) tt_ctf_unit_bytes (type), is_big_endian);
}

gsize
tt_ctf_units_length (const TtCtfType *type, const char *text, gsize most)
{
  gsize width = tt_ctf_unit_bytes (type), n = 0;

  if (width == 1)
    return strnlen (text, most);
  while (most - n >= width && read_unit (type, text + n) != 0)
    n += width;
  return n;
}

void
tt_ctf_units_append (const TtCtfType *type, const char *text, gsize len, GString *to)
{
  gsize width = tt_ctf_unit_bytes (type);

  for (gsize at = 0; len - at >= width; at += width)
    {
      guint32 unit = read_unit (type, text + at);

      if (width == 2 && unit >= 0xd800 && unit < 0xdc00 && len - at >= 2 * width)
        {
          guint32 low = read_unit (type, text + at + width);

          if (low >= 0xdc00 && low < 0xe000)
            {
              unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
              at += width;
            }
        }
      g_string_append_unichar (to, unit == 0 || !g_unichar_validate (unit) ? REPLACEMENT : unit);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Bytes of which little is known, and arrays, as text. */
#include "formats/pi/print/value-private.h"

#include <string.h>

#define WORD 8

void
tt_pi_append_dump (GString *to, const TtPiBytes *bytes, gsize limit)
{
  gsize shown = MIN (bytes->len, limit / WORD);

  g_string_append_c (to, '<');
  for (gsize i = 0; i < shown; i++)
    g_string_append_printf (to, i == 0 ? "%02x" : " %02x", bytes->bytes[i]);
  g_string_append_c (to, '>');
  tt_pi_append_more (to, bytes, shown);
}

gboolean
tt_pi_bytes_look_like_text (const TtPiBytes *bytes)
{
  const guint8 *end = bytes->len < 2 ? NULL : memchr (bytes->bytes, 0, bytes->len);

  if (end == NULL || end == bytes->bytes || !g_utf8_validate ((const char *) bytes->bytes, end - bytes->bytes, NULL))
    return FALSE;
  for (const guint8 *at = bytes->bytes; at < end; at++)
    if (*at < ' ' && *at != '\n' && *at != '\t')
      return FALSE;
  return TRUE;
}

gboolean
tt_pi_bytes_are_number (const TtPiBytes *bytes)
{
  return bytes->size == bytes->len && (bytes->len == 1 || bytes->len == 4 || bytes->len == WORD);
}

void
tt_pi_append_unknown (GString *to, const TtPiBytes *bytes, gsize limit)
{
  if (tt_pi_bytes_are_number (bytes))
    tt_pi_append_uint (to, tt_pi_read_number (bytes->bytes, bytes->len));
  else if (tt_pi_bytes_look_like_text (bytes))
    tt_pi_append_text (to, bytes, limit);
  else
    tt_pi_append_dump (to, bytes, limit);
}

void
tt_pi_append_handle_value (GString *to, const char *type, guint64 value, const TtPiHandles *handles)
{
  const TtPiHandle *handle = handles == NULL ? NULL : tt_pi_handles_find (handles, type, value);

  if (handle != NULL)
    tt_pi_handle_append (to, handle);
  else
    tt_pi_append_pointer (to, value);
}

void
tt_pi_append_size_value (GString *to,
                         const char *type G_GNUC_UNUSED,
                         guint64 value,
                         const TtPiHandles *handles G_GNUC_UNUSED)
{
  tt_pi_append_uint (to, value);
}

void
tt_pi_append_array (GString *to, const TtPiBytes *bytes, const TtPiItems *items, gsize limit)
{
  gsize n = bytes->len / items->size, shown = MIN (n, MAX (limit / WORD, 1));

  g_string_append_c (to, '[');
  for (gsize i = 0; i < shown; i++)
    {
      if (i > 0)
        g_string_append (to, ", ");
      items->append (to, items->type, tt_pi_read_number (bytes->bytes + i * items->size, items->size), items->handles);
    }
  if (bytes->size / items->size > shown)
    {
      g_string_append (to, ", ... ");
      tt_pi_append_uint (to, bytes->size / items->size);
      g_string_append (to, " in all");
    }
  g_string_append_c (to, ']');
}

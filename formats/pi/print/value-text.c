/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Numbers, symbols, bytes and names of objects as text: what values are made of. */
#include "formats/pi/print/value-private.h"

#include <string.h>

#define DIGITS 24
#define WORD 8

/* -- text ---------------------------------------------------------------------------------------------- */

static gboolean
is_plain (guint8 byte, gboolean in_quotes)
{
  return byte >= ' ' && byte < 0x7f && !(in_quotes && (byte == '"' || byte == '\\'));
}

/* Of an ASCII character that is not plain. */
static void
append_escape (GString *to, guint8 c)
{
  static const char controls[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
  const char *control = c == 0 ? NULL : strchr (controls, c);

  if (control != NULL)
    g_string_append_printf (to, "\\%c", letters[control - controls]);
  else if (c == '"' || c == '\\')
    g_string_append_printf (to, "\\%c", c);
  else
    g_string_append_printf (to, "\\x%02x", c);
}

void
tt_pi_text_append (GString *to, const char *bytes, gsize len, gboolean in_quotes)
{
  const char *end = bytes + len;

  while (bytes < end)
    {
      const char *from = bytes;

      while (bytes < end && is_plain ((guint8) *bytes, in_quotes))
        bytes++;
      g_string_append_len (to, from, bytes - from);
      if (bytes == end)
        break;
      if ((guint8) *bytes < 0x80)
        {
          append_escape (to, (guint8) *bytes++);
          continue;
        }

      gunichar c = g_utf8_get_char_validated (bytes, end - bytes);
      if (c > 0x10ffff)
        {
          g_string_append_printf (to, "\\x%02x", (guint8) *bytes++);
          continue;
        }
      if (g_unichar_isprint (c))
        g_string_append_unichar (to, c);
      else
        g_string_append_printf (to, "\\u{%x}", c);
      bytes = g_utf8_next_char (bytes);
    }
}

/* -- numbers --------------------------------------------------------------------------------------------- */

void
tt_pi_append_uint (GString *to, guint64 value)
{
  char text[DIGITS], *at = text + sizeof text;

  do
    *--at = (char) ('0' + value % 10);
  while ((value /= 10) > 0);
  g_string_append_len (to, at, text + sizeof text - at);
}

void
tt_pi_append_int (GString *to, gint64 value)
{
  if (value < 0)
    g_string_append_c (to, '-');
  tt_pi_append_uint (to, value < 0 ? -(guint64) value : (guint64) value);
}

void
tt_pi_append_hex (GString *to, guint64 value)
{
  static const char hex[] = "0123456789abcdef";
  char text[DIGITS], *at = text + sizeof text;

  do
    *--at = hex[value & 15];
  while ((value >>= 4) > 0);
  g_string_append_len (to, "0x", 2);
  g_string_append_len (to, at, text + sizeof text - at);
}

void
tt_pi_append_pointer (GString *to, guint64 value)
{
  if (value == 0)
    g_string_append_len (to, "NULL", 4);
  else
    tt_pi_append_hex (to, value);
}

guint64
tt_pi_read_number (const guint8 *bytes, gsize size)
{
  guint64 value = 0;

  for (gsize i = 0; i < size; i++)
    value |= (guint64) bytes[i] << 8 * i;
  return value;
}

/* -- symbols --------------------------------------------------------------------------------------------- */

void
tt_pi_append_enum (GString *to, const char *type, guint64 value, guint release)
{
  const char *name = tt_pi_enum_name (type, value, release);

  if (name != NULL)
    g_string_append (to, name);
  else
    tt_pi_append_hex (to, value);
}

void
tt_pi_append_flags (GString *to, const char *type, guint64 value, guint release)
{
  const char *name = tt_pi_enum_name (type, value, release);

  if (name != NULL || value == 0)
    {
      g_string_append (to, name != NULL ? name : "0");
      return;
    }
  gsize start = to->len;
  for (guint bit = 0; bit < 64; bit++)
    if ((value >> bit & 1) != 0 && (name = tt_pi_flag_name (type, bit, release)) != NULL)
      {
        if (to->len > start)
          g_string_append_c (to, '|');
        g_string_append (to, name);
        value &= ~(G_GUINT64_CONSTANT (1) << bit);
      }
  if (value == 0)
    return;
  if (to->len > start)
    g_string_append_c (to, '|');
  tt_pi_append_hex (to, value);
}

void
tt_pi_append_bool (GString *to, guint64 value)
{
  if (value <= 1)
    g_string_append (to, value == 1 ? "true" : "false");
  else
    tt_pi_append_uint (to, value);
}

static guint64
low_bytes (guint64 value, guint size)
{
  return size >= WORD || size == 0 ? value : value & ((G_GUINT64_CONSTANT (1) << 8 * size) - 1);
}

static gint64
signed_value (guint64 value, guint size)
{
  return size == 4 ? (gint32) value : size == 1 ? (gint8) value : (gint64) value;
}

static void
append_float (GString *to, guint32 bits)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  float number;

  memcpy (&number, &bits, sizeof number);
  g_string_append (to, g_ascii_formatd (text, sizeof text, "%.9g", (double) number));
}

void
tt_pi_append_by_kind (GString *to, const TtPiParam *param, guint64 value, guint release)
{
  switch ((TtPiKind) param->kind)
    {
    case TT_PI_KIND_UINT:
      tt_pi_append_uint (to, low_bytes (value, param->size));
      break;
    case TT_PI_KIND_INT:
      tt_pi_append_int (to, signed_value (value, param->size));
      break;
    case TT_PI_KIND_FLOAT:
      append_float (to, (guint32) value);
      break;
    case TT_PI_KIND_BOOL:
      tt_pi_append_bool (to, low_bytes (value, param->size));
      break;
    case TT_PI_KIND_ENUM:
      tt_pi_append_enum (to, param->type, low_bytes (value, param->size), release);
      break;
    case TT_PI_KIND_FLAGS:
      tt_pi_append_flags (to, param->type, low_bytes (value, param->size), release);
      break;
    case TT_PI_KIND_HANDLE:
    case TT_PI_KIND_NATIVE:
    case TT_PI_KIND_STRING:
    case TT_PI_KIND_POINTER:
    case TT_PI_KIND_FUNCTION:
    case TT_PI_KIND_STRUCT:
      tt_pi_append_pointer (to, value);
      break;
    }
}

/* -- bytes ------------------------------------------------------------------------------------------------ */

void
tt_pi_append_more (GString *to, const TtPiBytes *bytes, gsize shown)
{
  if (bytes->size <= shown)
    return;
  g_string_append (to, "... (");
  tt_pi_append_uint (to, bytes->size);
  g_string_append (to, " bytes)");
}

/* Up to its NUL, in quotes. */
void
tt_pi_append_text (GString *to, const TtPiBytes *bytes, gsize limit)
{
  gsize len = bytes->len == 0 ? 0 : strnlen ((const char *) bytes->bytes, bytes->len);
  gsize shown = MIN (len, limit);

  while (shown > 0 && shown < len && (bytes->bytes[shown] & 0xc0) == 0x80)
    shown--;
  g_string_append_c (to, '"');
  tt_pi_text_append (to, (const char *) bytes->bytes, shown, TRUE);
  g_string_append_c (to, '"');
  if (shown < len || (len == bytes->len && bytes->size > bytes->len))
    tt_pi_append_more (to, bytes, shown);
}

/* -- handles ---------------------------------------------------------------------------------------------- */

void
tt_pi_handle_append (GString *to, const TtPiHandle *handle)
{
  g_string_append (to, handle->type);
  g_string_append_c (to, '#');
  tt_pi_append_uint (to, handle->number);
  if (handle->label != NULL)
    {
      const char *name = tt_pi_kernel_short_name (handle->label);

      g_string_append_c (to, ' ');
      tt_pi_text_append (to, name, MIN (strlen (name), TT_PI_TEXT_LIMIT), FALSE);
    }
  if (handle->is_inferred && (handle->is_new || handle->is_first))
    g_string_append_c (to, '?');
}

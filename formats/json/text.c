/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

static void
replace (GString *text, const TtJsonValue *string, gsize at, TtRepairs *repairs)
{
  g_string_append (text, REPLACEMENT);
  if (repairs != NULL)
    tt_repairs_add (repairs, TT_REPAIR_JSON_TEXT, string->offset + 1 + at);
}

/* Bytes as they are, as far as they are UTF-8. */
static void
append_plain (GString *text, const TtJsonValue *string, gsize at, gsize end, TtRepairs *repairs)
{
  const char *bytes = string->raw.bytes;

  while (at < end)
    {
      const char *stop;
      gboolean is_valid = g_utf8_validate_len (bytes + at, end - at, &stop);

      g_string_append_len (text, bytes + at, stop - (bytes + at));
      at = (gsize) (stop - bytes);
      if (!is_valid)
        replace (text, string, at++, repairs);
    }
}

/* The four hexadecimal digits at @at, or -1. */
static int
code_unit (TtSlice raw, gsize at)
{
  int unit = 0;

  if (raw.len < 4 || at > raw.len - 4)
    return -1;
  for (gsize i = at; i < at + 4; i++)
    {
      int digit = g_ascii_xdigit_value (raw.bytes[i]);

      if (digit < 0)
        return -1;
      unit = 16 * unit + digit;
    }
  return unit;
}

/* The \u escape at @at, perhaps two that are a pair; bytes used, 0: it is none. */
static gsize
append_code_point (GString *text, const TtJsonValue *string, gsize at, TtRepairs *repairs)
{
  TtSlice raw = string->raw;
  int unit = code_unit (raw, at + 2);

  if (unit < 0)
    return 0;
  if (unit >= 0xd800 && unit < 0xdc00 && at + 12 <= raw.len && raw.bytes[at + 6] == '\\' && raw.bytes[at + 7] == 'u')
    {
      int low = code_unit (raw, at + 8);

      if (low >= 0xdc00 && low < 0xe000)
        {
          g_string_append_unichar (text, 0x10000 + (((gunichar) unit - 0xd800) << 10) + ((gunichar) low - 0xdc00));
          return 12;
        }
    }
  if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
    replace (text, string, at, repairs);
  else
    g_string_append_unichar (text, (gunichar) unit);
  return 6;
}

/* The escape at @at; bytes used. What is no escape stays as it is. */
static gsize
append_escape (GString *text, const TtJsonValue *string, gsize at, TtRepairs *repairs)
{
  static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
  const char *name;
  gsize used = 0;

  if (at + 1 < string->raw.len)
    {
      char escaped = string->raw.bytes[at + 1];

      if (escaped == 'u')
        used = append_code_point (text, string, at, repairs);
      else if ((name = memchr (names, escaped, sizeof names - 1)) != NULL)
        {
          g_string_append_c (text, bytes[name - names]);
          used = 2;
        }
    }
  if (used == 0)
    {
      g_string_append_c (text, '\\');
      used = 1;
    }
  return used;
}

void
tt_json_unescape (const TtJsonValue *string, GString *text, TtRepairs *repairs)
{
  TtSlice raw = string->raw;
  gsize at = 0;

  while (at < raw.len)
    {
      const char *backslash = string->has_escapes ? memchr (raw.bytes + at, '\\', raw.len - at) : NULL;
      gsize end = backslash == NULL ? raw.len : (gsize) (backslash - raw.bytes);

      append_plain (text, string, at, end, repairs);
      at = end;
      if (at < raw.len)
        at += append_escape (text, string, at, repairs);
    }
}

char *
tt_json_text (const TtJsonValue *value)
{
  if (value->raw.len == 0)
    return g_strdup ("");
  if (value->kind != TT_JSON_STRING)
    return g_utf8_make_valid (value->raw.bytes, (gssize) value->raw.len);

  /* A GString has room for 128 bytes at least, and a file may have any number of short texts. */
  if (!value->has_escapes && g_utf8_validate_len (value->raw.bytes, value->raw.len, NULL))
    return g_strndup (value->raw.bytes, value->raw.len);
  g_autoptr (GString) text = g_string_sized_new (value->raw.len);
  tt_json_unescape (value, text, NULL);
  return g_strndup (text->str, text->len);
}

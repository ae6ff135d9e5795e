/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/args.h"

#include "src/base/digits.h"

#include <string.h>

void
tt_rocprof_args_init (TtRocprofArgs *self, char *const *wanted, TtRepairs *repairs)
{
  *self = (TtRocprofArgs){ .text = g_string_new ("{"), .scratch = g_string_new (NULL), .wanted = wanted };
  self->repairs = repairs;
}

void
tt_rocprof_args_clear (TtRocprofArgs *self)
{
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  if (self->scratch != NULL)
    g_string_free (self->scratch, TRUE);
  *self = (TtRocprofArgs){ 0 };
}

void
tt_rocprof_args_begin (TtRocprofArgs *self)
{
  g_string_assign (self->text, "{");
}

/* @text is UTF-8. */
static void
append_quoted (GString *to, const char *text, gsize len)
{
  gsize from = 0;

  g_string_append_c (to, '"');
  for (gsize i = 0; i < len; i++)
    {
      guchar byte = (guchar) text[i];

      if (G_LIKELY (byte != '"' && byte != '\\' && byte >= 0x20))
        continue;
      g_string_append_len (to, text + from, (gssize) (i - from));
      if (byte < 0x20)
        g_string_append_printf (to, "\\u%04x", byte);
      else
        {
          g_string_append_c (to, '\\');
          g_string_append_c (to, (char) byte);
        }
      from = i + 1;
    }
  g_string_append_len (to, text + from, (gssize) (len - from));
  g_string_append_c (to, '"');
}

/* FALSE: nobody wants the member. */
static gboolean
append_key (TtRocprofArgs *self, const char *key, gsize len)
{
  gboolean is_wanted = self->wanted == NULL;

  for (guint i = 0; !is_wanted && self->wanted[i] != NULL; i++)
    is_wanted = strlen (self->wanted[i]) == len && memcmp (self->wanted[i], key, len) == 0;
  if (!is_wanted)
    return FALSE;
  if (self->text->len > 1)
    g_string_append_c (self->text, ',');
  append_quoted (self->text, key, len);
  g_string_append_c (self->text, ':');
  return TRUE;
}

void
tt_rocprof_args_uint (TtRocprofArgs *self, const char *key, guint64 value)
{
  if (append_key (self, key, strlen (key)))
    tt_append_decimal (self->text, value);
}

void
tt_rocprof_args_triple (TtRocprofArgs *self, const char *key, const guint64 *values)
{
  if (!append_key (self, key, strlen (key)))
    return;
  for (guint i = 0; i < 3; i++)
    {
      g_string_append_c (self->text, i == 0 ? '[' : ',');
      tt_append_decimal (self->text, values[i]);
    }
  g_string_append_c (self->text, ']');
}

void
tt_rocprof_args_text (TtRocprofArgs *self, const char *key, const char *value)
{
  if (append_key (self, key, strlen (key)))
    append_quoted (self->text, value, strlen (value));
}

static void
append_value (TtRocprofArgs *self, const TtJsonValue *value)
{
  if (value->kind == TT_JSON_STRING)
    {
      g_string_truncate (self->scratch, 0);
      tt_json_unescape (value, self->scratch, self->repairs);
      append_quoted (self->text, self->scratch->str, self->scratch->len);
    }
  else if (value->kind == TT_JSON_OBJECT || value->kind == TT_JSON_ARRAY)
    tt_json_clean (value->raw, self->text);
  else if (value->kind == TT_JSON_NULL || value->raw.len == 0)
    g_string_append (self->text, "null");
  else if (value->kind == TT_JSON_NUMBER)
    {
      /* Within an array odd numbers are made strict; the brackets go. */
      g_string_assign (self->scratch, "[");
      g_string_append_len (self->scratch, value->raw.bytes, (gssize) value->raw.len);
      g_string_append_c (self->scratch, ']');
      gsize at = self->text->len;
      tt_json_clean ((TtSlice){ self->scratch->str, self->scratch->len }, self->text);
      g_string_truncate (self->text, self->text->len - 1);
      g_string_erase (self->text, (gssize) at, 1);
    }
  else
    g_string_append_len (self->text, value->raw.bytes, (gssize) value->raw.len);
}

void
tt_rocprof_args_value (TtRocprofArgs *self, const char *key, const TtJsonValue *value)
{
  if (value->kind != TT_JSON_NONE && append_key (self, key, strlen (key)))
    append_value (self, value);
}

/* Whether a call's own argument has the name of one that all calls get. */
static gboolean
is_taken (const char *key)
{
  static const char *const taken[] = { "correlation", "ancestor", "External id", "range", "stream_id", "retval", NULL };

  return g_strv_contains (taken, key);
}

static gboolean
read_pair (const TtJsonValue *item, TtJsonValue *name, TtJsonValue *value)
{
  const char *cursor = NULL;
  TtJsonValue key, member;

  while (item->kind == TT_JSON_OBJECT && tt_json_member (item->raw, &cursor, &key, &member))
    if (TT_SLICE_IS (key.raw, "name"))
      *name = member;
    else if (TT_SLICE_IS (key.raw, "value"))
      *value = member;
  return name->kind == TT_JSON_STRING && value->kind != TT_JSON_NONE;
}

void
tt_rocprof_args_list (TtRocprofArgs *self, const TtJsonValue *list)
{
  const char *cursor = NULL;
  TtJsonValue item;

  if (list->kind != TT_JSON_ARRAY)
    return;
  while (tt_json_item (list->raw, &cursor, &item))
    {
      TtJsonValue name = { 0 }, value = { 0 };

      if (!read_pair (&item, &name, &value))
        continue;
      g_string_truncate (self->scratch, 0);
      tt_json_unescape (&name, self->scratch, self->repairs);
      if (!is_taken (self->scratch->str) && append_key (self, self->scratch->str, self->scratch->len))
        append_value (self, &value);
    }
}

void
tt_rocprof_args_object (TtRocprofArgs *self, const char *key, const char *json)
{
  if (append_key (self, key, strlen (key)))
    g_string_append (self->text, json);
}

guint64
tt_rocprof_args_keep (TtRocprofArgs *self, TtSink *sink)
{
  if (self->text->len == 1)
    return 0;
  g_string_append_c (self->text, '}');
  return tt_sink_args (sink, self->text->str, self->text->len);
}

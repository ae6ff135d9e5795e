/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/attributes.h"

#include <string.h>

#include "src/base/json-writer.h"

/* OTF2_Type. */
enum
{
  TYPE_UINT64 = 4,
  TYPE_INT64 = 8,
  TYPE_DOUBLE = 10,
  TYPE_STRING = 11,
  TYPE_LOCATION = 13,
  TYPE_REGION = 14,
};

/* A reader takes no more of one event (formats/otf2/facts.c). */
#define MOST_ARGUMENTS 900u

void
tt_otf2_export_attributes_init (TtOtf2ExportAttributes *self, TtOtf2ExportDefinitions *definitions)
{
  *self = (TtOtf2ExportAttributes){ .definitions = definitions,
                                    .values = g_byte_array_new (),
                                    .used = g_hash_table_new (NULL, NULL) };
}

void
tt_otf2_export_attributes_clear (TtOtf2ExportAttributes *self)
{
  g_clear_pointer (&self->values, g_byte_array_unref);
  g_clear_pointer (&self->used, g_hash_table_unref);
}

/* FALSE: it is in the list already. */
static gboolean
begin (TtOtf2ExportAttributes *self, const char *name, const char *description, guint8 type)
{
  TtRecordBody body = { self->values };
  guint32 id = tt_otf2_export_use_attribute (self->definitions, name, description, type);

  if (!g_hash_table_add (self->used, GUINT_TO_POINTER (id + 1)))
    return FALSE;
  tt_record_packed (&body, id);
  tt_record_u8 (&body, type);
  self->n++;
  return TRUE;
}

void
tt_otf2_export_attributes_number (TtOtf2ExportAttributes *self,
                                  const char *name,
                                  const char *description,
                                  guint64 value)
{
  TtRecordBody body = { self->values };

  if (begin (self, name, description, TYPE_UINT64))
    tt_record_packed (&body, value);
}

void
tt_otf2_export_attributes_signed (TtOtf2ExportAttributes *self, const char *name, const char *description, gint64 value)
{
  TtRecordBody body = { self->values };

  if (begin (self, name, description, TYPE_INT64))
    tt_record_packed (&body, (guint64) value);
}

static void
add_real (TtOtf2ExportAttributes *self, const char *name, const char *description, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  if (begin (self, name, description, TYPE_DOUBLE))
    g_byte_array_append (self->values, (const guint8 *) &bits, sizeof bits);
}

void
tt_otf2_export_attributes_text (TtOtf2ExportAttributes *self,
                                const char *name,
                                const char *description,
                                const char *value)
{
  TtRecordBody body = { self->values };
  guint64 id = tt_otf2_export_use_text (self->definitions, value);

  if (id == TT_OTF2_NONE)
    self->n_too_long++;
  else if (begin (self, name, description, TYPE_STRING))
    tt_record_packed (&body, id);
}

void
tt_otf2_export_attributes_region (TtOtf2ExportAttributes *self,
                                  const char *name,
                                  const char *description,
                                  guint32 region)
{
  TtRecordBody body = { self->values };

  if (begin (self, name, description, TYPE_REGION))
    tt_record_packed (&body, region);
}

void
tt_otf2_export_attributes_location (TtOtf2ExportAttributes *self,
                                    const char *name,
                                    const char *description,
                                    guint32 location)
{
  TtRecordBody body = { self->values };

  if (begin (self, name, description, TYPE_LOCATION))
    tt_record_packed (&body, location);
}

/* -- arguments -------------------------------------------------------------------------------------------------------- */

static const char *
skip_blanks (const char *at)
{
  while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
    at++;
  return at;
}

/* Behind the string that begins at @at; NULL: it has no end. */
static const char *
skip_string (const char *at)
{
  for (at++; *at != '\0' && *at != '"'; at++)
    if (*at == '\\' && *++at == '\0')
      return NULL;
  return *at == '"' ? at + 1 : NULL;
}

/* Behind the value that begins at @at; NULL: it is none. Only where objects and arrays end matters. */
static const char *
skip_value (const char *at)
{
  guint depth = 0;

  if (*at == '"')
    return skip_string (at);
  for (; *at != '\0'; at++)
    {
      if (depth == 0 && (*at == ',' || *at == '}' || *at == ']' || strchr (" \t\r\n", *at) != NULL))
        return at;
      if (*at == '"' && depth > 0)
        {
          at = skip_string (at);
          if (at == NULL)
            return NULL;
          at--;
        }
      else if (*at == '{' || *at == '[')
        depth++;
      else if ((*at == '}' || *at == ']') && --depth == 0)
        return at + 1;
    }
  return NULL;
}

/* A text that needs no escapes is the same in JSON and in OTF2. */
static gboolean
is_plain (const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '\\' || *text == '"' || (guchar) *text < ' ' || *text == 0x7f)
      return FALSE;
  return TRUE;
}

/* Whether the number is the text that reading it again makes of @value. */
static gboolean
is_same_real (const char *text, double value)
{
  g_autoptr (GString) again = g_string_new (NULL);
  TtJsonWriter json;

  tt_json_writer_init (&json, again);
  tt_json_writer_real (&json, NULL, value);
  return strcmp (again->str, text) == 0;
}

/* Whether the whole number @text is written as it would be again. */
static gboolean
is_canonical (const char *text)
{
  const char *digits = *text == '-' ? text + 1 : text;

  return g_ascii_isdigit (*digits) && (*digits != '0' || (digits == text && digits[1] == '\0'));
}

static void
add_argument (TtOtf2ExportAttributes *self, const char *name, char *value)
{
  gsize len = strlen (value);
  gint64 integer;
  guint64 natural;

  if (*value == '"')
    {
      value[len - 1] = '\0';
      if (is_plain (value + 1))
        {
          tt_otf2_export_attributes_text (self, name, TT_OTF2_EXPORT_ARGUMENT, value + 1);
          return;
        }
      value[len - 1] = '"';
    }
  else if (g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    {
      if (is_canonical (value))
        {
          tt_otf2_export_attributes_signed (self, name, TT_OTF2_EXPORT_ARGUMENT, integer);
          return;
        }
    }
  else if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT64 - 1, &natural, NULL) && *value != '0')
    {
      tt_otf2_export_attributes_number (self, name, TT_OTF2_EXPORT_ARGUMENT, natural);
      return;
    }
  else if (g_ascii_isdigit (*value) || *value == '-')
    {
      double real = g_ascii_strtod (value, NULL);
      if (is_same_real (value, real))
        {
          add_real (self, name, TT_OTF2_EXPORT_ARGUMENT, real);
          return;
        }
    }
  tt_otf2_export_attributes_text (self, name, TT_OTF2_EXPORT_JSON, value);
}

/* Members, or with @add FALSE whether all can be taken apart, and none twice: key and value are cut out of @text. */
static gboolean
each_member (TtOtf2ExportAttributes *self, const char *text, gboolean add)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *at = skip_blanks (text);
  guint n = 0;

  if (*at++ != '{')
    return FALSE;
  for (at = skip_blanks (at); *at == '"' && n < MOST_ARGUMENTS; n++)
    {
      const char *end = skip_string (at);
      const char *value = end == NULL ? NULL : skip_blanks (end);
      if (value == NULL || *value != ':')
        return FALSE;
      value = skip_blanks (value + 1);
      const char *after = skip_value (value);
      if (after == NULL || after == value)
        return FALSE;
      g_autofree char *name = g_strndup (at + 1, (gsize) (end - at) - 2);
      g_autofree char *cut = g_strndup (value, (gsize) (after - value));
      if (add)
        add_argument (self, name, cut);
      else if (!is_plain (name) || *name == '\0' || !g_hash_table_add (names, g_steal_pointer (&name)))
        return FALSE;
      at = skip_blanks (after);
      if (*at == ',')
        at = skip_blanks (at + 1);
    }
  return *at == '}' && n > 0;
}

void
tt_otf2_export_attributes_args (TtOtf2ExportAttributes *self, const GString *args)
{
  if (args->len == 0)
    return;
  if (strlen (args->str) == args->len && tt_otf2_export_has_room (self->definitions) &&
      each_member (self, args->str, FALSE))
    each_member (self, args->str, TRUE);
  else
    tt_otf2_export_attributes_text (self, "args", TT_OTF2_EXPORT_OWN, args->str);
}

/* -- writing ---------------------------------------------------------------------------------------------------------- */

void
tt_otf2_export_attributes_write (TtOtf2ExportAttributes *self, TtChunkFile *file, gint64 time)
{
  TtRecordBody body = { g_byte_array_new () };

  if (self->n > 0)
    {
      tt_record_packed (&body, self->n);
      g_byte_array_append (body.bytes, self->values->data, self->values->len);
      tt_chunk_file_attributes (file, (guint64) time, &body);
    }
  g_byte_array_unref (body.bytes);
  g_byte_array_set_size (self->values, 0);
  g_hash_table_remove_all (self->used);
  self->n = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/perfetto-decode.h"

#include <string.h>

typedef struct
{
  const guint8 *at, *end;
} Message;

typedef struct
{
  guint64 number;
  guint64 value; /* of a varint or 64 bits */
  Message bytes; /* of the others */
} Field;

enum
{
  CATEGORIES,
  EVENT_NAMES,
  KEYS,
  VALUES,
  N_TABLES
};

typedef struct
{
  GHashTable *tables[N_TABLES]; /* number -> text */
  GString *text;
} Decoder;

static gboolean
next_varint (Message *message, guint64 *value)
{
  *value = 0;
  for (guint shift = 0; shift < 64 && message->at < message->end; shift += 7)
    {
      guint8 byte = *message->at++;

      *value |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return TRUE;
    }
  return FALSE;
}

/* FALSE: the end; a message that is not whole fails the test. */
static gboolean
next_field (Message *message, Field *field)
{
  guint64 tag;

  if (message->at == message->end)
    return FALSE;
  if (!next_varint (message, &tag))
    {
      g_assert_cmpstr ("a tag", ==, "cut off");
      return FALSE;
    }
  field->number = tag >> 3;
  field->value = 0;
  field->bytes = (Message){ message->at, message->at };

  gboolean is_whole = FALSE;
  if ((tag & 7) == 0)
    is_whole = next_varint (message, &field->value);
  else if ((tag & 7) == 1 && message->end - message->at >= 8)
    {
      memcpy (&field->value, message->at, 8);
      field->value = GUINT64_FROM_LE (field->value);
      message->at += 8;
      is_whole = TRUE;
    }
  else if ((tag & 7) == 2 && next_varint (message, &field->value) &&
           (guint64) (message->end - message->at) >= field->value)
    {
      field->bytes = (Message){ message->at, message->at + field->value };
      message->at += field->value;
      is_whole = TRUE;
    }
  g_assert_true (is_whole);
  return is_whole;
}

static gboolean
find_field (Message message, guint64 number, Field *found)
{
  gboolean is_there = FALSE;
  Field field;

  *found = (Field){ .number = number };
  while (next_field (&message, &field))
    if (field.number == number)
      {
        *found = field;
        is_there = TRUE;
      }
  return is_there;
}

static guint64
value_of (Message message, guint64 number)
{
  Field field;

  find_field (message, number, &field);
  return field.value;
}

static void
append_text (Decoder *self, Message text)
{
  g_string_append_printf (self->text, " '%.*s'", (int) (text.end - text.at), (const char *) text.at);
}

static void
append_text_field (Decoder *self, Message message, guint64 number, const char *before)
{
  Field field;

  if (find_field (message, number, &field))
    {
      g_string_append (self->text, before);
      append_text (self, field.bytes);
    }
}

static void
append_unknown (Decoder *self, Message message, const guint64 *known, guint n)
{
  Field field;

  while (next_field (&message, &field))
    {
      gboolean is_known = FALSE;

      for (guint i = 0; i < n; i++)
        is_known = is_known || known[i] == field.number;
      if (!is_known)
        g_string_append_printf (self->text, " unknown %" G_GUINT64_FORMAT, field.number);
    }
}

/* -- texts ------------------------------------------------------------------------------------------------ */

static void
define_texts (Decoder *self, Message interned)
{
  Field field;

  while (next_field (&interned, &field))
    {
      int table = field.number == 1    ? CATEGORIES
                  : field.number == 2  ? EVENT_NAMES
                  : field.number == 3  ? KEYS
                  : field.number == 29 ? VALUES
                                       : -1;
      Field text;

      g_assert_cmpint (table, !=, -1);
      if (table == -1)
        continue;
      gpointer iid = GSIZE_TO_POINTER (value_of (field.bytes, 1));
      g_assert_nonnull (iid);
      g_assert_true (find_field (field.bytes, 2, &text));
      g_assert_null (g_hash_table_lookup (self->tables[table], iid));
      gsize len = (gsize) (text.bytes.end - text.bytes.at);
      g_hash_table_insert (self->tables[table], iid, g_strndup ((const char *) text.bytes.at, len));
    }
}

static const char *
text_at (const Decoder *self, int table, guint64 iid)
{
  const char *text = g_hash_table_lookup (self->tables[table], GSIZE_TO_POINTER (iid));

  return text != NULL ? text : "?";
}

/* -- arguments -------------------------------------------------------------------------------------------- */

static void append_annotation (Decoder *self, Message annotation);

static void
append_number (Decoder *self, const Field *field)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double real;

  if (field->number == 2)
    g_string_append (self->text, field->value != 0 ? "true" : "false");
  else if (field->number == 3)
    g_string_append_printf (self->text, "%" G_GUINT64_FORMAT "u", field->value);
  else if (field->number == 4)
    g_string_append_printf (self->text, "%" G_GINT64_FORMAT, (gint64) field->value);
  else
    {
      memcpy (&real, &field->value, sizeof real);
      g_string_append_printf (self->text, "%sd", g_ascii_dtostr (text, sizeof text, real));
    }
}

static void
append_annotation (Decoder *self, Message annotation)
{
  Field field;
  guint n_values = 0;
  char closing = '\0';

  while (next_field (&annotation, &field))
    {
      if (field.number == 1)
        g_string_append_printf (self->text, "%s=", text_at (self, KEYS, field.value));
      else if (field.number == 10)
        g_string_append_printf (self->text, "%.*s=", (int) field.value, (const char *) field.bytes.at);
      else if (field.number == 11 || field.number == 12)
        {
          g_string_append_c (self->text, n_values > 0 ? ' ' : field.number == 11 ? '{' : '[');
          closing = field.number == 11 ? '}' : ']';
          append_annotation (self, field.bytes);
          n_values++;
        }
      else if (field.number == 6)
        g_string_append_printf (self->text, "'%.*s'", (int) field.value, (const char *) field.bytes.at);
      else if (field.number == 17)
        g_string_append_printf (self->text, "#'%s'", text_at (self, VALUES, field.value));
      else if (field.number >= 2 && field.number <= 5)
        append_number (self, &field);
      else
        g_string_append_printf (self->text, "unknown %" G_GUINT64_FORMAT, field.number);
    }
  if (closing != '\0')
    g_string_append_c (self->text, closing);
}

/* -- packets ---------------------------------------------------------------------------------------------- */

static void
append_event_field (Decoder *self, const Field *field)
{
  double real;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  switch (field->number)
    {
    case 3:
      g_string_append_printf (self->text, " [%s]", text_at (self, CATEGORIES, field->value));
      break;
    case 4:
      g_string_append_c (self->text, ' ');
      append_annotation (self, field->bytes);
      break;
    case 9:
    case 11:
      break;
    case 10:
      g_string_append_printf (self->text, " '%s'", text_at (self, EVENT_NAMES, field->value));
      break;
    case 22:
      g_string_append_printf (self->text, " [=%.*s]", (int) field->value, (const char *) field->bytes.at);
      break;
    case 23:
      append_text (self, field->bytes);
      break;
    case 30:
      g_string_append_printf (self->text, " %" G_GINT64_FORMAT, (gint64) field->value);
      break;
    case 44:
      memcpy (&real, &field->value, sizeof real);
      g_string_append_printf (self->text, " %sd", g_ascii_dtostr (text, sizeof text, real));
      break;
    case 47:
      g_string_append_printf (self->text, " flow %" G_GUINT64_FORMAT, field->value);
      break;
    case 48:
      g_string_append_printf (self->text, " last flow %" G_GUINT64_FORMAT, field->value);
      break;
    default:
      g_string_append_printf (self->text, " unknown %" G_GUINT64_FORMAT, field->number);
    }
}

static void
append_event (Decoder *self, Message packet, Message event)
{
  static const char *const types[] = { "none", "begin", "end", "instant", "count", "state" };
  guint64 type = value_of (event, 9);
  Field field;

  g_assert_cmpuint (type, <, G_N_ELEMENTS (types));
  g_string_append_printf (self->text, "%s %" G_GUINT64_FORMAT " on %" G_GUINT64_FORMAT ":",
                          type < G_N_ELEMENTS (types) ? types[type] : "none", value_of (packet, 8),
                          value_of (event, 11));
  while (next_field (&event, &field))
    append_event_field (self, &field);
}

static void
append_track_kind (Decoder *self, Message track)
{
  static const guint64 of_process[] = { 1, 6, 8 }, of_thread[] = { 1, 2, 5 }, of_counter[] = { 6 };
  guint64 uuid = value_of (track, 1);
  Field part;

  if (find_field (track, 3, &part))
    {
      g_string_append_printf (self->text, "process %" G_GUINT64_FORMAT ": pid %" G_GINT64_FORMAT, uuid,
                              (gint64) value_of (part.bytes, 1));
      append_text_field (self, part.bytes, 6, "");
      append_text_field (self, part.bytes, 8, " label");
      append_unknown (self, part.bytes, of_process, G_N_ELEMENTS (of_process));
    }
  else if (find_field (track, 4, &part))
    {
      g_string_append_printf (self->text, "thread %" G_GUINT64_FORMAT ": pid %" G_GINT64_FORMAT, uuid,
                              (gint64) value_of (part.bytes, 1));
      g_string_append_printf (self->text, " tid %" G_GINT64_FORMAT, (gint64) value_of (part.bytes, 2));
      append_text_field (self, part.bytes, 5, "");
      append_unknown (self, part.bytes, of_thread, G_N_ELEMENTS (of_thread));
    }
  else if (find_field (track, 8, &part))
    {
      g_string_append_printf (self->text, "counter %" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT ":", uuid,
                              value_of (track, 5));
      append_text_field (self, track, 2, "");
      append_text_field (self, part.bytes, 6, " unit");
      append_unknown (self, part.bytes, of_counter, G_N_ELEMENTS (of_counter));
    }
  else if (uuid == 0)
    g_string_append (self->text, "root");
  else
    {
      g_string_append_printf (self->text, "track %" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT ":", uuid,
                              value_of (track, 5));
      append_text_field (self, track, 2, "");
    }
}

static void
append_track (Decoder *self, Message track)
{
  static const guint64 known[] = { 1, 2, 3, 4, 5, 8, 11, 12, 15, 19, 20 };
  Field field;

  append_track_kind (self, track);
  if (find_field (track, 12, &field))
    g_string_append_printf (self->text, " rank %" G_GINT64_FORMAT, (gint64) field.value);
  if (value_of (track, 11) == 3)
    g_string_append (self->text, " explicit");
  if (value_of (track, 15) == 2)
    g_string_append (self->text, " unmerged");
  if (value_of (track, 19) == 1)
    g_string_append (self->text, " processes explicit");
  if (value_of (track, 20) == 1)
    g_string_append (self->text, " threads explicit");
  append_unknown (self, track, known, G_N_ELEMENTS (known));
}

static void
append_attributes (Decoder *self, Message attributes)
{
  Field attribute, field;

  g_string_append (self->text, "attribute");
  while (next_field (&attributes, &attribute))
    {
      append_text_field (self, attribute.bytes, 1, "");
      append_text_field (self, attribute.bytes, 3, "");
      if (find_field (attribute.bytes, 2, &field))
        g_string_append_printf (self->text, " %" G_GINT64_FORMAT, (gint64) field.value);
    }
}

static void
append_packet (Decoder *self, Message packet)
{
  static const guint64 known[] = { 8, 10, 11, 12, 13, 60, 87, 126 };
  guint64 flags = value_of (packet, 13);
  Field field;

  g_assert_cmpuint (value_of (packet, 10), !=, 0);
  if (find_field (packet, 12, &field))
    {
      g_assert_cmpuint (flags, !=, 0);
      define_texts (self, field.bytes);
    }
  if (find_field (packet, 11, &field))
    append_event (self, packet, field.bytes);
  else if (find_field (packet, 60, &field))
    append_track (self, field.bytes);
  else if (find_field (packet, 126, &field))
    append_attributes (self, field.bytes);
  if ((flags & 1) != 0)
    g_string_append (self->text, " cleared");
  if (value_of (packet, 87) != 0)
    g_string_append (self->text, " first");
  append_unknown (self, packet, known, G_N_ELEMENTS (known));
  g_string_append_c (self->text, '\n');
}

char *
perfetto_decode (const guint8 *bytes, gsize len)
{
  Decoder self = { .text = g_string_new (NULL) };
  Message trace = { bytes, bytes + len };
  Field packet;

  for (guint i = 0; i < N_TABLES; i++)
    self.tables[i] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  while (next_field (&trace, &packet))
    {
      g_assert_cmpuint (packet.number, ==, 1);
      append_packet (&self, packet.bytes);
    }
  for (guint i = 0; i < N_TABLES; i++)
    g_hash_table_unref (self.tables[i]);
  return g_string_free (self.text, FALSE);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/args.h"

#include "src/base/digits.h"

#include <string.h>

/* Text, then a number; the last has no number. */
typedef struct
{
  char *text;
  gsize len;
  guint value;
} Piece;

struct _TtNeutrinoArgs
{
  char *const *keys;
  GArray *pieces;   /* of Piece */
  GString *between; /* text since the last number */
  gboolean wants_shared;
  gsize most; /* bytes that all can take */
  char *buffer;
};

static void
clear_piece (gpointer data)
{
  g_free (((Piece *) data)->text);
}

TtNeutrinoArgs *
tt_neutrino_args_new (char *const *keys)
{
  TtNeutrinoArgs *self = g_new0 (TtNeutrinoArgs, 1);

  self->keys = keys;
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  self->between = g_string_new ("{");
  self->wants_shared = tt_neutrino_wants_key (keys, "shared");
  return self;
}

void
tt_neutrino_args_free (TtNeutrinoArgs *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pieces);
  g_string_free (self->between, TRUE);
  g_free (self->buffer);
  g_free (self);
}

gboolean
tt_neutrino_wants_key (char *const *keys, const char *key)
{
  return keys == NULL || g_strv_contains ((const char *const *) keys, key);
}

void
tt_neutrino_json_string (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      g_string_append_printf (json, "\\%c", *text);
    else if ((guint8) *text < 0x20 || *text == 0x7f)
      g_string_append_printf (json, "\\u%04x", (guint8) *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

gboolean
tt_neutrino_args_add (TtNeutrinoArgs *self, const char *key, guint value, guint n)
{
  if (!tt_neutrino_wants_key (self->keys, key))
    return FALSE;
  if (self->pieces->len > 0)
    g_string_append_c (self->between, ',');
  tt_neutrino_json_string (self->between, key);
  g_string_append (self->between, n > 1 ? ":[" : ":");
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (self->between, ',');
      const Piece piece = { g_strdup (self->between->str), self->between->len, value + i };
      g_array_append_val (self->pieces, piece);
      self->most += piece.len + TT_MOST_DIGITS;
      g_string_truncate (self->between, 0);
    }
  if (n > 1)
    g_string_append_c (self->between, ']');
  self->buffer = g_realloc (self->buffer, self->most + 32);
  return TRUE;
}

gboolean
tt_neutrino_args_is_empty (const TtNeutrinoArgs *self)
{
  return self->pieces->len == 0;
}

guint64
tt_neutrino_args_put (TtNeutrinoArgs *self, TtSink *sink, const guint64 *values, gboolean with_shared)
{
  static const char shared[] = ",\"shared\":true";
  char *at = self->buffer;

  if (self->pieces->len == 0)
    return 0;
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);
      memcpy (at, piece->text, piece->len);
      at = tt_put_decimal (at + piece->len, values[piece->value]);
    }
  for (gsize i = 0; i < self->between->len; i++)
    *at++ = self->between->str[i];
  if (with_shared && self->wants_shared)
    {
      memcpy (at, shared, sizeof shared - 1);
      at += sizeof shared - 1;
    }
  *at++ = '}';
  return tt_sink_args (sink, self->buffer, (gsize) (at - self->buffer));
}

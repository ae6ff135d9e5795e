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
  gboolean takes_forms;
  const TtArgsForm *forms[2]; /* without and with `shared`; NULL: not made yet */
  gsize n_fixed[2];           /* bytes of a text but for its digits */
};

static const char shared_text[] = ",\"shared\":true";

static void
clear_piece (gpointer data)
{
  g_free (((Piece *) data)->text);
}

TtNeutrinoArgs *
tt_neutrino_args_new (char *const *keys, gboolean takes_forms)
{
  TtNeutrinoArgs *self = g_new0 (TtNeutrinoArgs, 1);

  self->keys = keys;
  self->takes_forms = takes_forms;
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

/* -- as numbers of a form ------------------------------------------------------------------------------------ */

static void
append_format (GString *format, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append (format, *text == '%' ? "%%" : (char[2]){ *text });
}

static const TtArgsForm *
find_form (TtNeutrinoArgs *self, TtSink *sink, gboolean with_shared)
{
  g_autoptr (GString) format = g_string_new (NULL);
  gsize n_fixed = self->between->len + 1;

  if (G_LIKELY (self->forms[with_shared] != NULL))
    return self->forms[with_shared];
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);
      append_format (format, piece->text);
      g_string_append (format, "%d");
      n_fixed += piece->len;
    }
  append_format (format, self->between->str);
  g_string_append_printf (format, "%s}", with_shared ? shared_text : "");
  self->n_fixed[with_shared] = n_fixed + (with_shared ? sizeof shared_text - 1 : 0);
  self->forms[with_shared] = tt_sink_args_form (sink, format->str, self->pieces->len);
  return self->forms[with_shared];
}

/* FALSE: a number is too large for it, there are too many, or names are so long that these arguments stay texts. */
static gboolean
put_numbers (TtNeutrinoArgs *self, TtSink *sink, const guint64 *values, gboolean with_shared, guint64 *args)
{
  const guint n = self->pieces->len;
  gint64 numbers[TT_ARGS_FORM_MOST_NUMBERS];
  gsize n_digits = 0;

  if (n > G_N_ELEMENTS (numbers) || self->most + self->between->len + sizeof shared_text > TT_ARGS_FORM_MOST_BYTES)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const guint64 value = values[g_array_index (self->pieces, Piece, i).value];

      if (value >= (guint64) TT_ARGS_FORM_DECIMAL_END)
        return FALSE;
      numbers[i] = (gint64) value;
      n_digits += tt_count_decimals (value);
    }
  const TtArgsForm *form = find_form (self, sink, with_shared);
  *args = tt_sink_filled_args (sink, form, numbers, self->n_fixed[with_shared] + n_digits);
  return TRUE;
}

/* -- as a text ------------------------------------------------------------------------------------------------ */

guint64
tt_neutrino_args_put (TtNeutrinoArgs *self, TtSink *sink, const guint64 *values, gboolean with_shared)
{
  char *at = self->buffer;
  guint64 args;

  if (self->pieces->len == 0)
    return 0;
  with_shared = with_shared && self->wants_shared;
  if (self->takes_forms && put_numbers (self, sink, values, with_shared, &args))
    return args;
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);
      memcpy (at, piece->text, piece->len);
      at = tt_put_decimal (at + piece->len, values[piece->value]);
    }
  for (gsize i = 0; i < self->between->len; i++)
    *at++ = self->between->str[i];
  if (with_shared)
    {
      memcpy (at, shared_text, sizeof shared_text - 1);
      at += sizeof shared_text - 1;
    }
  *at++ = '}';
  return tt_sink_args (sink, self->buffer, (gsize) (at - self->buffer));
}

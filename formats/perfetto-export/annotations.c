/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/annotations.h"

#include "formats/chrome-export/arg-keys.h"
#include "formats/json/scanner.h"
#include "formats/trace-event/own-args.h"

#include <math.h>

#define KEY_IID 1
#define KEY 10
#define BOOL_VALUE 2
#define INT_VALUE 4
#define DOUBLE_VALUE 5
#define TEXT_VALUE 6
#define VALUE_IID 17

/* Readers of protocol buffers follow 100 messages within another, and a few are around these. */
#define MAX_DEPTH 64

void
tt_perfetto_args_init (PerfettoArgs *self, PerfettoInterned *interned)
{
  *self = (PerfettoArgs){ .interned = interned, .field = PERFETTO_EVENT_ANNOTATIONS, .scratch = g_string_new (NULL) };
}

void
tt_perfetto_args_clear (PerfettoArgs *self)
{
  g_clear_pointer (&self->bytes.bytes, g_free);
  g_string_free (self->scratch, TRUE);
}

/* -- arguments of ours --------------------------------------------------------------------------------- */

static gsize
begin (PerfettoArgs *self, guint64 key)
{
  gsize at = tt_wire_open (&self->bytes, self->field);

  tt_wire_add_varint (&self->bytes, KEY_IID, key);
  return at;
}

static void
add_text (PerfettoArgs *self, const char *text, gsize len)
{
  guint64 iid = tt_perfetto_intern_value (self->interned, text, len);

  if (iid != 0)
    tt_wire_add_varint (&self->bytes, VALUE_IID, iid);
  else
    tt_wire_add_text (&self->bytes, TEXT_VALUE, text, len);
}

void
tt_perfetto_add_int (PerfettoArgs *self, guint64 key, gint64 value)
{
  gsize at = begin (self, key);

  tt_wire_add_varint (&self->bytes, INT_VALUE, (guint64) value);
  tt_wire_close (&self->bytes, at);
}

void
tt_perfetto_add_bool (PerfettoArgs *self, guint64 key, gboolean value)
{
  gsize at = begin (self, key);

  tt_wire_add_varint (&self->bytes, BOOL_VALUE, value ? 1 : 0);
  tt_wire_close (&self->bytes, at);
}

void
tt_perfetto_add_text (PerfettoArgs *self, guint64 key, const char *text)
{
  gsize at = begin (self, key);

  add_text (self, text, strlen (text));
  tt_wire_close (&self->bytes, at);
}

void
tt_perfetto_add_value (PerfettoArgs *self, guint64 key, guint64 value)
{
  gsize at = begin (self, key);

  tt_wire_add_varint (&self->bytes, VALUE_IID, value);
  tt_wire_close (&self->bytes, at);
}

void
tt_perfetto_add_array (PerfettoArgs *self, guint64 key, const WireBytes *items)
{
  gsize at = begin (self, key);
  guint8 *to = tt_wire_reserve (&self->bytes, items->len);

  tt_wire_end (&self->bytes, tt_wire_put_bytes (to, items->bytes, items->len));
  tt_wire_close (&self->bytes, at);
}

/* -- JSON ------------------------------------------------------------------------------------------------ */

static void
add_key (PerfettoArgs *self, const char *key, gsize len)
{
  guint64 iid = tt_perfetto_intern_key (self->interned, key, len);

  if (iid != 0)
    tt_wire_add_varint (&self->bytes, KEY_IID, iid);
  else
    tt_wire_add_text (&self->bytes, KEY, key, len);
}

static TtSlice
unescaped (PerfettoArgs *self, const TtJsonValue *string)
{
  if (!string->has_escapes)
    return string->raw;
  g_string_truncate (self->scratch, 0);
  tt_json_unescape (string, self->scratch, NULL);
  return (TtSlice){ self->scratch->str, self->scratch->len };
}

/* FALSE: it is no number that a double holds, such as NaN and 1e999. */
static gboolean
add_real (PerfettoArgs *self, const TtJsonValue *value)
{
  char *end;

  g_string_truncate (self->scratch, 0);
  g_string_append_len (self->scratch, value->raw.bytes, (gssize) value->raw.len);
  double real = g_ascii_strtod (self->scratch->str, &end);
  if (end == self->scratch->str || *end != '\0' || !isfinite (real))
    return FALSE;
  tt_wire_add_double (&self->bytes, DOUBLE_VALUE, real);
  return TRUE;
}

static gboolean
is_whole (TtSlice number)
{
  for (gsize i = 0; i < number.len; i++)
    if (!g_ascii_isdigit (number.bytes[i]) && !(i == 0 && number.bytes[i] == '-'))
      return FALSE;
  return TRUE;
}

static void
add_number (PerfettoArgs *self, const TtJsonValue *value)
{
  gint64 whole;

  /* Perfetto shows unsigned values beyond 63 bits as negative ones: their text is right. */
  if (is_whole (value->raw) && tt_json_int64 (value, &whole))
    tt_wire_add_varint (&self->bytes, INT_VALUE, (guint64) whole);
  else if (is_whole (value->raw) || !add_real (self, value))
    tt_wire_add_text (&self->bytes, TEXT_VALUE, value->raw.bytes, value->raw.len);
}

static void add_value (PerfettoArgs *self, const TtJsonValue *value, guint depth);

static void
add_object (PerfettoArgs *self, TtSlice object, guint depth)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gsize before = self->bytes.len;

  while (tt_json_member (object, &cursor, &key, &value))
    {
      gsize at = tt_wire_open (&self->bytes, PERFETTO_DICT_ENTRIES);
      TtSlice text = unescaped (self, &key);

      add_key (self, text.bytes, text.len);
      add_value (self, &value, depth + 1);
      tt_wire_close (&self->bytes, at);
    }
  if (self->bytes.len == before)
    tt_wire_add_bytes (&self->bytes, TEXT_VALUE, "{}", 2);
}

static void
add_array (PerfettoArgs *self, TtSlice array, guint depth)
{
  const char *cursor = NULL;
  TtJsonValue value;
  gsize before = self->bytes.len;

  while (tt_json_item (array, &cursor, &value))
    {
      gsize at = tt_wire_open (&self->bytes, PERFETTO_ARRAY_VALUES);

      add_value (self, &value, depth + 1);
      tt_wire_close (&self->bytes, at);
    }
  if (self->bytes.len == before)
    tt_wire_add_bytes (&self->bytes, TEXT_VALUE, "[]", 2);
}

static void
add_value (PerfettoArgs *self, const TtJsonValue *value, guint depth)
{
  TtSlice text;

  switch (value->kind)
    {
    case TT_JSON_OBJECT:
    case TT_JSON_ARRAY:
      if (depth == MAX_DEPTH)
        tt_wire_add_text (&self->bytes, TEXT_VALUE, value->raw.bytes, value->raw.len);
      else if (value->kind == TT_JSON_OBJECT)
        add_object (self, value->raw, depth);
      else
        add_array (self, value->raw, depth);
      break;
    case TT_JSON_STRING:
      text = unescaped (self, value);
      add_text (self, text.bytes, text.len);
      break;
    case TT_JSON_NUMBER:
      add_number (self, value);
      break;
    case TT_JSON_TRUE:
    case TT_JSON_FALSE:
      tt_wire_add_varint (&self->bytes, BOOL_VALUE, value->kind == TT_JSON_TRUE);
      break;
    case TT_JSON_NULL:
    case TT_JSON_NONE:
      tt_wire_add_bytes (&self->bytes, TEXT_VALUE, "null", 4);
      break;
    }
}

static void
add_member (PerfettoArgs *self, TtSlice key, const TtJsonValue *value)
{
  gsize at = tt_wire_open (&self->bytes, self->field);

  if (G_UNLIKELY (tt_is_own_arg (key.bytes, key.len)))
    {
      g_autofree char *prefixed = g_strdup_printf (TT_OWN_ARG_PREFIX "%.*s", (int) key.len, key.bytes);
      add_key (self, prefixed, strlen (prefixed));
    }
  else
    add_key (self, key.bytes, key.len);
  add_value (self, value, 0);
  tt_wire_close (&self->bytes, at);
}

void
tt_perfetto_add_json (PerfettoArgs *self, const char *json, gsize len)
{
  TtSlice object = { json, len }, text;
  const char *cursor = NULL;
  TtJsonValue key, value;
  ChromeArgKeys keys;

  while (object.len > 0 && g_ascii_isspace (*object.bytes))
    {
      object.bytes++;
      object.len--;
    }
  tt_chrome_arg_keys_init (&keys);
  while (tt_json_member (object, &cursor, &key, &value))
    if (tt_chrome_arg_keys_add (&keys, key.raw, &text))
      add_member (self, text, &value);
  tt_chrome_arg_keys_clear (&keys);
}

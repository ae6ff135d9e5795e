/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/args-keeper.h"

#include <string.h>

void
tt_args_keeper_init (TtArgsKeeper *self, TtSink *sink, char *const *wanted)
{
  *self = (TtArgsKeeper){ .sink = sink, .wanted = wanted, .kept = g_string_new (NULL), .clean = g_string_new (NULL) };
}

void
tt_args_keeper_clear (TtArgsKeeper *self)
{
  if (self->kept != NULL)
    g_string_free (self->kept, TRUE);
  if (self->clean != NULL)
    g_string_free (self->clean, TRUE);
  *self = (TtArgsKeeper){ 0 };
}

static gboolean
is_empty_object (TtSlice text)
{
  for (gsize i = 1; i + 1 < text.len; i++)
    if (!g_ascii_isspace (text.bytes[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_wanted (char *const *wanted, TtSlice key)
{
  if (wanted == NULL)
    return TRUE;
  for (guint i = 0; wanted[i] != NULL; i++)
    if (tt_slice_is (key, wanted[i], strlen (wanted[i])))
      return TRUE;
  return FALSE;
}

/* Whether there is a byte that no ASCII text has. */
static gboolean
has_high_bytes (TtSlice text)
{
  const char *p = text.bytes, *end = p + text.len;
  guint64 all = 0, words[4];

  for (; end - p >= (gssize) sizeof words; p += sizeof words)
    {
      memcpy (words, p, sizeof words);
      all |= (words[0] | words[1]) | (words[2] | words[3]);
    }
  for (; p < end; p++)
    all |= (guint8) *p;
  return (all & G_GUINT64_CONSTANT (0x8080808080808080)) != 0;
}

/* What is kept is strict JSON in UTF-8: other programs do not mend it as our scanner does. */
static guint64
keep_text (TtArgsKeeper *self, const TtTraceEvent *event, TtSlice args)
{
  gboolean is_text = !has_high_bytes (args) || g_utf8_validate_len (args.bytes, args.len, NULL);

  if (G_LIKELY ((event->has & TT_EVENT_IS_MENDED) == 0 && is_text))
    return tt_sink_args (self->sink, args.bytes, args.len);
  if (!is_text)
    tt_sink_repair (self->sink, TT_REPAIR_JSON_TEXT, event->args.offset);
  g_string_truncate (self->clean, 0);
  tt_json_clean (args, self->clean);
  return tt_sink_args (self->sink, self->clean->str, self->clean->len);
}

/* A member as it stands in the file, from the key that the filter has left. */
static void
append_member (GString *to, const TtJsonValue *key, const TtJsonValue *value)
{
  const char *end = value->raw.bytes + value->raw.len + (value->kind == TT_JSON_STRING);

  g_string_append (to, to->len > 1 ? ",\"" : "\"");
  g_string_append_len (to, key->raw.bytes, end - key->raw.bytes);
}

/* The begin of the arguments of an instant that marks more than its thread; NULL: of another event. */
static const char *
wide_scope (const TtArgsKeeper *self, const TtTraceEvent *event)
{
  static const TtSlice key = { "scope", 5 };
  gboolean is_instant = event->ph == 'i' || event->ph == 'I' || event->ph == 'R';

  if (G_LIKELY (!is_instant || event->scope.kind != TT_JSON_STRING) || !is_wanted (self->wanted, key))
    return NULL;
  if (TT_SLICE_IS (event->scope.raw, "g"))
    return "{\"scope\":\"g\"";
  return TT_SLICE_IS (event->scope.raw, "p") ? "{\"scope\":\"p\"" : NULL;
}

guint64
tt_args_keeper_keep_with (TtArgsKeeper *self, const TtTraceEvent *event, TtArgFilter filter, gpointer data)
{
  GString *kept = self->kept;
  const char *cursor = NULL, *scope = wide_scope (self, event);
  TtJsonValue key, value;

  if ((event->args.kind != TT_JSON_OBJECT && scope == NULL) || (self->wanted != NULL && self->wanted[0] == NULL))
    return 0;
  g_string_assign (kept, scope != NULL ? scope : "{");
  while (event->args.kind == TT_JSON_OBJECT && tt_json_member (event->args.raw, &cursor, &key, &value))
    if ((scope == NULL || !TT_JSON_KEY_IS (key, "scope")) && (filter == NULL || filter (&key, data)) &&
        is_wanted (self->wanted, key.raw))
      append_member (kept, &key, &value);
  if (kept->len == 1)
    return 0;
  g_string_append_c (kept, '}');
  return keep_text (self, event, (TtSlice){ kept->str, kept->len });
}

static guint64
keep_odd_args (TtArgsKeeper *self, const TtTraceEvent *event)
{
  static const TtSlice key = { "args", 4 };
  const char *quote = event->args.kind == TT_JSON_STRING ? "\"" : "";

  tt_sink_repair (self->sink, TT_REPAIR_BAD_ARGUMENTS, event->offset);
  if (!is_wanted (self->wanted, key))
    return 0;
  g_string_assign (self->kept, "{\"args\":");
  g_string_append (self->kept, quote);
  g_string_append_len (self->kept, event->args.raw.bytes, (gssize) event->args.raw.len);
  g_string_append (self->kept, quote);
  g_string_append_c (self->kept, '}');
  return keep_text (self, event, (TtSlice){ self->kept->str, self->kept->len });
}

guint64
tt_args_keeper_keep (TtArgsKeeper *self, const TtTraceEvent *event)
{
  gboolean has_args = event->args.kind != TT_JSON_NONE && event->args.kind != TT_JSON_NULL;

  if (G_UNLIKELY (has_args && event->args.kind != TT_JSON_OBJECT))
    return keep_odd_args (self, event);
  if (G_UNLIKELY (wide_scope (self, event) != NULL))
    return tt_args_keeper_keep_with (self, event, NULL, NULL);
  if (!has_args)
    return 0;
  if (is_empty_object (event->args.raw))
    return 0;
  if (G_UNLIKELY (self->wanted != NULL))
    return tt_args_keeper_keep_with (self, event, NULL, NULL);
  return keep_text (self, event, event->args.raw);
}

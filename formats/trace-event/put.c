#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/put.h"

#include <string.h>
#include <xxhash.h>

/* What each kind of event becomes. */

/* -- arguments --------------------------------------------------------------------------------------- */

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
  guint64 all = 0, word;

  for (; end - p >= 8; p += 8)
    {
      memcpy (&word, p, sizeof word);
      all |= word;
    }
  for (; p < end; p++)
    all |= (guint8) *p;
  return (all & G_GUINT64_CONSTANT (0x8080808080808080)) != 0;
}

/* Other programs read them with less patience than we do. */
static guint64
keep_args (TtChromeImport *self, const TtTraceEvent *event, TtSlice args)
{
  gboolean is_text = !has_high_bytes (args) || g_utf8_validate_len (args.bytes, args.len, NULL);

  if (G_LIKELY ((event->has & TT_EVENT_IS_MENDED) == 0 && is_text))
    return tt_sink_args (self->sink, args.bytes, args.len);
  if (!is_text)
    tt_sink_repair (self->sink, TT_REPAIR_JSON_TEXT, event->args.offset);
  g_string_truncate (self->text, 0);
  tt_json_clean (args, self->text);
  return tt_sink_args (self->sink, self->text->str, self->text->len);
}

/* A member as it stands in the file, from the key that the filter has left. */
static void
append_member (GString *to, const TtJsonValue *key, const TtJsonValue *value)
{
  const char *end = value->raw.bytes + value->raw.len + (value->kind == TT_JSON_STRING);

  g_string_append (to, to->len > 1 ? ",\"" : "\"");
  g_string_append_len (to, key->raw.bytes, end - key->raw.bytes);
}

guint64
tt_chrome_import_args_with (TtChromeImport *self, const TtTraceEvent *event, TtArgFilter filter, gpointer data)
{
  GString *kept = self->scratch;
  const char *cursor = NULL;
  TtJsonValue key, value;

  if (event->args.kind != TT_JSON_OBJECT || (self->options->args != NULL && self->options->args[0] == NULL))
    return 0;
  g_string_assign (kept, "{");
  while (tt_json_member (event->args.raw, &cursor, &key, &value))
    if ((filter == NULL || filter (&key, data)) && is_wanted (self->options->args, key.raw))
      append_member (kept, &key, &value);
  if (kept->len == 1)
    return 0;
  g_string_append_c (kept, '}');
  return keep_args (self, event, (TtSlice){ kept->str, kept->len });
}

static guint64
odd_args (TtChromeImport *self, const TtTraceEvent *event)
{
  static const TtSlice key = { "args", 4 };
  const char *quote = event->args.kind == TT_JSON_STRING ? "\"" : "";

  tt_sink_repair (self->sink, TT_REPAIR_BAD_ARGUMENTS, event->offset);
  if (!is_wanted (self->options->args, key))
    return 0;
  g_string_assign (self->scratch, "{\"args\":");
  g_string_append (self->scratch, quote);
  g_string_append_len (self->scratch, event->args.raw.bytes, (gssize) event->args.raw.len);
  g_string_append (self->scratch, quote);
  g_string_append_c (self->scratch, '}');
  return keep_args (self, event, (TtSlice){ self->scratch->str, self->scratch->len });
}

guint64
tt_chrome_import_args (TtChromeImport *self, const TtTraceEvent *event)
{
  if (event->args.kind == TT_JSON_NONE || event->args.kind == TT_JSON_NULL)
    return 0;
  if (G_UNLIKELY (event->args.kind != TT_JSON_OBJECT))
    return odd_args (self, event);
  if (is_empty_object (event->args.raw))
    return 0;
  if (G_UNLIKELY (self->options->args != NULL))
    return tt_chrome_import_args_with (self, event, NULL, NULL);
  return keep_args (self, event, event->args.raw);
}

/* -- who belongs together ---------------------------------------------------------------------------- */

static guint64
with_part (guint64 key, TtSlice part)
{
  return XXH3_64bits_withSeed (part.bytes, part.len, key);
}

/* Ids are the whole trace's, but for {"local": ..}, which is the process'. Without a seed: the same input gives the
 * same rows. */
static guint64
key_of (TtChromeImport *self, const TtTraceEvent *event, guint32 process, const char *kind, gboolean with_name)
{
  TtJsonValue id = event->id;
  guint32 owner = 0;

  if (event->id2.kind == TT_JSON_OBJECT)
    {
      id = tt_json_get (event->id2.raw, "local");
      owner = id.kind == TT_JSON_NONE ? 0 : process;
      if (id.kind == TT_JSON_NONE)
        id = tt_json_get (event->id2.raw, "global");
    }
  if (id.kind == TT_JSON_NONE)
    tt_sink_repair (self->sink, TT_REPAIR_NO_EVENT_ID, event->offset);

  guint64 key = with_part (owner, (TtSlice){ kind, strlen (kind) });
  key = with_part (key, event->cat.raw);
  key = with_part (key, id.raw);
  key = with_part (key, event->scope.raw);
  return with_name ? with_part (key, event->name.raw) : key;
}

/* -- kinds ------------------------------------------------------------------------------------------- */

static guint32
flow_kind (TtChromeImport *self, const TtTraceEvent *event)
{
  const TtJsonValue *text = event->cat.raw.len > 0 ? &event->cat : &event->name;
  const TtByteKey key = { .salt = TT_SALT_FLOW, .a = text->raw };
  guint64 hash;
  guint32 kind = tt_byte_ids_find (self->names, &key, &hash);

  if (kind == 0)
    {
      kind = tt_arrange_flow_kind (self->arrange, tt_chrome_import_text (self, text)) + 1;
      tt_byte_ids_set (self->names, &key, hash, kind);
    }
  return kind - 1;
}

static void
put_flow (TtChromeImport *self, const TtTraceEvent *event, const TtHappening *happening)
{
  TtFlowPhase phase = event->ph == 's' ? TT_FLOW_START : event->ph == 't' ? TT_FLOW_STEP : TT_FLOW_END;
  gboolean binds_to_next = event->ph == 'f' && (event->has & TT_EVENT_BINDS_ENCLOSING) == 0;
  guint64 key;

  if (!self->flows_are_numbered || !tt_json_uint64 (&event->id, &key))
    key = key_of (self, event, happening->process, "flow", TRUE);
  tt_arrange_flow (self->arrange, happening, flow_kind (self, event), key, phase, binds_to_next);
}

gboolean
tt_chrome_locate (TtChromeImport *self, const TtTraceEvent *event, TtHappening *happening)
{
  gint64 ts_ns = event->ts_ns, dur_ns = event->dur_ns, end_ns;

  if (G_UNLIKELY (self->is_ticks))
    {
      ts_ns /= 1000;
      dur_ns /= 1000;
    }
  if (G_UNLIKELY ((event->has & TT_EVENT_HAS_TS) == 0 || __builtin_add_overflow (ts_ns, self->shift_ns, &ts_ns) ||
                  __builtin_add_overflow (ts_ns, dur_ns, &end_ns)))
    {
      tt_sink_repair (self->sink, TT_REPAIR_NO_TIME, event->offset);
      return FALSE;
    }
  happening->process = tt_chrome_import_process (self, event);
  happening->thread = tt_chrome_import_thread (self, event, happening->process);
  happening->ts_ns = ts_ns;
  happening->dur_ns = dur_ns;
  happening->offset = event->offset;
  return TRUE;
}

/* An asynchronous span that was made a complete one: nests with others of its line in the viewer. */
static void
put_async_span (TtChromeImport *self, const TtTraceEvent *event, const TtHappening *span)
{
  guint64 key = with_part (with_part (span->process, event->tid.raw), (TtSlice){ "line", 4 });
  TtHappening end = *span;

  end.args = 0;
  end.ts_ns = span->ts_ns + MAX (span->dur_ns, 0);
  tt_arrange_async_begin (self->arrange, span, key);
  tt_arrange_async_end (self->arrange, &end, key);
}

static void
put_event (TtChromeImport *self, const TtTraceEvent *event, TtHappening *happening)
{
  if (!tt_chrome_locate (self, event, happening))
    return;
  switch (event->ph)
    {
    case 'X':
      if (G_UNLIKELY (happening->flags & TT_FLAG_ASYNC))
        put_async_span (self, event, happening);
      else
        tt_arrange_span (self->arrange, happening);
      break;
    case 'B':
      tt_arrange_begin (self->arrange, happening);
      break;
    case 'E':
      tt_arrange_end (self->arrange, happening);
      break;
    case 'b':
      tt_arrange_async_begin (self->arrange, happening, key_of (self, event, happening->process, "async", FALSE));
      break;
    case 'e':
      tt_arrange_async_end (self->arrange, happening, key_of (self, event, happening->process, "async", FALSE));
      break;
    case 'S':
      tt_arrange_async_begin (self->arrange, happening, key_of (self, event, happening->process, "legacy", FALSE));
      break;
    case 'F':
      tt_arrange_async_end (self->arrange, happening, key_of (self, event, happening->process, "legacy", FALSE));
      break;
    case 'n':
    case 'T':
    case 'p':
      happening->flags |= TT_FLAG_ASYNC;
      tt_arrange_instant (self->arrange, happening);
      break;
    default:
      tt_arrange_instant (self->arrange, happening);
    }
}

static gboolean
is_skipped (char ph)
{
  return strchr ("NODPVvc()=,", ph) != NULL;
}

void
tt_chrome_import_put_as (TtChromeImport *self, const TtTraceEvent *event, const TtHappening *happening)
{
  TtHappening place = *happening;

  switch (event->ph)
    {
    case 'X':
    case 'B':
    case 'E':
    case 'b':
    case 'e':
    case 'S':
    case 'F':
    case 'n':
    case 'T':
    case 'p':
    case 'i':
    case 'I':
    case 'R':
      put_event (self, event, &place);
      break;
    case 's':
    case 't':
    case 'f':
      if (tt_chrome_locate (self, event, &place))
        put_flow (self, event, &place);
      break;
    case 'C':
      if (tt_chrome_locate (self, event, &place))
        tt_chrome_put_counter (self, event, &place, TRUE);
      break;
    case 'M':
      tt_chrome_put_metadata (self, event);
      break;
    default:
      tt_sink_repair (self->sink, is_skipped (event->ph) ? TT_REPAIR_SKIPPED_KIND : TT_REPAIR_UNKNOWN_KIND,
                      event->offset);
    }
}

gboolean
tt_chrome_is_event (char ph)
{
  return ph != '\0' && strchr ("XBEbeSFnTpiIR", ph) != NULL;
}

void
tt_chrome_import_put (TtChromeImport *self, const TtTraceEvent *event, guint32 name, gint32 step, guint32 tag)
{
  TtHappening happening = { .name = name, .step = step, .tag = tag };

  if (tt_chrome_is_event (event->ph))
    happening.args = tt_chrome_import_args (self, event);
  tt_chrome_import_put_as (self, event, &happening);
}

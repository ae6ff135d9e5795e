/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/rows.h"

#include <math.h>
#include <string.h>

/* Counters and metadata. */

#define MAX_HEADER ((gsize) 16384)
#define MAX_HEADER_BYTES ((gsize) 1 << 20) /* before the first process is known */
#define MAX_NUMBER 400

/* -- counters ---------------------------------------------------------------------------------------- */

typedef struct
{
  gboolean is_real;
  gint64 integer;
  double real;
} Number;

static gboolean
read_number (const TtJsonValue *value, Number *number)
{
  char text[MAX_NUMBER + 1], *end;

  if (value->kind == TT_JSON_TRUE || value->kind == TT_JSON_FALSE)
    {
      *number = (Number){ .integer = value->kind == TT_JSON_TRUE };
      return TRUE;
    }
  if ((value->kind != TT_JSON_NUMBER && value->kind != TT_JSON_STRING) || value->raw.len == 0 ||
      value->raw.len > MAX_NUMBER)
    return FALSE;
  *number = (Number){ 0 };
  if (tt_json_int64 (value, &number->integer))
    return TRUE;

  memcpy (text, value->raw.bytes, value->raw.len);
  text[value->raw.len] = '\0';
  number->is_real = TRUE;
  number->real = g_ascii_strtod (text, &end);
  return *end == '\0' && isfinite (number->real);
}

/* The value's name in a viewer: "counter", "counter[id]", "counter/key". */
static guint32
find_series (TtTraceEventImport *self,
             const TtTraceEvent *event,
             const TtJsonValue *id,
             const TtJsonValue *key,
             gboolean is_only)
{
  gboolean is_plain = is_only && (self->counters_have_units || TT_JSON_KEY_IS (*key, "value") ||
                                  tt_slice_is (key->raw, event->name.raw.bytes, event->name.raw.len));
  gboolean has_id = id->kind == TT_JSON_STRING || id->kind == TT_JSON_NUMBER;
  const TtByteKey where = { .salt = is_plain ? TT_SALT_PLAIN_SERIES : TT_SALT_SERIES,
                            .a = event->name.raw,
                            .b = key->raw };
  guint64 hash = 0;
  guint32 series = has_id ? 0 : tt_byte_ids_find (self->names, &where, &hash);

  if (series != 0)
    return series;
  g_autoptr (GString) name = g_string_new (tt_trace_event_text (self, &event->name));
  if (has_id)
    g_string_append_printf (name, "[%s]", tt_trace_event_text (self, id));
  if (!is_plain)
    g_string_append_printf (name, "/%s", tt_trace_event_text (self, key));
  g_autofree char *unit =
      self->counters_have_units && !TT_JSON_KEY_IS (*key, "value") ? g_strdup (tt_trace_event_text (self, key)) : NULL;
  series = tt_sink_series (self->sink, name->str, unit, FALSE);
  if (!has_id)
    tt_byte_ids_set (self->names, &where, hash, series);
  return series;
}

/* -- keys that come twice: the last counts, as everywhere in JSON */

/* A table is faster than looking at the rest of the object for each key. */
#define MANY_MEMBERS 16u

/* Of an object with many members: text -> index of the one that counts. NULL: it has few. */
static GHashTable *
list_members (TtSlice object)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  guint n = 0;

  while (n < MANY_MEMBERS && tt_json_member (object, &cursor, &key, &value))
    n++;
  if (n < MANY_MEMBERS)
    return NULL;
  GHashTable *last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  cursor = NULL;
  for (guint i = 0; tt_json_member (object, &cursor, &key, &value); i++)
    g_hash_table_replace (last, tt_json_text (&key), GUINT_TO_POINTER (i));
  return last;
}

static gboolean
is_same_key (const TtJsonValue *a, const TtJsonValue *b)
{
  if (!a->has_escapes && !b->has_escapes)
    return a->raw.len == b->raw.len && memcmp (a->raw.bytes, b->raw.bytes, a->raw.len) == 0;

  g_autofree char *x = tt_json_text (a), *y = tt_json_text (b);
  return g_str_equal (x, y);
}

/* Whether @key, the member @index before @cursor, comes again. */
static gboolean
comes_again (GHashTable *last, TtSlice object, const char *cursor, const TtJsonValue *key, guint index)
{
  TtJsonValue later, value;

  if (last != NULL)
    {
      g_autofree char *text = tt_json_text (key);
      return GPOINTER_TO_UINT (g_hash_table_lookup (last, text)) != index;
    }
  while (tt_json_member (object, &cursor, &later, &value))
    if (is_same_key (key, &later))
      return TRUE;
  return FALSE;
}

static gboolean
has_one_key (TtSlice object)
{
  const char *cursor = NULL;
  TtJsonValue first, key, value;
  gboolean is_only = tt_json_member (object, &cursor, &first, &value);

  while (is_only && tt_json_member (object, &cursor, &key, &value))
    is_only = is_same_key (&first, &key);
  return is_only;
}

/* What we export was judged when it came. */
static void
add_value (TtTraceEventImport *self,
           const TtTraceRecord *at,
           const TtTraceEvent *event,
           guint32 series,
           const Number *number,
           gboolean is_own)
{
  const TtArrangeCounter counter = {
    .series = series,
    .thread = at->thread,
    .process = at->process,
    .ts_ns = at->ts_ns,
    .is_real = number->is_real,
    .integer = number->integer,
    .real = number->real,
    .offset = event->offset,
  };

  if (!is_own)
    tt_arrange_counter (self->arrange, &counter);
  else if (number->is_real)
    tt_sink_counter_real (self->sink, series, at->thread, at->ts_ns, number->real);
  else
    tt_sink_counter_int (self->sink, series, at->thread, at->ts_ns, number->integer);
}

void
tt_trace_event_add_counter (TtTraceEventImport *self,
                            const TtTraceEvent *event,
                            const TtTraceRecord *at,
                            gboolean with_id)
{
  static const TtJsonValue no_id = { 0 };
  const char *cursor = NULL;
  TtJsonValue key, value;

  if (event->args.kind != TT_JSON_OBJECT)
    {
      tt_sink_repair_of (self->sink, at->process, TT_REPAIR_BAD_COUNTER, event->offset);
      return;
    }
  gboolean is_only = has_one_key (event->args.raw);
  g_autoptr (GHashTable) last = list_members (event->args.raw);
  for (guint i = 0; tt_json_member (event->args.raw, &cursor, &key, &value); i++)
    {
      Number number;

      if (comes_again (last, event->args.raw, cursor, &key, i))
        tt_sink_repair_of (self->sink, at->process, TT_REPAIR_JSON_DUPLICATE_KEY, event->offset);
      else if (!read_number (&value, &number))
        tt_sink_repair_of (self->sink, at->process, TT_REPAIR_BAD_COUNTER, event->offset);
      else
        add_value (self, at, event, find_series (self, event, with_id ? &event->id : &no_id, &key, is_only), &number,
                   !with_id);
    }
}

/* -- messages, as our exports have them -------------------------------------------------------------- */

gboolean
tt_trace_event_add_message (TtTraceEventImport *self,
                            const TtTraceEvent *event,
                            TtSlice args,
                            const TtTraceRecord *at,
                            gint64 moved_ns)
{
  gboolean is_recv = event->ph == 'f' || (event->name.raw.len >= 4 &&
                                          memcmp (event->name.raw.bytes + event->name.raw.len - 4, "recv", 4) == 0);
  TtJsonValue tag, comm, bytes, peer;
  TtArrangeHalf half = { .is_send = !is_recv, .bytes = -1, .moved_ns = moved_ns };

  if (!TT_SLICE_IS (event->cat.raw, "message"))
    return FALSE;
  tag = tt_json_get (args, "tag");
  comm = tt_json_get (args, "comm");
  bytes = tt_json_get (args, "bytes");
  peer = tt_json_get (args, is_recv ? "src" : "dst");
  if (!tt_json_int64 (&tag, &half.tag) || !tt_json_int64 (&comm, &half.comm) || peer.kind != TT_JSON_STRING)
    return FALSE;
  if (!tt_json_int64 (&bytes, &half.bytes))
    half.bytes = -1;
  half.peer = tt_sink_process (self->sink, tt_trace_event_text (self, &peer), NULL, NULL, -1);
  tt_arrange_half (self->arrange, at, &half);
  return TRUE;
}

/* -- metadata ---------------------------------------------------------------------------------------- */

static void
add_labels (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, gboolean is_thread)
{
  TtJsonValue name = tt_json_get (event->args.raw, "name");

  if (name.kind == TT_JSON_NONE)
    return;
  if (is_thread)
    {
      guint32 thread = tt_trace_event_thread (self, event, process);
      tt_sink_label_thread (self->sink, thread, tt_trace_event_text (self, &name), -1);
    }
  else
    tt_sink_label_process (self->sink, process, tt_trace_event_text (self, &name), -1);
}

/* "key" where it is the only one or says no more than the event's name, else "event/key". */
static void
add_other (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process)
{
  guint32 thread = TT_NO_ID;
  const char *cursor = NULL;
  TtJsonValue key, value;
  gboolean is_only = has_one_key (event->args.raw);

  if (event->name.raw.len >= 6 && memcmp (event->name.raw.bytes, "thread", 6) == 0)
    thread = tt_trace_event_thread (self, event, process);
  g_autofree char *name = g_strdup (tt_trace_event_text (self, &event->name));
  while (tt_json_member (event->args.raw, &cursor, &key, &value))
    {
      g_autofree char *of = g_strdup (tt_trace_event_text (self, &key));
      g_autofree char *path = is_only ? g_strdup (name) : g_strconcat (name, "/", of, NULL);
      tt_sink_metadata (self->sink, process, thread, path, tt_trace_event_text (self, &value));
    }
}

void
tt_trace_event_add_metadata (TtTraceEventImport *self, const TtTraceEvent *event)
{
  guint32 process = tt_trace_event_process (self, event);
  gint64 order;

  if (event->args.kind != TT_JSON_OBJECT)
    {
      tt_sink_repair (self->sink, TT_REPAIR_BAD_ARGUMENTS, event->offset);
      return;
    }
  if (TT_SLICE_IS (event->name.raw, "process_name"))
    add_labels (self, event, process, FALSE);
  else if (TT_SLICE_IS (event->name.raw, "thread_name"))
    add_labels (self, event, process, TRUE);
  else if (TT_SLICE_IS (event->name.raw, "thread_sort_index"))
    {
      TtJsonValue index = tt_json_get (event->args.raw, "sort_index");
      if (tt_json_int64 (&index, &order))
        tt_sink_label_thread (self->sink, tt_trace_event_thread (self, event, process), NULL, order);
    }
  else
    add_other (self, event, process);
}

/* -- members of the outer object --------------------------------------------------------------------- */

void
tt_trace_event_add_fact (TtTraceEventImport *self, const char *key, const char *value)
{
  if (self->first_process != TT_NO_ID)
    {
      tt_sink_metadata (self->sink, self->first_process, TT_NO_ID, key, value);
      return;
    }
  self->header_bytes += strlen (key) + strlen (value);
  g_ptr_array_add (self->headers, g_strdup (key));
  g_ptr_array_add (self->headers, g_strdup (value));
}

void
tt_trace_event_add_header (TtTraceEventImport *self, const TtJsonValue *key, const TtJsonValue *value, gpointer unused)
{
  g_autofree char *name = g_strdup (tt_trace_event_text (self, key));

  if (value->raw.len > MAX_HEADER || self->header_bytes > MAX_HEADER_BYTES ||
      (value->raw.len == 0 && value->kind != TT_JSON_STRING))
    tt_sink_repair (self->sink, TT_REPAIR_LONG_HEADER, value->offset);
  else
    tt_trace_event_add_fact (self, name, tt_trace_event_text (self, value));
}

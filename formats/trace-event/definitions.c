/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"

#include <string.h>

/* Ids of processes, threads and names for what stands in the events. */

/* The salts of `lanes` are the process of a tid, and for a pid: */
#define SALT_PIDS G_GUINT64_CONSTANT (0x100000000)

#define NO_ID_TEXT "0"
#define MOST_TIDS 65536u

const char *
tt_trace_event_text (TtTraceEventImport *self, const TtJsonValue *value)
{
  g_string_truncate (self->text, 0);
  if (value->kind == TT_JSON_STRING)
    tt_json_unescape (value, self->text, &self->sink->repairs);
  else if (G_LIKELY (g_utf8_validate_len (value->raw.bytes, value->raw.len, NULL)))
    g_string_append_len (self->text, value->raw.bytes, (gssize) value->raw.len);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (value->raw.bytes, (gssize) value->raw.len);
      tt_sink_repair (self->sink, TT_REPAIR_JSON_TEXT, value->offset);
      g_string_append (self->text, valid);
    }
  return self->text->str;
}

/* "5" and 5 are one process to every viewer. */
static inline TtByteKey
make_lane_key (guint64 salt, const TtJsonValue *id)
{
  return (TtByteKey){ .salt = salt, .a = id->raw };
}

static guint32
find_lane (TtTraceEventImport *self, const TtByteKey *key)
{
  guint64 hash;
  guint32 id = tt_byte_ids_find (self->lanes, key, &hash);

  if (G_LIKELY (id != 0))
    return id;
  id = tt_text_ids_find (self->all_lanes, key->salt, key->a.bytes, key->a.len);
  if (id != 0)
    tt_byte_ids_set (self->lanes, key, hash, id);
  return id;
}

static void
add_lane (TtTraceEventImport *self, const TtByteKey *key, guint32 id)
{
  guint64 hash;

  tt_text_ids_add (self->all_lanes, key->salt, key->a.bytes, key->a.len, id);
  if (tt_byte_ids_find (self->lanes, key, &hash) == 0)
    tt_byte_ids_set (self->lanes, key, hash, id);
}

/* -- processes --------------------------------------------------------------------------------------- */

static void
own_headers (TtTraceEventImport *self, guint32 process)
{
  self->first_process = process;
  for (guint i = 0; i + 1 < self->headers->len; i += 2)
    tt_sink_metadata (self->sink, process, TT_NO_ID, self->headers->pdata[i], self->headers->pdata[i + 1]);
  g_ptr_array_set_size (self->headers, 0);
}

static guint32
define_process (TtTraceEventImport *self, const char *text)
{
  g_autofree char *prefixed = self->pid_prefix == NULL ? NULL : g_strconcat (self->pid_prefix, text, NULL);
  guint32 process = tt_sink_process (self->sink, prefixed != NULL ? prefixed : text, NULL, NULL, self->rank);

  if (self->first_process == TT_NO_ID)
    own_headers (self, process);
  return process;
}

static guint32
look_up_process (TtTraceEventImport *self, const TtTraceEvent *event)
{
  TtByteKey key = make_lane_key (SALT_PIDS, &event->pid);
  guint32 process = find_lane (self, &key);

  if (G_LIKELY (process != 0))
    return process;
  if (event->has & TT_EVENT_HAS_PID)
    process = define_process (self, tt_trace_event_text (self, &event->pid));
  else
    process = define_process (self, self->options->pid != NULL ? self->options->pid : NO_ID_TEXT);
  add_lane (self, &key, process);
  return process;
}

/* Of an event whose lane is not known. */
static G_GNUC_NO_INLINE guint32
find_process (TtTraceEventImport *self, const TtTraceEvent *event)
{
  guint32 process = look_up_process (self, event);

  if (event->lane != 0)
    self->known_lanes[event->lane].process = process;
  return process;
}

guint32
tt_trace_event_process (TtTraceEventImport *self, const TtTraceEvent *event)
{
  guint32 known = self->known_lanes[event->lane].process;

  return G_LIKELY (known != 0) ? known : find_process (self, event);
}

void
tt_trace_event_repair (TtTraceEventImport *self, const TtTraceEvent *event, TtRepairKind kind)
{
  TtByteKey key = make_lane_key (SALT_PIDS, &event->pid);
  guint32 process = find_lane (self, &key);

  if (process != 0)
    tt_sink_repair_of (self->sink, process, kind, event->offset);
  else
    tt_sink_repair (self->sink, kind, event->offset);
}

guint32
tt_trace_event_alias_process (TtTraceEventImport *self, const TtTraceEvent *event, const char *text)
{
  TtByteKey key = make_lane_key (SALT_PIDS, &event->pid);
  guint32 known = find_lane (self, &key);

  if (known != 0)
    return known;
  guint32 process = define_process (self, text);
  add_lane (self, &key, process);
  return process;
}

/* -- threads ----------------------------------------------------------------------------------------- */

static gint64
parse_order (const char *tid)
{
  guint64 number;

  return g_ascii_string_to_unsigned (tid, 10, 0, G_MAXINT32, &number, NULL) ? (gint64) number : G_MAXINT32;
}

/* Samples have no pid: theirs is that of the first thread with their tid. */
static void
note_tid (TtTraceEventImport *self, const char *tid, guint32 process)
{
  if (self->tids == NULL)
    self->tids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (self->tids) < MOST_TIDS && !g_hash_table_contains (self->tids, tid))
    g_hash_table_insert (self->tids, g_strdup (tid), GUINT_TO_POINTER (process));
}

static guint32
look_up_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process)
{
  TtByteKey key = make_lane_key (process, &event->tid);
  guint32 thread = find_lane (self, &key);

  if (G_LIKELY (thread != 0))
    return thread;
  const char *tid = event->has & TT_EVENT_HAS_TID ? tt_trace_event_text (self, &event->tid) : NO_ID_TEXT;
  thread = tt_sink_thread (self->sink, process, tid, NULL, parse_order (tid));
  add_lane (self, &key, thread);
  note_tid (self, tid, process);
  if (self->is_in_order)
    tt_arrange_trust (self->arrange, thread);
  return thread;
}

static G_GNUC_NO_INLINE guint32
find_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process)
{
  TtKnownLane *lane = &self->known_lanes[event->lane];
  guint32 thread = look_up_thread (self, event, process);

  if (event->lane != 0)
    {
      lane->thread = thread;
      lane->of_process = process;
    }
  return thread;
}

guint32
tt_trace_event_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process)
{
  const TtKnownLane *lane = &self->known_lanes[event->lane];

  return G_LIKELY (lane->thread != 0 && lane->of_process == process) ? lane->thread
                                                                     : find_thread (self, event, process);
}

guint32
tt_trace_event_alias_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, const char *text)
{
  TtByteKey key = make_lane_key (process, &event->tid);
  guint32 known = find_lane (self, &key);

  if (known != 0)
    return known;
  guint32 thread = tt_sink_thread (self->sink, process, text, NULL, parse_order (text));
  add_lane (self, &key, thread);
  return thread;
}

/* -- names ------------------------------------------------------------------------------------------- */

static gboolean
is_end (char ph)
{
  return ph == 'E' || ph == 'e' || ph == 'F';
}

static gboolean
is_begin (char ph)
{
  return ph == 'B' || ph == 'b' || ph == 'S';
}

/* Ends mostly have no category: they mean what was begun by that name. */
static guint32
find_begun_name (TtTraceEventImport *self, const TtTraceEvent *event)
{
  const TtByteKey key = { .salt = TT_SALT_BEGUN, .a = event->name.raw };
  guint64 hash;

  return tt_byte_ids_find (self->names, &key, &hash);
}

static void
note_begun (TtTraceEventImport *self, const TtTraceEvent *event, guint32 name)
{
  const TtByteKey key = { .salt = TT_SALT_BEGUN, .a = event->name.raw };
  guint64 hash;

  if (tt_byte_ids_find (self->names, &key, &hash) != name)
    tt_byte_ids_set (self->names, &key, hash, name);
}

static guint32
make_name (TtTraceEventImport *self, const TtTraceEvent *event)
{
  g_autofree char *group = NULL;

  if (event->cat.kind != TT_JSON_NONE && event->cat.kind != TT_JSON_NULL && event->cat.raw.len > 0)
    group = g_strdup (tt_trace_event_text (self, &event->cat));
  return tt_sink_name (self->sink, &(TtRawName){ .raw = tt_trace_event_text (self, &event->name), .group = group });
}

static guint32
look_up_name (TtTraceEventImport *self, const TtTraceEvent *event)
{
  const TtByteKey key = { .salt = TT_SALT_NAME, .a = event->name.raw, .b = event->cat.raw };
  gboolean has_name = event->name.kind != TT_JSON_NONE && event->name.kind != TT_JSON_NULL;
  guint64 hash;

  if (G_UNLIKELY (!has_name))
    {
      if (is_end (event->ph))
        return TT_NO_ID;
      tt_trace_event_repair (self, event, TT_REPAIR_NO_NAME);
    }
  else if (G_UNLIKELY (event->name.kind != TT_JSON_STRING))
    tt_trace_event_repair (self, event, TT_REPAIR_NO_NAME);

  guint32 name = tt_byte_ids_find (self->names, &key, &hash);
  if (is_end (event->ph) && (name == 0 || event->cat.raw.len == 0))
    {
      guint32 begun = find_begun_name (self, event);
      if (begun != 0)
        return begun;
    }
  if (name == 0)
    {
      name = make_name (self, event);
      tt_byte_ids_set (self->names, &key, hash, name);
    }
  if (is_begin (event->ph))
    note_begun (self, event, name);
  return name;
}

/* Of an event whose label is not known. */
static G_GNUC_NO_INLINE guint32
find_name (TtTraceEventImport *self, const TtTraceEvent *event)
{
  guint32 name = look_up_name (self, event);

  if (event->label != 0 && !is_end (event->ph))
    self->known_labels[event->label] = name;
  return name;
}

guint32
tt_trace_event_name (TtTraceEventImport *self, const TtTraceEvent *event)
{
  guint32 known = self->known_labels[event->label];

  return G_LIKELY (known != 0 && !is_end (event->ph) && !is_begin (event->ph)) ? known : find_name (self, event);
}

guint32
tt_trace_event_flow_kind (TtTraceEventImport *self, const TtTraceEvent *event)
{
  const TtJsonValue *text = event->cat.raw.len > 0 ? &event->cat : &event->name;
  const TtByteKey key = { .salt = TT_SALT_FLOW, .a = text->raw };
  guint64 hash;
  guint32 kind = tt_byte_ids_find (self->names, &key, &hash);

  if (kind == 0)
    {
      kind = tt_arrange_flow_kind (self->arrange, tt_flow_kind (tt_trace_event_text (self, text))) + 1;
      tt_byte_ids_set (self->names, &key, hash, kind);
    }
  return kind - 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/trace-lanes.h"

#include "src/base/id-table.h"
#include "src/base/tape.h"
#include "src/base/text-ids.h"

#include <string.h>

/* Stands between pid and tid in a key. */
#define BETWEEN '\037'
#define TAPE_MEMORY ((gsize) 2 << 20)

/* Whose key a text is. */
enum
{
  PROCESS,
  THREAD,
};

/* A process or thread that an event has or metadata name. */
typedef struct
{
  guint64 key;     /* on the tape: pid, or pid BETWEEN tid */
  guint64 name;    /* on the tape + 1; 0: none */
  guint32 process; /* of a thread: its row; 0: unknown yet */
  guint32 lane;    /* of a thread: number + 1; 0: no event has it */
  guint64 pid_len; /* of a thread with a lane, in its key */
} Place;

typedef struct
{
  TtIdTable rows; /* of Place, from 1 */
  guint32 n;
} Places;

struct _TtTraceLanes
{
  TtTextIds *ids; /* rows by key */
  Places processes, threads;
  TtIdTable lanes; /* the row of the thread, guint32 */
  guint32 n_lanes;
  TtTape *texts;
  GString *key;  /* scratch */
  GString *process, *thread, *tid; /* what was handed out */
};

TtTraceLanes *
tt_trace_lanes_new (void)
{
  TtTraceLanes *self = g_new0 (TtTraceLanes, 1);

  self->ids = tt_text_ids_new ();
  self->processes.rows.row_size = self->threads.rows.row_size = sizeof (Place);
  self->lanes.row_size = sizeof (guint32);
  self->texts = tt_tape_new (TAPE_MEMORY);
  self->key = g_string_new (NULL);
  self->process = g_string_new (NULL);
  self->thread = g_string_new (NULL);
  self->tid = g_string_new (NULL);
  return self;
}

void
tt_trace_lanes_free (TtTraceLanes *self)
{
  if (self == NULL)
    return;
  tt_text_ids_free (self->ids);
  tt_id_table_clear (&self->processes.rows);
  tt_id_table_clear (&self->threads.rows);
  tt_id_table_clear (&self->lanes);
  tt_tape_free (self->texts);
  g_string_free (self->key, TRUE);
  g_string_free (self->process, TRUE);
  g_string_free (self->thread, TRUE);
  g_string_free (self->tid, TRUE);
  g_free (self);
}

gboolean
tt_trace_lanes_check (const TtTraceLanes *self, GError **error)
{
  return tt_text_ids_check (self->ids, error) && tt_id_table_check (&self->processes.rows, error) &&
         tt_id_table_check (&self->threads.rows, error) && tt_id_table_check (&self->lanes, error) &&
         tt_tape_check (self->texts, error);
}

/* -- texts -------------------------------------------------------------------------------------------- */

static void
append_value (GString *text, const TtJsonValue *value)
{
  if (value->kind == TT_JSON_NONE || value->kind == TT_JSON_NULL)
    g_string_append_c (text, '0');
  else if (value->kind == TT_JSON_STRING && value->has_escapes)
    tt_json_unescape (value, text, NULL);
  else
    g_string_append_len (text, value->raw.bytes, (gssize) value->raw.len);
}

/* Returns the length of the pid in self->key. A text ends at its first zero. */
static gsize
make_key (TtTraceLanes *self, const TtTraceEvent *event)
{
  g_string_truncate (self->key, 0);
  append_value (self->key, &event->pid);
  gsize pid_len = self->key->len;
  g_string_append_c (self->key, BETWEEN);
  append_value (self->key, &event->tid);
  g_string_truncate (self->key, strlen (self->key->str));
  return MIN (pid_len, self->key->len);
}

/* -- processes, threads, lanes ------------------------------------------------------------------------ */

static Place *
place_at (Places *places, guint32 row)
{
  return tt_id_table_at (&places->rows, row);
}

/* The row of what the first @len bytes of self->key stand for. */
static guint32
find_place (TtTraceLanes *self, Places *places, gsize len)
{
  guint64 salt = places == &self->threads ? THREAD : PROCESS;
  guint32 row = tt_text_ids_find (self->ids, salt, self->key->str, len);

  if (row != 0)
    return row;
  row = ++places->n;
  tt_text_ids_add (self->ids, salt, self->key->str, len, row);
  place_at (places, row)->key = tt_tape_append_text (self->texts, self->key->str, len);
  return row;
}

guint32
tt_trace_lanes_of (TtTraceLanes *self, const TtTraceEvent *event)
{
  gsize pid_len = make_key (self, event);
  guint32 row = find_place (self, &self->threads, self->key->len);
  Place *thread = place_at (&self->threads, row);

  if (thread->lane == 0)
    {
      thread->lane = ++self->n_lanes;
      thread->pid_len = pid_len;
      thread->process = find_place (self, &self->processes, pid_len);
      *(guint32 *) tt_id_table_at (&self->lanes, self->n_lanes - 1) = row;
      return self->n_lanes - 1;
    }
  return thread->lane - 1;
}

guint32
tt_trace_lanes_count (const TtTraceLanes *self)
{
  return self->n_lanes;
}

static void
name_place (TtTraceLanes *self, Places *places, gsize len, const TtJsonValue *name)
{
  g_autofree char *text = tt_json_text (name);
  guint64 at = tt_tape_append_text (self->texts, text, strlen (text));

  place_at (places, find_place (self, places, len))->name = at + 1;
}

gboolean
tt_trace_lanes_name (TtTraceLanes *self, const TtTraceEvent *event)
{
  if (event->ph != 'M' || event->name.kind != TT_JSON_STRING)
    return FALSE;
  if (TT_SLICE_IS (event->name.raw, "process_sort_index") || TT_SLICE_IS (event->name.raw, "thread_sort_index"))
    return TRUE;
  gboolean is_process = TT_SLICE_IS (event->name.raw, "process_name");
  if (!is_process && !TT_SLICE_IS (event->name.raw, "thread_name"))
    return FALSE;
  TtJsonValue name = { .kind = TT_JSON_NONE };
  if (event->args.kind == TT_JSON_OBJECT)
    name = tt_json_get (event->args.raw, "name");
  if (name.kind != TT_JSON_STRING)
    return FALSE;
  gsize pid_len = make_key (self, event);
  if (is_process)
    name_place (self, &self->processes, pid_len, &name);
  else
    name_place (self, &self->threads, self->key->len, &name);
  return TRUE;
}

static const Place *
thread_of (TtTraceLanes *self, guint32 lane)
{
  return place_at (&self->threads, *(guint32 *) tt_id_table_at (&self->lanes, lane));
}

/* Ids are compared as they stand there, and told as UTF-8. */
static const char *
told (GString *text)
{
  if (!g_utf8_validate_len (text->str, text->len, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (text->str, (gssize) text->len);
      g_string_assign (text, valid);
    }
  return text->str;
}

const char *
tt_trace_lanes_tid (TtTraceLanes *self, guint32 lane)
{
  const Place *thread = thread_of (self, lane);

  tt_tape_read_text (self->texts, thread->key, self->tid);
  g_string_erase (self->tid, 0, (gssize) MIN ((gsize) thread->pid_len + 1, self->tid->len));
  return told (self->tid);
}

const char *
tt_trace_lanes_process (TtTraceLanes *self, guint32 lane)
{
  const Place *process = place_at (&self->processes, thread_of (self, lane)->process);

  tt_tape_read_text (self->texts, process->name != 0 ? process->name - 1 : process->key, self->process);
  return told (self->process);
}

const char *
tt_trace_lanes_thread (TtTraceLanes *self, guint32 lane)
{
  const Place *thread = thread_of (self, lane);

  return thread->name == 0 ? NULL : tt_tape_read_text (self->texts, thread->name - 1, self->thread);
}

void
tt_trace_lanes_put (TtTraceLanes *self, TtTraceEventImport *import, const TtTraceEvent *event)
{
  gsize pid_len = make_key (self, event);
  guint32 row = tt_text_ids_find (self->ids, PROCESS, self->key->str, pid_len);
  guint64 name = row == 0 ? 0 : place_at (&self->processes, row)->name;

  if (name != 0)
    tt_trace_event_alias_process (import, event, tt_tape_read_text (self->texts, name - 1, self->process));
  tt_trace_event_add (import, event, tt_trace_event_name (import, event), TT_NO_STEP, 0);
}

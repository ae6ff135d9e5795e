/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/trace-lanes.h"

#include <string.h>

/* Stands between pid and tid in a key. */
#define BETWEEN '\037'

typedef struct
{
  char *key; /* pid BETWEEN tid; owned by `numbers` */
  gsize pid_len;
  char *pid; /* owned by `pids` */
} Lane;

struct _TtTraceLanes
{
  GArray *lanes;
  GHashTable *numbers;   /* key -> number + 1 */
  GHashTable *pids;      /* set of pids */
  GHashTable *processes; /* pid -> name */
  GHashTable *threads;   /* key -> name */
  GString *key;          /* scratch */
};

TtTraceLanes *
tt_trace_lanes_new (void)
{
  TtTraceLanes *self = g_new0 (TtTraceLanes, 1);

  self->lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->pids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->key = g_string_new (NULL);
  return self;
}

void
tt_trace_lanes_free (TtTraceLanes *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lanes);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->pids);
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->threads);
  g_string_free (self->key, TRUE);
  g_free (self);
}

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

/* Returns the length of the pid in self->key. */
static gsize
make_key (TtTraceLanes *self, const TtTraceEvent *event)
{
  g_string_truncate (self->key, 0);
  append_value (self->key, &event->pid);
  gsize pid_len = self->key->len;
  g_string_append_c (self->key, BETWEEN);
  append_value (self->key, &event->tid);
  return pid_len;
}

static char *
keep_pid (TtTraceLanes *self, gsize len)
{
  g_autofree char *pid = g_strndup (self->key->str, len);
  gpointer kept;

  if (g_hash_table_lookup_extended (self->pids, pid, &kept, NULL))
    return kept;
  kept = pid;
  g_hash_table_add (self->pids, g_steal_pointer (&pid));
  return kept;
}

guint32
tt_trace_lanes_of (TtTraceLanes *self, const TtTraceEvent *event)
{
  gsize pid_len = make_key (self, event);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, self->key->str));

  if (number != 0)
    return number - 1;
  Lane lane = { .key = g_strdup (self->key->str), .pid_len = pid_len, .pid = keep_pid (self, pid_len) };
  lane.pid_len = MIN (lane.pid_len, strlen (lane.key));
  g_array_append_val (self->lanes, lane);
  g_hash_table_insert (self->numbers, lane.key, GUINT_TO_POINTER (self->lanes->len));
  return self->lanes->len - 1;
}

guint32
tt_trace_lanes_count (const TtTraceLanes *self)
{
  return self->lanes->len;
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
    g_hash_table_replace (self->processes, g_strndup (self->key->str, pid_len), tt_json_text (&name));
  else
    g_hash_table_replace (self->threads, g_strdup (self->key->str), tt_json_text (&name));
  return TRUE;
}

static const Lane *
lane_at (const TtTraceLanes *self, guint32 lane)
{
  return &g_array_index (self->lanes, Lane, lane);
}

const char *
tt_trace_lanes_tid (const TtTraceLanes *self, guint32 lane)
{
  const Lane *at = lane_at (self, lane);

  return at->key[at->pid_len] == '\0' ? "" : at->key + at->pid_len + 1;
}

const char *
tt_trace_lanes_process (const TtTraceLanes *self, guint32 lane)
{
  const char *name = g_hash_table_lookup (self->processes, lane_at (self, lane)->pid);

  return name != NULL ? name : lane_at (self, lane)->pid;
}

const char *
tt_trace_lanes_thread (const TtTraceLanes *self, guint32 lane)
{
  return g_hash_table_lookup (self->threads, lane_at (self, lane)->key);
}

void
tt_trace_lanes_put (TtTraceLanes *self, TtTraceEventImport *import, const TtTraceEvent *event)
{
  gsize pid_len = make_key (self, event);
  const char *name;

  g_string_truncate (self->key, pid_len);
  name = g_hash_table_lookup (self->processes, self->key->str);
  if (name != NULL)
    tt_trace_event_alias_process (import, event, name);
  tt_trace_event_add (import, event, tt_trace_event_name (import, event), TT_NO_STEP, 0);
}

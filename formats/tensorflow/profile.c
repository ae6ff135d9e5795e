/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/operators.h"

#include "formats/trace-event/feed.h"
#include "src/base/cache.h"
#include "src/base/text-map.h"

#include <string.h>

/*
 * The trace viewer's export of the TensorFlow profiler: its operators are the spans of threads "TensorFlow Ops" of
 * devices "/device:GPU". Names of processes and threads come before their events.
 */

typedef struct
{
  char *text; /* of the thread, for people */
  gboolean has_operators;
} Track;

enum
{
  DEVICES,
  THREADS,
};

typedef struct
{
  const TtOperatorSource *source;
  TtOperatorFunc func;
  gpointer data;
  TtTextMap
      *metadata;  /* DEVICES: pid as it stands in the file -> name of the process; THREADS: "pid/tid" -> its name */
  TtCache tracks; /* "pid/tid" -> Track. One that is forgotten takes the names that its thread has by then. */
  TtCache names;  /* raw name -> TtTfName */
  GString *key, *raw;
} Profile;

static void
track_free (gpointer data)
{
  Track *track = data;

  g_free (track->text);
  g_free (track);
}

static void
name_free (gpointer data)
{
  tt_tf_name_clear (data);
  g_free (data);
}

static const char *
process_key (Profile *self, const TtTraceEvent *event)
{
  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, event->pid.raw.bytes, (gssize) event->pid.raw.len);
  return self->key->str;
}

static const char *
thread_key (Profile *self, const TtTraceEvent *event)
{
  process_key (self, event);
  g_string_append_c (self->key, '/');
  g_string_append_len (self->key, event->tid.raw.bytes, (gssize) event->tid.raw.len);
  return self->key->str;
}

static void
take_metadata (Profile *self, const TtTraceEvent *event)
{
  gboolean is_process = TT_SLICE_IS (event->name.raw, "process_name");
  TtJsonValue name;

  if (event->args.kind != TT_JSON_OBJECT || (!is_process && !TT_SLICE_IS (event->name.raw, "thread_name")))
    return;
  name = tt_json_get (event->args.raw, "name");
  if (name.kind != TT_JSON_STRING)
    return;
  g_autofree char *text = tt_json_text (&name);
  if (is_process)
    tt_text_map_set (self->metadata, DEVICES, process_key (self, event), text);
  else
    tt_text_map_set (self->metadata, THREADS, thread_key (self, event), text);
}

static const Track *
find_track (Profile *self, const TtTraceEvent *event)
{
  Track *track = tt_cache_find (&self->tracks, thread_key (self, event));

  if (track != NULL)
    return track;
  g_autofree char *key = g_strdup (self->key->str), *thread = g_strdup (tt_text_map_get (self->metadata, THREADS, key));
  const char *device = tt_text_map_get (self->metadata, DEVICES, process_key (self, event));
  track = g_new0 (Track, 1);
  track->has_operators = device != NULL && thread != NULL && strstr (device, "/device:GPU") != NULL &&
                         strstr (thread, "TensorFlow Ops") != NULL;
  track->text = g_strdup_printf ("%s %s %.*s", device == NULL ? "" : device, thread == NULL ? "" : thread,
                                 (int) MIN (event->tid.raw.len, 64), event->tid.raw.bytes);
  tt_cache_add (&self->tracks, key, track, sizeof *track + strlen (track->text));
  return track;
}

/* What stands before the ":Type" of its long name. */
static const TtTfName *
find_name (Profile *self, const TtTraceEvent *event)
{
  TtJsonValue text = { 0 };

  if (event->args.kind == TT_JSON_OBJECT)
    text = tt_json_get (event->args.raw, "long_name");
  if (text.kind != TT_JSON_STRING)
    text = event->name;
  if (text.kind != TT_JSON_STRING)
    return NULL;
  g_string_truncate (self->raw, 0);
  tt_json_unescape (&text, self->raw, &self->source->sink->repairs);
  g_string_truncate (self->raw, strcspn (self->raw->str, ":"));
  if (self->raw->len == 0)
    return NULL;

  TtTfName *name = tt_cache_find (&self->names, self->raw->str);
  if (name == NULL)
    {
      name = g_new (TtTfName, 1);
      *name = tt_tf_names_resolve (self->source->names, self->raw->str);
      tt_cache_add (&self->names, self->raw->str, name, sizeof *name + strlen (name->op_name));
    }
  return name;
}

static gint32
explicit_step (const TtTraceEvent *event)
{
  gint64 step;

  if (event->args.kind != TT_JSON_OBJECT)
    return TT_NO_STEP;
  TtJsonValue group = tt_json_get (event->args.raw, "group_id");
  return tt_json_int64 (&group, &step) && step >= 0 && step <= G_MAXINT32 ? (gint32) step : TT_NO_STEP;
}

static gboolean
take_span (Profile *self, const TtTraceEvent *event, GError **error)
{
  TtSink *sink = self->source->sink;
  const Track *track = find_track (self, event);

  if (!track->has_operators)
    {
      tt_sink_repair (sink, TT_REPAIR_OTHER_DEVICE, event->offset);
      return TRUE;
    }
  if ((event->has & TT_EVENT_HAS_DUR) == 0)
    tt_sink_repair (sink, TT_REPAIR_NO_DURATION, event->offset);
  const TtTfName *name = find_name (self, event);
  if (name == NULL || (event->has & TT_EVENT_HAS_TS) == 0 || event->dur_ns < 0)
    {
      tt_sink_repair (sink, TT_REPAIR_ODD_RECORD, event->offset);
      return TRUE;
    }
  if (g_str_equal (name->op_cat, "Comm"))
    {
      tt_sink_repair (sink, TT_REPAIR_OTHER_ACTIVITY, event->offset);
      return TRUE;
    }
  if (self->source->graph != NULL && name->node == TT_TF_NO_NODE)
    tt_sink_repair (sink, TT_REPAIR_OUTSIDE_GRAPH, event->offset);
  const TtOperator row = {
    .op_cat = name->op_cat,
    .op_name = name->op_name,
    .track = track->text,
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = explicit_step (event),
    .args = event->args.raw,
    .offset = event->offset,
  };
  return self->func (&row, self->data, error);
}

static gboolean
read_events (Profile *self, TtTraceEventFeed *feed, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const TtTraceEvent *event;

  while ((event = tt_trace_event_feed_next (feed, &failure)) != NULL)
    {
      if (event->ph == 'M')
        take_metadata (self, event);
      else if (event->ph != 'X')
        tt_sink_repair (self->source->sink, TT_REPAIR_OTHER_DEVICE, event->offset);
      else if (!take_span (self, event, error))
        return FALSE;
    }
  if (failure == NULL)
    return tt_text_map_check (self->metadata, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
tt_tf_profile_operators (const TtOperatorSource *source, TtOperatorFunc func, gpointer data, GError **error)
{
  g_autoptr (TtTraceEventFeed) feed = tt_trace_event_feed_new (source->path, source->sink, source->strict, error);
  if (feed == NULL)
    return FALSE;

  g_autoptr (TtTextMap) metadata = tt_text_map_new ();
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, track_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, name_free);
  g_autoptr (GString) key = g_string_new (NULL), raw = g_string_new (NULL);
  Profile self = { source, func, data, metadata, { tracks, 0 }, { names, 0 }, key, raw };

  return read_events (&self, feed, error);
}

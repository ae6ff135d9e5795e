/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/labels.h"

#define MAX_HELD_BYTES ((gsize) 2 << 20)

/* A process with events. */
typedef struct
{
  GBytes *pid; /* as it stands in the file: the key */
  guint32 process;
  gboolean is_host; /* it has operators or calls */
} Used;

struct _KinetoLabels
{
  TtTraceEventImport *import;
  GHashTable *used_pids; /* pids of events as they stand in the file -> Used */
  Used *last;            /* of the latest event; NULL: there was none */
  Used **of_lanes;       /* by the lanes of events, TT_MAX_LANES of them; NULL: not known */
  GPtrArray *held;       /* of GBytes: metadata events */
  gsize held_bytes;
};

KinetoLabels *
tt_kineto_labels_new (TtTraceEventImport *import)
{
  KinetoLabels *self = g_new0 (KinetoLabels, 1);

  self->import = import;
  self->used_pids = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, g_free);
  self->of_lanes = g_new0 (Used *, TT_MAX_LANES);
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

void
tt_kineto_labels_free (KinetoLabels *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->used_pids);
  g_free (self->of_lanes);
  g_ptr_array_unref (self->held);
  g_free (self);
}

static Used *
find_used (KinetoLabels *self, const TtTraceEvent *event)
{
  g_autoptr (GBytes) pid = g_bytes_new (event->pid.raw.bytes, event->pid.raw.len);
  Used *used = g_hash_table_lookup (self->used_pids, pid);

  if (used != NULL)
    return used;
  used = g_new0 (Used, 1);
  used->pid = g_bytes_ref (pid);
  used->process = tt_trace_event_process (self->import, event);
  g_hash_table_insert (self->used_pids, used->pid, used);
  return used;
}

void
tt_kineto_labels_use (KinetoLabels *self, const TtTraceEvent *event)
{
  gsize len;

  if (G_LIKELY (self->of_lanes[event->lane] != NULL))
    {
      self->last = self->of_lanes[event->lane];
      return;
    }
  const char *last = self->last == NULL ? NULL : g_bytes_get_data (self->last->pid, &len);
  if (last == NULL || !tt_slice_is (event->pid.raw, last, len))
    self->last = find_used (self, event);
  if (event->lane != 0)
    self->of_lanes[event->lane] = self->last;
}

void
tt_kineto_labels_note_host (KinetoLabels *self)
{
  self->last->is_host = TRUE;
}

void
tt_kineto_labels_hold (KinetoLabels *self, const TtTraceEvent *event)
{
  if (self->held_bytes + event->record.len > MAX_HELD_BYTES)
    {
      tt_trace_event_add (self->import, event, TT_NO_ID, TT_NO_STEP, 0);
      return;
    }
  self->held_bytes += event->record.len;
  g_ptr_array_add (self->held, g_bytes_new (event->record.bytes, event->record.len));
}

/* -- after the events ------------------------------------------------------------------------------ */

static TtTraceEvent
read_held (const KinetoLabels *self, guint i)
{
  gsize len;
  const char *bytes = g_bytes_get_data (self->held->pdata[i], &len);
  TtTraceEvent event = { .ph = 'M', .record = { bytes, len } };

  event.name = tt_json_get (event.record, "name");
  event.pid = tt_json_get (event.record, "pid");
  event.tid = tt_json_get (event.record, "tid");
  event.args = tt_json_get (event.record, "args");
  event.has =
      (event.pid.kind != TT_JSON_NONE ? TT_EVENT_HAS_PID : 0) | (event.tid.kind != TT_JSON_NONE ? TT_EVENT_HAS_TID : 0);
  return event;
}

static guint32
find_used_process (const KinetoLabels *self, const TtTraceEvent *event)
{
  g_autoptr (GBytes) pid = g_bytes_new_static (event->pid.raw.bytes, event->pid.raw.len);

  const Used *used = g_hash_table_lookup (self->used_pids, pid);

  return used == NULL ? TT_NO_ID : used->process;
}

static char *
copy_arg (const KinetoLabels *self, const TtTraceEvent *event, const char *key)
{
  TtJsonValue value = { 0 };

  if (event->args.kind == TT_JSON_OBJECT)
    value = tt_json_get (event->args.raw, key);
  return value.kind == TT_JSON_NONE ? NULL : g_strdup (tt_trace_event_text (self->import, &value));
}

/* "python" and "GPU 3" make "python (GPU 3)". */
static void
write_label (const KinetoLabels *self, guint32 process, const char *name, const char *label)
{
  g_autofree char *both = name != NULL && label != NULL ? g_strdup_printf ("%s (%s)", name, label) : NULL;

  if (name != NULL || label != NULL)
    tt_sink_label_process (self->import->sink, process, both != NULL ? both : name != NULL ? name : label, -1);
}

/* The only process that has operators or calls; TT_NO_ID: none, or several files were joined into one. */
static guint32
find_host (const KinetoLabels *self)
{
  guint32 host = TT_NO_ID;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->used_pids);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Used *used = value;

      if (used->is_host && host != TT_NO_ID)
        return TT_NO_ID;
      if (used->is_host)
        host = used->process;
    }
  return host;
}

void
tt_kineto_labels_write (KinetoLabels *self, gboolean with_rank)
{
  g_autoptr (GHashTable) labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer value;
  guint32 host = find_host (self);

  for (guint i = 0; i < self->held->len; i++)
    {
      TtTraceEvent event = read_held (self, i);
      gpointer process = GUINT_TO_POINTER (find_used_process (self, &event));

      if (process == NULL)
        continue;
      if (TT_SLICE_IS (event.name.raw, "process_labels"))
        g_hash_table_insert (labels, process, copy_arg (self, &event, "labels"));
      else if (TT_SLICE_IS (event.name.raw, "process_name"))
        g_hash_table_insert (names, process, copy_arg (self, &event, "name"));
      else
        tt_trace_event_add (self->import, &event, TT_NO_ID, TT_NO_STEP, 0);
    }
  g_hash_table_iter_init (&iter, self->used_pids);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      guint32 id = ((const Used *) value)->process;
      gconstpointer process = GUINT_TO_POINTER (id);

      write_label (self, id, g_hash_table_lookup (names, process), g_hash_table_lookup (labels, process));
      if (with_rank)
        tt_sink_label_process (self->import->sink, id, NULL, self->import->rank);
      if (host != TT_NO_ID && id != host)
        tt_sink_own_process (self->import->sink, id, host);
    }
}

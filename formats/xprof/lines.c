/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/xprof/lines.h"

#include <string.h>

/* Those of more are lines of the host. */
#define MOST_LINES 65536u

typedef struct
{
  gboolean is_device, has_streams;
} Process;

struct _TtXprofLines
{
  GHashTable *processes; /* pid -> Process */
  GHashTable *lines;     /* "pid/tid" -> TtXprofLine + 1 */
  GString *key;
};

static const struct
{
  const char *name;
  TtXprofLine line;
} names[] = {
  { "Steps", TT_XPROF_STEPS },
  { "Sparse Core Steps", TT_XPROF_STEPS },
  { "XLA Ops", TT_XPROF_OPS },
  { "Sparse Core Ops", TT_XPROF_OPS },
  { "Async XLA Ops", TT_XPROF_SUMMARY },
  { "XLA Modules", TT_XPROF_SUMMARY },
  { "Sparse Core Modules", TT_XPROF_SUMMARY },
  { "Framework Ops", TT_XPROF_SUMMARY },
  { "TensorFlow Ops", TT_XPROF_SUMMARY },
  { "Framework Name Scope", TT_XPROF_SUMMARY },
  { "TensorFlow Name Scope", TT_XPROF_SUMMARY },
  { "Source code", TT_XPROF_SUMMARY },
  { "Launch Stats", TT_XPROF_SUMMARY },
};

TtXprofLines *
tt_xprof_lines_new (void)
{
  TtXprofLines *self = g_new0 (TtXprofLines, 1);

  self->processes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->key = g_string_new (NULL);
  return self;
}

void
tt_xprof_lines_free (TtXprofLines *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->lines);
  g_string_free (self->key, TRUE);
  g_free (self);
}

gboolean
tt_xprof_is_process (const char *name)
{
  return g_str_has_prefix (name, "/host:") || g_str_has_prefix (name, "/device:") ||
         g_str_has_prefix (name, "/virtualdevice:");
}

TtXprofLine
tt_xprof_line_of_name (const char *name)
{
  if (g_str_has_prefix (name, "Stream #"))
    return TT_XPROF_STREAM;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i].name) == 0)
      return names[i].line;
  return TT_XPROF_OTHER;
}

static const char *
make_key (TtXprofLines *self, const TtTraceEvent *event, gboolean with_tid)
{
  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, event->pid.raw.bytes, (gssize) event->pid.raw.len);
  if (with_tid)
    {
      g_string_append_c (self->key, '/');
      g_string_append_len (self->key, event->tid.raw.bytes, (gssize) event->tid.raw.len);
    }
  return self->key->str;
}

static Process *
find_process (TtXprofLines *self, const TtTraceEvent *event)
{
  const char *key = make_key (self, event, FALSE);
  Process *process = g_hash_table_lookup (self->processes, key);

  if (process != NULL || g_hash_table_size (self->processes) == MOST_LINES)
    return process;
  process = g_new0 (Process, 1);
  g_hash_table_insert (self->processes, g_strdup (key), process);
  return process;
}

void
tt_xprof_lines_note (TtXprofLines *self, const TtTraceEvent *event)
{
  gboolean is_process = TT_SLICE_IS (event->name.raw, "process_name");

  if (event->args.kind != TT_JSON_OBJECT || (!is_process && !TT_SLICE_IS (event->name.raw, "thread_name")))
    return;
  TtJsonValue name = tt_json_get (event->args.raw, "name");
  Process *process = find_process (self, event);
  if (process == NULL || name.kind != TT_JSON_STRING)
    return;
  g_autofree char *text = tt_json_text (&name);
  if (is_process)
    {
      process->is_device = g_str_has_prefix (text, "/device:") || g_str_has_prefix (text, "/virtualdevice:");
      return;
    }
  TtXprofLine line = tt_xprof_line_of_name (text);
  process->has_streams |= line == TT_XPROF_STREAM;
  if (g_hash_table_size (self->lines) < MOST_LINES)
    g_hash_table_replace (self->lines, g_strdup (make_key (self, event, TRUE)), GUINT_TO_POINTER (line + 1));
}

TtXprofLine
tt_xprof_lines_find (TtXprofLines *self, const TtTraceEvent *event, gboolean *is_summary)
{
  const Process *process = g_hash_table_lookup (self->processes, make_key (self, event, FALSE));
  guint found;

  *is_summary = FALSE;
  if (process == NULL || !process->is_device)
    return TT_XPROF_HOST;
  found = GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, make_key (self, event, TRUE)));
  if (found == 0)
    return TT_XPROF_OTHER;
  TtXprofLine line = (TtXprofLine) (found - 1);
  *is_summary = line == TT_XPROF_STEPS || line == TT_XPROF_SUMMARY || (line == TT_XPROF_OPS && process->has_streams);
  return line;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/clues.h"

#include "formats/trace-event/standard-name.h"

#include <string.h>

#define LOOK_AHEAD ((gsize) 1 << 20)
#define MAX_NAMES 256u
#define MAX_TEXT ((gsize) 4096)

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
tt_clues_free (TtClues *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->headers);
  g_hash_table_unref (self->categories);
  g_hash_table_unref (self->process_names);
  g_hash_table_unref (self->thread_names);
  g_ptr_array_unref (self->names);
  g_free (self);
}

static char *
copy_text (const TtJsonValue *value)
{
  TtJsonValue head = *value;

  head.raw.len = MIN (head.raw.len, MAX_TEXT);
  return value->raw.len > MAX_TEXT ? g_utf8_make_valid (head.raw.bytes, (gssize) head.raw.len) : tt_json_text (value);
}

static void
note_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  TtClues *self = data;

  g_hash_table_replace (self->headers, tt_json_text (key), tt_json_text (value));
}

static void
note_metadata (TtClues *self, const TtTraceEvent *event)
{
  gboolean is_process = TT_SLICE_IS (event->name.raw, "process_name");
  TtJsonValue name;

  self->n_metadata++;
  if ((!is_process && !TT_SLICE_IS (event->name.raw, "thread_name")) || event->args.kind != TT_JSON_OBJECT)
    return;
  name = tt_json_get (event->args.raw, "name");
  if (name.kind != TT_JSON_NONE)
    g_hash_table_add (is_process ? self->process_names : self->thread_names, copy_text (&name));
}

static void
count_category (TtClues *self, const TtTraceEvent *event)
{
  char *category = copy_text (&event->cat);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->categories, category));

  g_hash_table_replace (self->categories, category, GUINT_TO_POINTER (n + 1));
}

static gboolean
contains (TtSlice text, const char *word)
{
  return text.len > 0 && memmem (text.bytes, text.len, word, strlen (word)) != NULL;
}

static gboolean
is_standard_name (const TtJsonValue *name)
{
  g_autofree char *plain = name->has_escapes ? copy_text (name) : NULL;
  TtSlice text = plain == NULL ? name->raw : (TtSlice){ plain, strlen (plain) };
  TtStandardName split;

  return name->kind == TT_JSON_STRING && tt_standard_name_split (text, &split);
}

static void
note_event (TtClues *self, const TtTraceEvent *event)
{
  if (event->pid.kind == TT_JSON_STRING)
    {
      self->n_text_pids++;
      g_hash_table_add (self->process_names, copy_text (&event->pid));
    }
  if (event->ph == 'M')
    {
      note_metadata (self, event);
      return;
    }
  self->n_events++;
  if (event->cat.kind == TT_JSON_STRING)
    count_category (self, event);
  if (self->names->len < MAX_NAMES)
    {
      g_autofree char *text = copy_text (&event->name);
      g_ptr_array_add (self->names, g_strdup_printf ("%c %s", event->ph, text));
    }
  if (is_standard_name (&event->name))
    self->n_standard++;
  else
    self->n_marks += event->ph == 'i' || event->ph == 'I';
  self->n_steps += event->args.kind == TT_JSON_OBJECT && tt_json_get (event->args.raw, "step").kind == TT_JSON_NUMBER;
  self->n_comm_detail += contains (event->pid.raw, "comm_detail") || contains (event->tid.raw, "comm_detail");
}

TtClues *
tt_clues_new (const char *path, GError **error)
{
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new_head (path, LOOK_AHEAD, error);
  TtTraceEvent event = { .ph = 0 };

  if (reader == NULL)
    return NULL;

  TtClues *self = g_new0 (TtClues, 1);
  self->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->categories = new_set ();
  self->process_names = new_set ();
  self->thread_names = new_set ();
  self->names = g_ptr_array_new_with_free_func (g_free);
  tt_trace_event_reader_on_header (reader, note_header, self);
  /* What is wrong in there is said when it is read in earnest. */
  while (tt_trace_event_reader_next (reader, &event, NULL))
    note_event (self, &event);
  self->bytes = tt_input_offset (tt_trace_event_reader_input (reader));
  return self;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-test.h"

#include "src/base/error.h"

#include <glib/gstdio.h>
#include <string.h>

const char tau_edf[] = "23 dynamic_trace_events\n"
                       "# FunctionId Group Tag \"Name Type\" Parameters\n"
                       "1 TAU_DEFAULT 0 \"main int (int, char **)\" EntryExit\n"
                       "2 TAU_USER 0 \"work(int) [{a.c} {8,1}-{12,1}] \" EntryExit\n"
                       "3 MPI 0 \"MPI_Send()  \" EntryExit\n"
                       "4 MPI 0 \"MPI_Recv()  \" EntryExit\n"
                       "5 TAUEVENT 0 \"Bytes\" TriggerValue\n"
                       "6 TAUEVENT 0 \"Bytes : main\" TriggerValue\n"
                       "7 TAUEVENT 0 \"Host | a\" TriggerValue\n"
                       "8 TAUEVENT 1 \"CYC\" TriggerValue\n"
                       "9 TAUEVENT 1 \"INS\" TriggerValue\n"
                       "10 TAUEVENT 0 \"ONESIDED_MESSAGE_SEND\" TriggerValue\n"
                       "11 TAUEVENT 0 \"ONESIDED_MESSAGE_RECV\" TriggerValue\n"
                       "12 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT1\" TriggerValue\n"
                       "13 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT2\" TriggerValue\n"
                       "14 TAUEVENT 0 \"TauTraceClockOffsetStart\" TriggerValue\n"
                       "15 TAU_USER 0 \"strange\" Strange\n"
                       "60000 TRACER 0 \"EV_INIT\" none\n"
                       "60001 TRACER 0 \"FLUSH\" EntryExit\n"
                       "60003 TRACER 0 \"FLUSH_CLOSE\" none\n"
                       "60005 TRACER 0 \"WALL_CLOCK\" none\n"
                       "60006 TRACER 0 \"CONT_EVENT\" none\n"
                       "60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n"
                       "60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n";

/* -- a sink that writes lines -------------------------------------------------------------------- */

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  GPtrArray *lines;
  GHashTable *names, *series, *processes, *threads, *events, *owners; /* id -> text */
  char *path;
} LineSink;

static void
keep (GHashTable *table, guint64 id, char *text)
{
  g_hash_table_replace (table, GSIZE_TO_POINTER (id), text);
}

static const char *
text_of (GHashTable *table, guint64 id)
{
  const char *text = g_hash_table_lookup (table, GSIZE_TO_POINTER (id));

  return text != NULL ? text : "?";
}

static void
take_definition (LineSink *self, const TtBatch *batch, const TtDefinition *d)
{
  const char *texts[TT_N_NAME_TEXTS];

  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    texts[i] = tt_batch_text (batch, d->text[i]);
  switch (d->kind)
    {
    case TT_DEFINE_SOURCE:
      g_free (self->path);
      self->path = g_strdup (texts[1]);
      break;
    case TT_DEFINE_SOURCE_END:
      {
        g_autofree char *repairs = tt_repairs_to_json (&batch->repairs);
        g_ptr_array_add (self->lines, g_strdup_printf ("source %s clock=%s repairs=%s", self->path,
                                                       tt_clock_text ((TtClock) d->c), repairs));
        break;
      }
    case TT_DEFINE_PROCESS:
      keep (self->processes, d->id, g_strdup (texts[0]));
      break;
    case TT_DEFINE_THREAD:
      keep (self->threads, d->id, g_strdup_printf ("%s/%s", text_of (self->processes, d->parent), texts[0]));
      break;
    case TT_DEFINE_NAME:
      keep (self->names, d->id, g_strdup (texts[TT_NAME_RAW]));
      break;
    case TT_DEFINE_SERIES:
      keep (self->series, d->id, g_strdup (texts[0]));
      break;
    case TT_DEFINE_METADATA:
      g_ptr_array_add (self->lines,
                       g_strdup_printf ("metadata %s %s=%s", text_of (self->threads, d->id), texts[0], texts[1]));
      break;
    case TT_DEFINE_PROCESS_LABEL:
    case TT_DEFINE_PROCESS_OWNER:
    case TT_DEFINE_THREAD_LABEL:
    case TT_DEFINE_PARAMETER:
    case TT_N_DEFINITIONS:
      break;
    }
}

static void
take_events (LineSink *self, const TtEventColumns *events)
{
  for (guint i = 0; i < events->n; i++)
    {
      keep (self->events, events->first_event + i, g_strdup (text_of (self->names, events->name[i])));
      g_ptr_array_add (self->lines,
                       g_strdup_printf ("span %s %s ts=%" G_GINT64_FORMAT " dur=%" G_GINT64_FORMAT
                                        " self=%" G_GINT64_FORMAT " depth=%u flags=%s",
                                        text_of (self->threads, events->thread[i]),
                                        text_of (self->names, events->name[i]), events->ts_ns[i], events->dur_ns[i],
                                        events->self_ns[i], events->depth[i], tt_flags_text (events->flags[i])));
    }
}

static void
take_halves (LineSink *self, const TtHalfColumns *halves)
{
  for (guint i = 0; i < halves->n; i++)
    g_ptr_array_add (self->lines,
                     g_strdup_printf ("half %s %s peer=%s tag=%" G_GINT64_FORMAT " comm=%" G_GINT64_FORMAT
                                      " bytes=%" G_GINT64_FORMAT " ts=%" G_GINT64_FORMAT " in=@%u%s",
                                      halves->is_send[i] ? "send" : "recv", text_of (self->threads, halves->thread[i]),
                                      text_of (self->processes, halves->peer[i]), halves->tag[i], halves->comm[i],
                                      halves->bytes[i], halves->ts_ns[i], halves->owner[i],
                                      halves->onesided[i] ? " onesided" : ""));
}

static TtBatch *
line_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  LineSink *self = (LineSink *) back;

  for (guint i = 0; i < batch->definitions->len; i++)
    take_definition (self, batch, &g_array_index (batch->definitions, TtDefinition, i));
  take_events (self, &batch->events);
  for (guint i = 0; i < batch->counters.n; i++)
    g_ptr_array_add (self->lines, g_strdup_printf ("counter %s %s ts=%" G_GINT64_FORMAT " value=%" G_GINT64_FORMAT,
                                                   text_of (self->threads, batch->counters.thread[i]),
                                                   text_of (self->series, batch->counters.series[i]),
                                                   batch->counters.ts_ns[i], batch->counters.value[i]));
  for (guint i = 0; i < batch->metrics.n; i++)
    g_ptr_array_add (self->lines, g_strdup_printf ("metric %s %s incl=%" G_GINT64_FORMAT " excl=%" G_GINT64_FORMAT,
                                                   text_of (self->events, batch->metrics.event[i]),
                                                   text_of (self->series, batch->metrics.series[i]),
                                                   batch->metrics.inclusive[i], batch->metrics.exclusive[i]));
  take_halves (self, &batch->halves);
  for (guint i = 0; i < batch->owners.n; i++)
    keep (self->owners, batch->owners.owner[i], g_strdup (text_of (self->events, batch->owners.event[i])));
  tt_batch_clear (batch);
  return batch;
}

/* Puts the names of spans where halves have only the number of their owner. */
static gboolean
line_finish (TtSinkBack *back, GError **error)
{
  LineSink *self = (LineSink *) back;

  for (guint i = 0; i < self->lines->len; i++)
    {
      char *line = self->lines->pdata[i], *at = strstr (line, " in=@");
      guint64 owner;
      if (!g_str_has_prefix (line, "half ") || at == NULL)
        continue;
      g_autofree char *digits = g_strndup (at + 5, strspn (at + 5, "0123456789"));
      g_assert_true (g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT32, &owner, NULL));
      *at = '\0';
      self->lines->pdata[i] = g_strdup_printf ("%s in=%s%s", line, owner == 0 ? "-" : text_of (self->owners, owner),
                                               at + 5 + strlen (digits));
      g_free (line);
    }
  return TRUE;
}

static void
line_dispose (TtSinkBack *back)
{
  LineSink *self = (LineSink *) back;

  g_hash_table_unref (self->names);
  g_hash_table_unref (self->series);
  g_hash_table_unref (self->processes);
  g_hash_table_unref (self->threads);
  g_hash_table_unref (self->events);
  g_hash_table_unref (self->owners);
  g_free (self->path);
}

static const TtSinkBackClass line_class = { "lines", line_write, line_finish, line_dispose };

static TtSink *
line_sink_new (GPtrArray *lines)
{
  LineSink *self = g_new0 (LineSink, 1);
  g_autoptr (GError) error = NULL;
  TtNameRules *rules = tt_name_rules_load (NULL, &error);

  g_assert_no_error (error);
  self->lines = lines;
  GHashTable **tables[] = {
    &self->names, &self->series, &self->processes, &self->threads, &self->events, &self->owners
  };
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    *tables[i] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->back.klass = &line_class;
  self->sink = tt_sink_new (&self->back, tt_names_new (rules));
  return self->sink;
}

/* -- importing ------------------------------------------------------------------------------------- */

TauResult *
tau_import (const char *const *paths, gboolean is_strict)
{
  TauResult *self = g_new0 (TauResult, 1);
  const TtImportOptions options = { .strict = is_strict, .rank = -1 };

  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (TtSink) sink = line_sink_new (self->lines);
  g_autoptr (GPtrArray) plan = tt_format_plan ((char **) (gpointer) paths, NULL, self->notes, NULL, &self->error);
  for (guint i = 0; plan != NULL && self->error == NULL && i < plan->len; i++)
    {
      const TtPlannedInput *planned = plan->pdata[i];
      gboolean is_good = planned->format->import (planned->set, &options, sink, &self->error);
      g_assert_cmpint (is_good, ==, self->error == NULL);
    }
  if (plan != NULL && self->error == NULL)
    g_assert_true (tt_sink_finish (sink, &self->error));
  self->n_names = tt_names_count (sink->names);
  return self;
}

void
tau_result_free (TauResult *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->notes);
  g_clear_error (&self->error);
  g_free (self);
}

guint
tau_count (const TauResult *self, const char *prefix)
{
  guint n = 0;

  for (guint i = 0; i < self->lines->len; i++)
    n += g_str_has_prefix (self->lines->pdata[i], prefix);
  return n;
}

const char *
tau_line (const TauResult *self, const char *prefix)
{
  for (guint i = 0; i < self->lines->len; i++)
    if (g_str_has_prefix (self->lines->pdata[i], prefix))
      return self->lines->pdata[i];
  return NULL;
}

void
tau_assert_line (const TauResult *self, guint n, const char *line)
{
  guint found = 0;

  if (self->error != NULL)
    g_test_fail_printf ("%s", self->error->message);
  for (guint i = 0; i < self->lines->len; i++)
    found += strcmp (self->lines->pdata[i], line) == 0;
  if (found == n)
    return;
  g_test_fail_printf ("%u times, not %u: %s", found, n, line);
  for (guint i = 0; i < self->lines->len; i++)
    g_test_message ("has: %s", (char *) self->lines->pdata[i]);
}

void
tau_assert_fails (const TauResult *self, const char *message)
{
  if (self->error == NULL)
    g_test_fail_printf ("no error, but expected: %s", message);
  else if (!g_pattern_match_simple (message, self->error->message))
    g_test_fail_printf ("'%s' is not like '%s'", self->error->message, message);
  else
    g_assert_true (self->error->domain == TT_ERROR);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
tau_sorted (const TauResult *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->lines->len; i++)
    if (!g_str_has_prefix (self->lines->pdata[i], "source "))
      g_ptr_array_add (lines, self->lines->pdata[i]);
  g_ptr_array_sort (lines, by_text);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "%s\n", (char *) lines->pdata[i]);
  return g_string_free (text, FALSE);
}

/* -- writing traces -------------------------------------------------------------------------------- */

static void
put (GByteArray *bytes, guint64 value, guint n, gboolean is_big)
{
  for (guint i = 0; i < n; i++)
    {
      guint8 byte = (guint8) (value >> 8 * (is_big ? n - 1 - i : i));
      g_byte_array_append (bytes, &byte, 1);
    }
}

void
tau_add (GByteArray *bytes, TtTauLayout layout, const TauRecord *records, guint n)
{
  gboolean is_big = layout == TT_TAU_24BE || layout == TT_TAU_32BE;
  gboolean is_long = layout == TT_TAU_32LE || layout == TT_TAU_32BE;

  for (guint i = 0; i < n; i++)
    {
      put (bytes, (guint64) records[i].event, is_long ? 8 : 4, is_big);
      put (bytes, records[i].nid, 2, is_big);
      put (bytes, records[i].tid, 2, is_big);
      if (is_long)
        put (bytes, 0xdeadbeef, 4, is_big);
      put (bytes, (guint64) records[i].par, 8, is_big);
      put (bytes, records[i].ti, 8, is_big);
    }
}

gint64
tau_message (guint16 peer, guint16 tag, guint32 bytes, guint8 comm)
{
  return (gint64) ((guint64) (peer >> 8) << 56 | (guint64) (tag >> 8) << 48 | (guint64) (comm & 0x3f) << 42 |
                   (guint64) (bytes >> 16 & 0x3ff) << 32 | (guint64) (peer & 0xff) << 24 |
                   (guint64) (tag & 0xff) << 16 | (bytes & 0xffff));
}

void
tau_folder_init (TauFolder *self)
{
  g_autoptr (GError) error = NULL;

  self->path = g_dir_make_tmp ("tau-test-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
remove_all (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
      const char *name;
      while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
        {
          g_autofree char *below = g_build_filename (path, name, NULL);
          remove_all (below);
        }
    }
  g_remove (path);
}

void
tau_folder_clear (TauFolder *self)
{
  remove_all (self->path);
  g_clear_pointer (&self->path, g_free);
}

char *
tau_write (const TauFolder *self, const char *name, const void *bytes, gssize len)
{
  char *path = g_build_filename (self->path, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (folder, 0700);
  g_file_set_contents (path, bytes, len, &error);
  g_assert_no_error (error);
  return path;
}

char *
tau_write_records (const TauFolder *self, const char *name, TtTauLayout layout, const TauRecord *records, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tau_add (bytes, layout, records, n);
  return tau_write (self, name, bytes->len > 0 ? bytes->data : (const guint8 *) "", bytes->len);
}
